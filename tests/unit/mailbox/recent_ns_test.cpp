// What is remembered of how long something took.
#include "mailbox/recent_ns.hpp"

#include <limits>

#include "support/catch.hpp"

namespace recent_ns_test {

using tact::mailbox::recent_ns;

TEST_CASE("recent_ns: the last measurement counts half, and what was not measured counts nothing", "[mailbox]") {
  recent_ns one;
  CHECK(one.read() == 0);
  one.add(0);
  CHECK(one.read() == 0);
  one.add(1'000);
  CHECK(one.read() == 1'000);
  one.add(0);
  CHECK(one.read() == 1'000);
  one.add(2'000);
  CHECK(one.read() == 1'500);
  one.add(500);
  CHECK(one.read() == 1'000);
}

TEST_CASE("recent_ns: what was measured once is never forgotten, however short or long it was", "[mailbox]") {
  recent_ns one;
  for (int i = 0; i < 100; ++i) one.add(1);
  CHECK(one.read() == 1);
  one.add(std::numeric_limits<std::uint64_t>::max() / 2);
  CHECK(one.read() == std::numeric_limits<std::uint32_t>::max());
}

}  // namespace recent_ns_test
