// A program in which actors of all kinds live at once and keep the books of the laws, for tests of the dispatcher.
#pragma once

#include <functional>
#include <stdexcept>

#include "support/engine_fixture.hpp"

namespace tact::stress {

using namespace tact::support;

struct account;
struct mayfly;

struct letter {
  unsigned sender;
  unsigned number;
  tracked kept{};
};
struct go {
  unsigned left;
};
struct deposit {
  long cents;
};
struct balance {
  using reply = long;
};
struct pay {
  ref<account> to;
  long cents;
  bool bounces;
};
struct note {
  tracked kept{};
};
struct visit {
  unsigned fuel;
  ref<mayfly> parent;
};
struct settle {
  using reply = bool;
};

struct mailbox_of_letters : protocol<letter> {};
struct account : protocol<deposit, pay, request<balance>> {};
struct receipt : protocol<note> {};
struct mayfly : protocol<visit> {};

// Law 5 and 6: what one receiver of letters saw. Not atomic on purpose: at most one handler runs at any time.
struct ledger {
  static constexpr unsigned senders = 6;
  std::array<unsigned, senders> next{};
  unsigned wrong = 0;
  void see(const letter& m);
};

// A few microseconds.
inline void toil() {
  std::atomic<unsigned> turns{0};
  while (turns.fetch_add(1) < 300) {
  }
}

inline void ledger::see(const letter& m) {
  const unsigned expected = next[m.sender];
  toil();
  wrong += m.number != expected;
  next[m.sender] = m.number + 1;  // two handlers at once would count one letter of two
}

class reader : public actor<reader, mailbox_of_letters> {
 public:
  explicit reader(ledger& l) : ledger_(&l) {}
  void receive(tact::self<reader>&, const letter& m) { ledger_->see(m); }

 private:
  ledger* ledger_;
};

inline behavior<mailbox_of_letters> open_reader(ledger& l) {
  return {[&l](tact::self<mailbox_of_letters>& self, const letter& m) {
    l.see(m);
    if (m.number % 4 == 0) self.become(open_reader(l));
  }};
}

using audience = std::vector<ref<mailbox_of_letters>>;

class writer : public actor<writer, go> {
 public:
  writer(unsigned me, const audience& all) : me_(me), all_(&all) {}
  void receive(tact::self<writer>& self, const go& m) {
    for (const auto r : *all_) self.send(r, letter{me_, written_});
    ++written_;
    if (m.left != 1) self.send(self.ref(), go{m.left - 1});
  }

 private:
  unsigned me_;
  const audience* all_;
  unsigned written_ = 0;
};

struct author : protocol<go> {};
inline behavior<author> open_author(unsigned me, const audience& all, unsigned written) {
  return {[me, &all, written](tact::self<author>& self, const go& m) {
    for (const auto r : all) self.send(r, letter{me, written});
    if (m.left != 1) self.send(self.ref(), go{m.left - 1});
    self.become(open_author(me, all, written + 1));
  }};
}

// Law 1: each payment that commits leaves one receipt, one callback and one deposit; one that bounces leaves nothing.
struct cash {
  std::atomic<long> receipts{0};
  std::atomic<long> commits{0};
};

inline behavior<receipt> open_receipt(cash& c) {
  return {[&c](tact::self<receipt>& self, const note&) {
    ++c.receipts;
    self.stop();
  }};
}

inline behavior<account> open_account(cash& c, long cents) {
  return {
      [&c, cents](tact::self<account>& self, const deposit& m) { self.become(open_account(c, cents + m.cents)); },
      [&c, cents](tact::self<account>& self, const pay& m) {
        self.send(m.to, deposit{m.cents});
        self.send(self.create(open_receipt(c), tact::parallel), note{});
        self.on_commit([&c] { ++c.commits; });
        self.become(open_account(c, cents - m.cents));
        if (m.bounces) throw std::runtime_error("bounced");
      },
      [cents](auto& self, const request<balance>& m) { self.reply(m, cents); },
  };
}

// Lives for one visit; its children, parallel and ordered, write to it when it has ended.
inline behavior<mayfly> open_mayfly(tracked t) {
  return {[t](tact::self<mayfly>& self, const visit& m) {
    for (unsigned i = 0; m.fuel != 0 && i < 2; ++i) {
      const auto child = i == 0 ? self.create(open_mayfly(t), tact::parallel) : self.create(open_mayfly(t));
      self.send(child, visit{m.fuel - 1, self.ref()});
    }
    if (m.parent) self.send(m.parent, visit{0, {}});
    self.stop();
  }};
}

// What must come out, by the town's own count. Law 4.
struct expected_counts {
  std::uint64_t sent = 0;
  std::uint64_t failures = 0;
  std::uint64_t dead = 0;
};

// One handler founds it. So all its actors live on the shards of one worker, and the others must steal from it.
class town {
 public:
  // `side_by_side(n, f)` runs f(0) to f(n - 1) on a thread each, and waits for them.
  using running_threads = std::function<void(unsigned, const std::function<void(unsigned)>&)>;
  static void on_real_threads(unsigned count, const std::function<void(unsigned)>& f) { on_threads(count, f); }

  explicit town(engine& e, running_threads side_by_side = &on_real_threads)
      : engine_(&e), side_by_side_(std::move(side_by_side)), ledgers_(readers) {
    struct founder : protocol<request<settle>> {};
    const auto f = e.create(behavior<founder>{[this](tact::self<founder>& self, const request<settle>& m) {
                              settle_down(self);
                              self.reply(m, true);
                              self.stop();
                            }},
                            tact::parallel);
    (void)e.ask(f, settle{});
    require_idle(e);
    before_ = e.statistics();
  }

  // Waits until nothing goes on any more, also after a failure, because its actors write into this object.
  ~town() { (void)engine_->wait_idle(generous); }
  town(const town&) = delete;
  town& operator=(const town&) = delete;

  // A burst of everything, from two threads. REQUIRES: one at a time.
  void live(std::uint64_t seed) {
    side_by_side_(threads, [&](unsigned thread) { send_all(thread, seed); });
    written_ += letters;
    expected_.sent += std::uint64_t{letters} * readers * ledger::senders + std::uint64_t{letters} * writers_;
    expected_.sent += payments_ + 3 * committed_;
    expected_.failures += payments_ - committed_;
    expected_.sent += visits_ + stale_;
    expected_.dead += stale_;
    payments_all_ += committed_;
    payments_ = committed_ = visits_ = stale_ = 0;
  }

  // REQUIRES: the engine is idle. All laws held. `others`: messages in the same engine that were none of the town's.
  void check(std::uint64_t others = 0) {
    for (const ledger& l : ledgers_) {
      CHECK(l.wrong == 0);
      for (const unsigned next : l.next) CHECK(next == written_);
    }
    const statistics now = engine_->statistics();
    INFO(now);
    CHECK(now.messages_sent - before_.messages_sent == expected_.sent + others);
    CHECK(now.failures - before_.failures == expected_.failures);
    CHECK(now.dead_letters - before_.dead_letters == expected_.dead);
    CHECK(now.actors_alive == before_.actors_alive);
    CHECK(static_cast<std::uint64_t>(cash_.commits) == payments_all_);
    CHECK(static_cast<std::uint64_t>(cash_.receipts) == payments_all_);
    long total = 0;
    for (const auto a : bank_) total += engine_->ask(a, balance{});
    CHECK(total == 1'000 * accounts);
    require_idle(*engine_);
    const statistics asked = engine_->statistics();  // asking was no part of the town's life
    before_.messages_sent += asked.messages_sent - now.messages_sent;
  }

 private:
  static constexpr unsigned readers = 8, accounts = 6, threads = 2, letters = 8;

  void settle_down(transaction& tx) {
    for (unsigned i = 0; i < readers; ++i) {
      if (i % 2 == 0) {
        all_.emplace_back(tx.spawn<reader>(ledgers_[i]));
      } else {
        all_.push_back(tx.create(open_reader(ledgers_[i])));
      }
    }
    for (unsigned i = threads; i < ledger::senders; ++i) {
      if (i % 2 == 0) {
        classic_.push_back(tx.spawn<writer>(i, all_));
      } else {
        ordered_.push_back(tx.create(open_author(i, all_, 0)));
      }
    }
    writers_ = static_cast<unsigned>(classic_.size() + ordered_.size());
    for (unsigned i = 0; i < accounts; ++i) {
      bank_.push_back(i % 3 == 0 ? tx.create(open_account(cash_, 1'000))
                                 : tx.create(open_account(cash_, 1'000), tact::parallel));
    }
  }

  void send_all(unsigned thread, std::uint64_t seed) {
    dice d(seed * threads + thread + written_);
    const auto& mine = gone_[thread];
    std::uint64_t stale = 0, visits = 0, payments = 0, committed = 0;
    std::vector<ref<mayfly>> born;
    if (thread == 0) {
      for (const auto w : classic_) engine_->send(w, go{letters});
      for (const auto w : ordered_) engine_->send(w, go{letters});
    }
    for (unsigned n = 0; n < letters; ++n) {
      for (const auto r : all_) engine_->send(r, letter{thread, written_ + n});
      const bool bounces = d.below(8) == 0;
      engine_->send(bank_[d.below(accounts)], pay{bank_[d.below(accounts)], static_cast<long>(d.below(50)), bounces});
      ++payments;
      committed += bounces ? 0 : 1;
      const unsigned fuel = d.below(4);
      const auto m =
          d.below(2) == 0 ? engine_->create(open_mayfly({}), tact::parallel) : engine_->create(open_mayfly({}));
      engine_->send(m, visit{fuel, {}});
      born.push_back(m);
      visits += (2U << fuel) - 1;
      stale += (2U << fuel) - 2;
      if (!mine.empty()) {
        engine_->send(mine[d.below(static_cast<unsigned>(mine.size()))], visit{3, {}});
        ++stale;
      }
    }
    const std::lock_guard lock(books_);
    gone_next_[thread] = std::move(born);
    stale_ += stale;
    visits_ += visits;
    payments_ += payments;
    committed_ += committed;
  }

 public:
  // REQUIRES: the engine is idle. From now on the mayflies of the last burst are written to: they have ended.
  void bury() {
    for (unsigned t = 0; t < threads; ++t) gone_[t] = std::exchange(gone_next_[t], {});
  }

 private:
  engine* engine_;
  running_threads side_by_side_;
  std::vector<ledger> ledgers_;
  audience all_;
  std::vector<ref<writer>> classic_;
  std::vector<ref<author>> ordered_;
  std::vector<ref<account>> bank_;
  std::array<std::vector<ref<mayfly>>, threads> gone_, gone_next_;
  cash cash_;
  statistics before_;
  expected_counts expected_;
  std::mutex books_;
  unsigned written_ = 0;
  unsigned writers_ = 0;
  std::uint64_t stale_ = 0, visits_ = 0, payments_ = 0, committed_ = 0;  // of this burst
  std::uint64_t payments_all_ = 0;                                       // that must have committed
};

}  // namespace tact::stress
