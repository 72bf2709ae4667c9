// A thread that brings mail to many shards, and tells their owners later.
#include "dispatch/exchange/announcements.hpp"

#include <array>
#include <string>

#include "schedule/linked_letter.hpp"
#include "support/explorer_checks.hpp"
#include "sync/eventcount.hpp"
#include "tools/explorer/explorer.hpp"
#include "tools/explorer/simulated.hpp"

namespace announcements_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using schedule::linked_letter;
using sync::fault;

// A service brings letters for two workers, each of whom looks at one shard and sleeps otherwise, and has room for one
// announcement; another thread outside brings one for the first, and relies on the service if it comes second.
class told_later : public explorer::scenario {
 public:
  static constexpr unsigned workers = 2;

  unsigned thread_count() const override { return 2 + workers; }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "service" : index == 1 ? "sender outside" : "worker " + std::to_string(index - 2);
  }
  void name(explorer::names& called) override {
    for (unsigned i = 0; i < workers; ++i) {
      called.add(desks_[i].word, "word of shard " + std::to_string(i));
      called.add(desks_[i].inbox, "inbox of shard " + std::to_string(i));
      called.add(desks_[i].wakeups, "wakeups of worker " + std::to_string(i));
    }
  }
  void thread(unsigned index) override {
    if (index >= 2) return work(desks_.at(index - 2));
    if (index == 1) {
      if (put(desks_[0])) announce(desks_[0]);
      return;
    }
    announcements later(*this);
    for (worker_context& d : desks_) {
      if (put(d)) later.add(d);
    }
    later.tell();
  }
  void at_end() override { check(desks_[0].handled == 2, "mail was lost"); }

 private:
  struct worker_context {
    mailbox::shard_word<simulated, linked_letter> word;
    simulated::atomic<unsigned> inbox{0};  // letters
    sync::eventcount<simulated> wakeups;
    unsigned awaited = 1;  // letters
    unsigned handled = 0;
  };
  using announcements = dispatch::basic_announcements<simulated, told_later, worker_context, 1>;
  friend announcements;

  // True: it is to be announced.
  static bool put(worker_context& d) {
    d.inbox.fetch_add(1);
    return d.word.post_mail();
  }
  static void announce(const worker_context& d) { const_cast<worker_context&>(d).wakeups.notify(); }
  void work(worker_context& d) {
    if (&d == desks_.data()) d.awaited = 2;
    while (d.handled < d.awaited) {
      mailbox::gulped<linked_letter> taken;
      if (d.word.try_gulp(taken)) {
        do {
          d.handled += d.inbox.exchange(0);
          if (d.word.release()) break;
          taken = d.word.gulp();
        } while (true);
        continue;
      }
      const auto ticket = d.wakeups.prepare();
      d.word.eligible() ? d.wakeups.cancel() : void(d.wakeups.wait(ticket));
    }
  }

  std::array<worker_context, workers> desks_;
};

}  // namespace

TEST_CASE("announcements: nobody sleeps through mail that is announced later", "[dispatch][schedule]") {
  support::require_holds<told_later>();
}

TEST_CASE("announcements: that holds in every schedule with few preemptions", "[dispatch][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(2, 0, told_later);
}

TEST_CASE("announcements: planted faults are found", "[dispatch][schedule]") {
  TACT_REQUIRE_FOUND(late_announcement_lost, told_later);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, late_announcement_lost, told_later);
  TACT_REQUIRE_FOUND(announce_always_skipped, told_later);
  TACT_REQUIRE_FOUND_WITHIN(0, 0, announce_always_skipped, told_later);
}

}  // namespace announcements_test
