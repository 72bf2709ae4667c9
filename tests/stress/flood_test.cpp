// A flood of messages from each shard to all others does not take much more memory than the messages; and what shares a
// chunk does not wait for company for ever.
#include "mailbox/chunk_memory.hpp"
#include "support/engine_fixture.hpp"
#include "support/home_of.hpp"

namespace flood_test {

namespace {

using namespace tact::support;

struct grow {
  unsigned levels;
};

struct flood {
  std::uint64_t leaves = 0;
  std::uint64_t most_bytes = 0;
};

// Makes two others, which make two others; all of one level before those of the next.
class node : public tact::actor<node, grow> {
 public:
  explicit node(flood& all) : all_(&all) {}
  tact::allocation receive(tact::self<node>& self, const grow& m) {
    if (m.levels == 0) {
      if (++all_->leaves % 1024 == 0) {
        all_->most_bytes = std::max(all_->most_bytes, tact::mailbox::read_chunk_usage().bytes_held);
      }
      return tact::allocation::delete_;
    }
    for (int i = 0; i < 2; ++i) self.send(self.spawn<node>(*all_), grow{m.levels - 1});
    return tact::allocation::delete_;
  }

 private:
  flood* all_;
};

struct turn {};
struct mark {
  std::uint64_t sent_at;
};

// So many messages wait.
constexpr std::uint64_t waiting = 120'000;

// Of an engine with one worker, whose actors may look at it without a lock.
struct waits {
  int marks_left;
  std::atomic<bool> all_wait{false};
  std::uint64_t turns = 0;
  bool is_out = false;        // a mark
  std::uint64_t longest = 0;  // that a mark was under way, in turns
};

class witness : public tact::actor<witness, mark> {
 public:
  explicit witness(waits& all) : all_(&all) {}
  void receive(tact::self<witness>&, const mark& m) {
    all_->longest = std::max(all_->longest, all_->turns - m.sent_at);
    all_->is_out = false;
  }

 private:
  waits* all_;
};

// Never has nothing to do; sends one mark after the other to an actor that lives elsewhere.
class spinner : public tact::actor<spinner, turn> {
 public:
  spinner(waits& all, tact::ref<mark> to) : all_(&all), to_(to) {}
  void receive(tact::self<spinner>& self, const turn&) {
    ++all_->turns;
    if (all_->all_wait && !all_->is_out && all_->marks_left != 0) {
      --all_->marks_left;
      all_->is_out = true;
      self.send(to_, mark{all_->turns});
    }
    if (all_->is_out || all_->marks_left != 0) self.send(tact::ref<turn>(self.ref()), turn{});
  }

 private:
  waits* all_;
  tact::ref<mark> to_;
};

}  // namespace

TEST_CASE("flood: messages to many shards share chunks while nobody waits for them", "[mailbox][stress]") {
  constexpr unsigned levels = 17;
  constexpr std::uint64_t leaves = std::uint64_t{1} << levels;
  tact::mailbox::trim_chunks();
  const auto before = tact::mailbox::read_chunk_usage().bytes_held;
  auto options = quiet_options(1);
  options.shards = 16;
  flood all;
  {
    tact::engine engine(options);
    engine.send(engine.spawn<node>(all), grow{levels});
    engine.wait_finished();
    require_accounted(engine);
  }
  CHECK(all.leaves == leaves);
  // Half of the last level waits as a whole, in slots of 64 bytes. A message with a chunk to itself takes 64 times as
  // much.
  const auto bytes_each = (all.most_bytes - before) / leaves;
  CAPTURE(bytes_each);
  if (sanitized) TACT_SKIP("under a sanitizer messages take so long that they do not wait for each other");
  CHECK(bytes_each <= 128);
}

// One lane's length is what it takes; the bound is far above that.
TEST_CASE("flood: a message to another shard waits for few holds of a busy worker at most", "[mailbox][stress][law7]") {
  constexpr std::uint64_t messages_of_a_hold = 8 * 1024;
  constexpr std::uint64_t few = 64;
  waits all{.marks_left = sanitized ? 20 : scaled(1000)};
  tact::engine engine(quiet_options(1));
  const auto other = engine.spawn<witness>(all);
  const auto busy = engine.spawn<spinner>(all, tact::ref<mark>(other));
  const auto home = [](auto r) { return home_of(tact::detail::access::port_of(r)); };
  REQUIRE(home(other) != home(busy));
  for (std::uint64_t i = 0; i < waiting; ++i) engine.send(tact::ref<turn>(busy), turn{});
  all.all_wait = true;
  require_idle(engine);
  CHECK(all.marks_left == 0);
  CHECK(all.longest <= few * messages_of_a_hold);
  CHECK(all.longest > 0);
}

}  // namespace flood_test
