// Monitors under every kind of schedule: watchers come, and are forgotten, while the actor becomes, goes home and ends.
#include <algorithm>
#include <array>
#include <vector>

#include "actors/cells/cell_word.hpp"
#include "support/explorer_checks.hpp"
#include "sync/lock.hpp"
#include "tools/explorer/simulated.hpp"

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
  explicit watching(bool at_home) : at_home_(at_home) { word_.install(&behaviors_[0]); }

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

// One worker carries out the order to watch, another one the order to forget, which may come first, and a third one
// ends the actor.
class forgetting : public explorer::scenario {
 public:
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index == 0) return watch();
    index == 1 ? forget() : end();
  }
  void at_end() override {
    check(told_ + dropped_ == 1, "the watcher was not told or dropped, or both, or twice");
    check(!forgotten_first_ || dropped_ == 1, "a watcher that was forgotten before it came was told");
  }

 private:
  // actors::add_watcher; a port that is not current is told before.
  void watch() {
    bool unwanted = false;
    if (!is_current_.load()) return tell();
    {
      const locked inside(lock_);
      unwanted = is_forgotten_ && !simulated::planted(fault::forgotten_too_early);
      if (is_forgotten_ && is_current_.load()) forgotten_first_ = true;
      is_listed_ = !unwanted;
      // The commit of the word: an end that was quicker than this has not seen the watcher.
      if (is_listed_ && !is_current_.load() && taken_) {
        is_listed_ = false;
        return tell();
      }
    }
    if (unwanted) drop();
  }
  // actors::forget_watcher
  void forget() {
    {
      const locked inside(lock_);
      is_forgotten_ = true;
      const bool is_current = is_current_.load() || simulated::planted(fault::forgotten_after_end);
      if (!is_listed_ || !is_current) return;
      is_listed_ = false;
    }
    drop();
  }
  // lifecycle::end_actor and bid_farewell
  void end() {
    is_current_.store(0);
    bool had = false;
    {
      const locked inside(lock_);
      taken_ = true;
      had = is_listed_;
    }
    if (had) tell();
  }
  void tell() { ++told_; }
  void drop() { ++dropped_; }

  simulated::atomic<std::uint32_t> is_current_{1};
  sync::lock<simulated> lock_;
  bool is_listed_ = false;  // this and the next two: guarded by lock_
  bool is_forgotten_ = false;
  bool taken_ = false;  // the thread that ends the actor has taken the list
  bool forgotten_first_ = false;
  unsigned told_ = 0;
  unsigned dropped_ = 0;
};

}  // namespace

TEST_CASE("watch: a watcher that is forgotten while it comes, and while its actor ends, is told or dropped once",
          "[actor][schedule]") {
  support::require_holds<forgetting>();
}

TEST_CASE("watch: whoever watches an actor is told of its end once, whatever goes on meanwhile", "[actor][schedule]") {
  support::require_holds<watching>(false);
  support::require_holds<watching>(true);
}

TEST_CASE("watch: planted faults are found", "[actor][schedule]") {
  support::require_found<watching>(fault::watch_without_commit, "watch_without_commit", false);
  support::require_found<watching>(fault::watch_without_commit, "watch_without_commit, at home", true);
  support::require_found<forgetting>(fault::forgotten_after_end, "forgotten_after_end");
  support::require_found<forgetting>(fault::forgotten_too_early, "forgotten_too_early");
}

}  // namespace watch_test
