// Handlers that wait for an answer, under every kind of schedule: the stack is left, then resumed, once; the chunk with
// the message stays until both the queue and the handler are done with it.
#include <array>

#include "actors/cells/cell_word.hpp"
#include "mailbox/pin_count.hpp"
#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace parked_ask_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using sync::fault;

struct waiter {
  alignas(8) unsigned number = 0;
};
using cell_word = actors::cell_word<simulated, waiter>;

// One worker reads a chunk of two messages, whose handlers both wait, as parker::run_on_stacks does. Two others
// bring an answer and a failure to each of them, as parker::resume: the first that comes resumes it.
class parked : public explorer::scenario {
 public:
  unsigned thread_count() const override { return 1 + bringers; }
  void thread(unsigned index) override { index == 0 ? read_all() : bring(index); }
  void at_end() override {
    for (const handler& h : handlers_) check(h.resumed == 1, "a handler was not resumed, or resumed twice");
    check(given_away_ == 1, "a chunk was lost, or given away twice");
  }

 private:
  static constexpr unsigned handlers_count = 2;
  static constexpr unsigned bringers = 2;

  struct handler {
    waiter record;
    cell_word word;
    simulated::atomic<std::uint32_t> left{0};       // the stack has been left
    simulated::atomic<std::uint32_t> requested{0};  // the request has been published
    unsigned resumed = 0;
  };

  void read_all() {
    for (handler& h : handlers_) {
      pins_.pin();
      if (simulated::planted(fault::published_before_switch)) publish(h);
      h.left.store(1, std::memory_order_relaxed);  // published with the waiter
      if (!simulated::planted(fault::published_before_switch)) publish(h);
      if (simulated::planted(fault::page_touched_behind_commit)) {
        static_cast<void>(h.left.load());
        check(h.resumed == 0, "a stack was read that may be gone");
      }
    }
    if (pins_.leave()) give_away();
  }
  void publish(handler& h) {
    h.word.install_home(&h.record);
    h.requested.store(1);
  }

  void bring(unsigned index) {
    for (unsigned n = 0; n < handlers_count; ++n) {
      handler& h = handlers_.at((n + index) % handlers_count);
      while (h.requested.load() == 0) simulated::pause();
      const cell_word::value seen = h.word.load();
      if (seen.is_ended() || !h.word.claim(seen)) continue;  // late
      check(h.left.load(std::memory_order_relaxed) == 1, "a stack was resumed that had not been left");
      ++h.resumed;
      check(given_away_ == 0, "a handler uses a message in a chunk that was given away");
      if (pins_.unpin()) give_away();
    }
  }
  void give_away() { ++given_away_; }

  std::array<handler, handlers_count> handlers_{};
  mailbox::pin_count<simulated> pins_;
  unsigned given_away_ = 0;
};

}  // namespace

TEST_CASE("parked ask: a stack is resumed when it has been left, and once; its message stays until then",
          "[actor][schedule]") {
  support::require_holds<parked>();
}

TEST_CASE("parked ask: planted faults are found", "[actor][schedule]") {
  support::require_found<parked>(fault::published_before_switch, "published_before_switch");
  support::require_found<parked>(fault::page_touched_behind_commit, "page_touched_behind_commit");
  support::require_found<parked>(fault::pin_not_looked_at, "pin_not_looked_at");
  support::require_found<parked>(fault::once_runs_twice, "once_runs_twice");
}

}  // namespace parked_ask_test
