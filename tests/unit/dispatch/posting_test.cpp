// The shards into which a thread outside puts messages that any worker may run.
#include "dispatch/exchange/posting.hpp"

#include <cstdint>
#include <map>
#include <utility>

#include "dispatch/dispatcher.hpp"
#include "mailbox/chunk_memory.hpp"
#include "support/catch.hpp"
#include "tact/detail/message_type.hpp"
#include "topology/plan.hpp"

namespace posting_test {

namespace {

using namespace tact;

struct note {
  std::uint64_t words[2];  // an inbox copies as much at least
};

// Two workers, of which the second one rests, and none is idle. No thread is started, so nothing is taken up.
class two_workers : public dispatch::dispatcher {
 public:
  two_workers() : dispatcher(topology::plan(2), {16, 0}, &longest_victim) {
    REQUIRE(run_only(1));
    for (unsigned w = 0; w < 2; ++w) waker().idle().remove(w);
  }
  ~two_workers() {
    for (std::uint32_t n = 0; n < mail().ordinary_shards(); ++n) {
      mailbox::chunk* c = mail().shard_at(n).outside.take(nullptr, 1);
      while (c != nullptr) mailbox::free_chunk(std::exchange(c, c->next));
    }
  }
  two_workers(const two_workers&) = delete;
  two_workers& operator=(const two_workers&) = delete;

  void post_anywhere(unsigned messages) {
    note payload{};
    for (unsigned i = 0; i < messages; ++i)
      REQUIRE(posting().post_anywhere(detail::message_type_of<note>, {}, &payload));
  }
  std::map<std::uint32_t, std::uint64_t> sent() const {
    std::map<std::uint32_t, std::uint64_t> found;
    for (std::uint32_t n = 0; n < mail().ordinary_shards(); ++n)
      if (const std::uint64_t count = mail().shard_at(n).outside.sent(); count != 0) found[n] = count;
    return found;
  }
};

}  // namespace

TEST_CASE("posting: while a worker rests, a message goes to a shard that is not held", "[dispatch]") {
  two_workers d;
  d.post_anywhere(1);
  const std::uint32_t first = d.sent().begin()->first;
  REQUIRE(d.mail().shard_at(first).word.gulp().mail);  // a worker has taken it up, and holds the shard
  d.post_anywhere(15);
  CHECK(d.sent().at(first) == 1);
}

TEST_CASE("posting: while all shards are held, a thread stays at that of its last message", "[dispatch]") {
  two_workers d;
  d.post_anywhere(1);
  const std::uint32_t first = d.sent().begin()->first;
  for (std::uint32_t n = 0; n < 16; ++n) static_cast<void>(d.mail().shard_at(n).word.gulp());
  d.post_anywhere(64);
  CHECK(d.sent() == std::map<std::uint32_t, std::uint64_t>{{first, 65}});
}

TEST_CASE("posting: a message passes by the shard of a busy worker while another worker is idle", "[dispatch]") {
  two_workers d;
  d.post_anywhere(1);
  const std::uint32_t first = d.sent().begin()->first;
  REQUIRE(d.run_only(2));
  const std::uint32_t owner = d.mail().shard_at(first).owner.load();  // the shard may have moved to the other worker
  d.waker().idle().remove(owner);
  d.waker().idle().add(1 - owner);
  d.post_anywhere(1);
  CHECK(d.sent().at(first) == 1);
}

// The workers sleep, so nothing is taken up between two messages. They come in order then, and are shared out by the
// worker that takes them up.
TEST_CASE("posting: messages that wait for a sleeping worker stay together", "[dispatch]") {
  two_workers d;
  REQUIRE(d.run_only(2));
  for (unsigned w = 0; w < 2; ++w) d.waker().idle().add(w);
  d.post_anywhere(8);
  CHECK(d.sent().size() == 1);
}

}  // namespace posting_test
