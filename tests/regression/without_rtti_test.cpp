// The text of an exception was looked for with dynamic_cast, which crashed on what code without type information threw.
#include "support/without_rtti.hpp"
#include "support/catch.hpp"

namespace without_rtti_test {

TEST_CASE("failures: exceptions of code compiled with -fno-rtti are reported like others", "[regression][rtti]") {
  const tact::support::reported_without_rtti all = tact::support::report_without_rtti();
  CHECK(all.plain == "its own");
  CHECK(all.nested == "outer: inner");
  CHECK(all.causes == std::vector<std::string>{"outer", "inner"});
  CHECK(all.asked.find("asked") != std::string::npos);
}

}  // namespace without_rtti_test
