// Monitors under every kind of schedule: watchers come while the actor becomes, goes home and ends.
#include <algorithm>
#include <array>
#include <vector>

#include "actors/cell_word.hpp"
#include "explorer/simulated.hpp"
#include "support/explorer_checks.hpp"
#include "sync/lock.hpp"

namespace watch_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using sync::fault;

struct behavior {
  alignas(8) unsigned number = 0;
};
using cell_word = actors::cell_word<simulated, behavior>;
using locked = sync::locked<sync::lock<simulated>>;

// Two workers carry out an order to watch each, as lifecycle::watch does; a third one becomes; the fourth ends the
// actor, in parallel or under home.
class watching : public explorer::scenario {
 public:
  explicit watching(bool at_home) : at_home_(at_home) { word_.install(&behaviors_[0], false); }

  unsigned thread_count() const override { return watchers + 2; }
  void thread(unsigned index) override {
    if (index < watchers) return watch(index);
    index == watchers ? become() : end();
  }
  void at_end() override {
    for (unsigned w = 0; w < watchers; ++w) {
      if (forwarded_.at(w)) watch(w);
      check(told_.at(w) == 1, "a watcher was not told of the end, or told twice");
    }
    check(seen_at_end_ || metadata_.load() == 0, "the next actor in the cell has the metadata of this one");
  }

 private:
  static constexpr unsigned watchers = 2;

  void watch(unsigned w) {
    for (;;) {
      const cell_word::value seen = word_.load();
      if (seen.is_ended()) return tell(w);
      if (seen.is_home()) {
        forwarded_.at(w) = true;
        return;
      }
      add(w);
      if (simulated::planted(fault::watch_without_commit)) return;
      if (word_.commit(seen, seen.closure()) || !remove(w)) return;
    }
  }
  void add(unsigned w) {
    const locked inside(lock_);
    metadata_.store(1, std::memory_order_relaxed);
    in_papers_.push_back(w);
  }
  bool remove(unsigned w) {
    const locked inside(lock_);
    if (std::erase(in_papers_, w) == 0) return false;
    if (in_papers_.empty()) metadata_.store(0, std::memory_order_relaxed);
    return true;
  }
  void tell(unsigned w) { ++told_.at(w); }

  void become() {
    for (unsigned n = 1; n < behaviors_.size(); ++n) {
      const cell_word::value seen = word_.load();
      if (!seen.is_untagged()) return;
      static_cast<void>(word_.commit(seen, &behaviors_.at(n)));
    }
  }

  void end() {
    if (at_home_) {
      word_.go_home();
      static_cast<void>(word_.load());
      word_.end_home();
    } else {
      while (!word_.try_end(word_.load())) continue;
    }
    seen_at_end_ = metadata_.load(std::memory_order_relaxed) != 0;
    if (!seen_at_end_) return;
    std::vector<unsigned> all;
    {
      const locked inside(lock_);
      all.swap(in_papers_);
    }
    for (const unsigned w : all) tell(w);
  }

  const bool at_home_;
  std::array<behavior, 3> behaviors_{};
  cell_word word_;
  simulated::atomic<std::uint32_t> metadata_{0};
  sync::lock<simulated> lock_;
  std::vector<unsigned> in_papers_;  // guarded by lock_
  std::array<unsigned, watchers> told_{};
  std::array<bool, watchers> forwarded_{};
  bool seen_at_end_ = false;
};

}  // namespace

TEST_CASE("watch: whoever watches an actor is told of its end once, whatever goes on meanwhile", "[actor][schedule]") {
  support::require_holds<watching>(false);
  support::require_holds<watching>(true);
}

TEST_CASE("watch: planted faults are found", "[actor][schedule]") {
  support::require_found<watching>(fault::watch_without_commit, "watch_without_commit", false);
  support::require_found<watching>(fault::watch_without_commit, "watch_without_commit, at home", true);
}

}  // namespace watch_test
