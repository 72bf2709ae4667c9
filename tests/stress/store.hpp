// An actor whose mailbox has a limit, an order or both, under load from threads and from other actors.
#pragma once

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/engine_fixture.hpp"

namespace tact::store_tests {

using namespace tact::support;

inline constexpr int priorities = 4;

struct item {
  int sender;
  int number;
  int priority = 0;
};
struct wait_at {
  door* where;
  std::atomic<bool>* here;
};
struct query {
  using reply = int;
};
struct store : protocol<wait_at, item, request<query>> {};

inline constexpr auto by_its_priority = [](const item& m) { return m.priority; };

// What an ordered actor has handled of each sender, and of each of its priorities.
struct books {
  explicit books(unsigned senders) : last(senders * priorities, 0), count(senders, 0) {}
  void note(const item& m) {
    int& before = last[static_cast<std::size_t>(m.sender * priorities + m.priority)];
    in_order = in_order && m.number > before;
    before = m.number;
    ++count[static_cast<std::size_t>(m.sender)];
  }
  [[nodiscard]] int all() const {
    int sum = 0;
    for (const int n : count) sum += n;
    return sum;
  }

  std::vector<int> last;
  std::vector<int> count;
  bool in_order = true;
};

template <class Note>
behavior<store> open_store(Note note) {
  return {
      [](auto&, const wait_at& m) {
        *m.here = true;
        m.where->pass();
      },
      [note](auto&, const item& m) { note(m); },
      [](auto& self, const request<query>& m) { self.reply(m, 42); },
  };
}
inline behavior<store> open_store(books& b) {
  return open_store([&b](const item& m) { b.note(m); });
}

// Returns when the actor's handler waits at this door, and what is sent now waits behind it.
inline void let_wait(engine& e, ref<store> to, door& gate) {
  std::atomic<bool> here{false};
  e.send(to, wait_at{&gate, &here});
  while (!here) std::this_thread::yield();
}

// Sends on what it gets, each twice, or throws.
struct relay : protocol<item> {};
inline behavior<relay> open_relay(ref<store> to) {
  return {[to](tact::self<relay>& self, const item& m) {
    self.send(to, item{m.sender, 2 * m.number - 1, m.priority});
    self.send(to, item{m.sender, 2 * m.number, m.priority});
    if (m.number % 7 == 0) throw std::runtime_error("thrown on purpose");
  }};
}

// What came of the sends of several threads, which send in every way and look how much waits.
class load {
 public:
  // `levels`: how many priorities the messages have, at most as many as there are.
  load(engine& e, ref<store> to, const mailbox_limit& limit, int levels)
      : engine_(e), to_(to), limit_(limit), levels_(levels) {
    for (unsigned i = 0; i < threads; ++i) relays_.push_back(e.create(open_relay(to)));
  }
  // Of each thread, and of its relay.
  static constexpr unsigned threads = 3;
  static constexpr unsigned senders = 2 * threads;

  void send(int each) {
    on_threads(threads, [&](unsigned who) {
      for (int i = 1; i <= each; ++i) send_one(static_cast<int>(who), i);
    });
    const int thrown = each / 35;
    sent += static_cast<int>(threads) * (each + 2 * (each / 5 - thrown)) - not_sent;
  }

  int sent = 0;
  std::atomic<int> asks_refused{0};
  std::atomic<int> wrong{0};  // answers
  std::atomic<std::uint64_t> most_waiting{0};

 private:
  [[nodiscard]] bool may_lose() const { return limit_ && limit_.when_full != when_full::hold_back; }
  void send_one(int who, int i) {
    const item mine{who, i, i % levels_};
    if (i % 3 == 0) {
      not_sent += engine_.try_send(to_, mine) == send_result::full;
    } else {
      engine_.send(to_, mine);
    }
    if (i % 5 == 0)
      engine_.send(relays_[static_cast<std::size_t>(who)], item{static_cast<int>(threads) + who, i, i % levels_});
    if (i % 100 == 0 && may_lose()) {
      const auto waiting = engine_.fullest_mailboxes(1).front().messages;
      if (waiting > most_waiting) most_waiting = waiting;
    }
    if (i % 500 == 0) ask();
  }
  // A request has priority 0, and may be lost where messages are; its asker always hears.
  void ask() {
    try {
      wrong += engine_.ask(to_, query{}) != 42;
    } catch (const ask_error& e) {
      wrong += !may_lose() || e.reason() != failure_reason::mailbox_full;
      ++asks_refused;
    }
  }

  engine& engine_;
  const ref<store> to_;
  const mailbox_limit limit_;
  const int levels_;
  std::vector<ref<relay>> relays_;
  std::atomic<int> not_sent{0};
};

// Each message is handled, in the order of its sender among those of its priority, or counted as lost; the mailbox
// keeps its limit, and is empty at last. `levels`: of the messages; `tags`: of the actor.
template <class... Tags>
void require_all_counted(unsigned workers, const mailbox_limit& limit, int levels, Tags... tags) {
  auto options = quiet_options(workers);
  options.dead_letters_kept = 0;
  books b(load::senders);
  engine e(options);
  const auto to = e.create(open_store(b), limit, tags...);
  load l(e, to, limit, levels);
  l.send(scaled(3'000));
  require_idle(e);
  const auto s = e.statistics();
  CHECK(b.in_order);
  CHECK(l.wrong == 0);
  CHECK(b.all() + static_cast<int>(s.refused) == l.sent + l.asks_refused);
  CHECK(s.dead_letters == s.refused);
  // A thread that makes room has its own message, which is not in yet, and one that is out and still counted.
  CHECK(l.most_waiting <= 50 + (limit.when_full == when_full::drop_oldest ? 2 * (load::threads + workers) : 0));
  if (!limit || limit.when_full == when_full::hold_back) CHECK(s.refused == 0);
  const auto depth = e.fullest_mailboxes(1).front();
  CHECK(depth.messages == 0);
  CHECK(depth.bytes == 0);
  CHECK(depth.refused == s.refused);
  CHECK(e.ask(to, query{}) == 42);
}

}  // namespace tact::store_tests
