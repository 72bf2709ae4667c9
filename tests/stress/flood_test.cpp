// A flood of messages from each shard to all others does not take much more memory than the messages.
#include "mailbox/chunk_memory.hpp"
#include "support/engine_fixture.hpp"

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
  // much. Under a sanitizer messages take so long that they do not wait for each other.
  const auto bytes_each = (all.most_bytes - before) / leaves;
  CAPTURE(bytes_each);
  CHECK((sanitized || bytes_each <= 128));
}
