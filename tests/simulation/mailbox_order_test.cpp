// Mailboxes with an order in simulations: what they promise holds in every order, whichever run throws and whichever
// memory is refused.
#include <array>
#include <optional>

#include "patterns/trouble.hpp"

namespace mailbox_order_test {

namespace {

using namespace tact::patterns_tests;
using tact::ask_error;
using tact::mailbox_limit;
using tact::simulation;
using tact::when_full;

constexpr int priorities = 3;
constexpr int senders = 3;  // two threads, and the clerk
constexpr int clerk_number = 2;

struct note {
  int sender;
  int priority;
  int number;
};
struct total {
  using reply = int;
};
struct desk : tact::protocol<note, tact::request<total>> {};

// What the desk has handled, and what must be waiting there. A simulation has one thread, so plain members do.
class books {
 public:
  explicit books(simulation& sim) noexcept : sim_(sim) {}

  void sent(const note& m) { ++waiting_[index(m.priority)]; }
  void handled(const note& m, bool is_lossy) {
    int& last = last_[index(m.sender)][index(m.priority)];
    sim_.check(last < m.number, "a message has overtaken another one of its sender and its priority");
    last = m.number;
    ++handled_;
    if (m.sender == clerk_number) return look_above(m.priority, is_lossy);
    --waiting_[index(m.priority)];
    look_above(m.priority, is_lossy);
  }
  [[nodiscard]] int handled() const noexcept { return handled_; }

 private:
  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  // A message may have begun before its thread has noted that it was sent, so a number may be negative.
  void look_above(int priority, bool is_lossy) {
    for (int p = priority + 1; p < priorities; ++p)
      sim_.check(is_lossy || waiting_[index(p)] <= 0, "a message is handled although a more urgent one waits");
  }

  simulation& sim_;
  std::array<int, priorities> waiting_{};  // of the threads
  std::array<std::array<int, priorities>, senders> last_{};
  int handled_ = 0;
};

tact::behavior<desk> open_desk(books& b, bool is_lossy) {
  return {
      [&b, is_lossy, kept = tracked()](auto&, const note& m) { b.handled(m, is_lossy); },
      [&b](auto& self, const tact::request<total>& m) { self.reply(m, b.handled()); },
  };
}

// Sends two notes for each that it gets.
struct clerk : tact::protocol<note> {};
tact::behavior<clerk> open_clerk(tact::ref<desk> to) {
  return {[to](tact::self<clerk>& self, const note& m) {
    self.send(to, note{clerk_number, m.priority, 2 * m.number - 1});
    self.send(to, note{clerk_number, (m.priority + 1) % priorities, 2 * m.number});
  }};
}

const auto by_its_priority = [](const note& m) { return m.priority; };

struct plan {
  mailbox_limit limit{};
  bool ends = false;
};

// Two threads and a clerk send notes of several priorities to a desk, and each thread asks it.
template <class Order>
void write_notes(simulation& sim, const trouble& t, const plan& p, const Order& order) {
  books b(sim);
  auto& engine = sim.engine(quiet_options(2));
  const bool is_lossy = p.limit || p.ends;
  auto last_owner = engine.create(open_desk(b, is_lossy), p.limit, tact::owned, order);
  const auto to = last_owner.ref();
  const auto c = engine.create(open_clerk(to));
  t.begin();
  int sent = 0;
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&, to, c, thread] {
      for (int i = 1; i <= 4; ++i) {
        const note mine{thread, (i * (thread + 1)) % priorities, i};
        t.tries([&] {
          engine.send(to, mine);
          b.sent(mine);
          ++sent;
        });
        if (thread == 0) {
          t.tries([&] {
            engine.send(c, mine);
            sent += 2;
          });
        }
      }
      t.tries([&] {
        try {
          sim.check(engine.ask(to, total{}, std::chrono::hours(1)).has_value(), "an asker does not hear");
        } catch (const ask_error&) {
          sim.check(is_lossy || !t.is_none(), "an ask failed, and nothing has gone wrong");
        }
      });
    });
  }
  if (p.ends) {
    sim.start_thread(
        [last_owner = std::make_shared<decltype(last_owner)>(std::move(last_owner))] { *last_owner = {}; });
  }
  sim.run();
  engine.wait_idle();
  const tact::statistics s = engine.statistics();
  sim.check(s.in_flight() == 0, "something is in flight");
  sim.check(s.messages_sent == s.commits + s.failures + s.dead_letters, "a message is not accounted for");
  for (const auto& d : engine.fullest_mailboxes()) sim.check(d.messages == 0 && d.bytes == 0, "the count has drifted");
  if (t.is_none() && !p.ends) {
    sim.check(b.handled() + static_cast<int>(s.refused) >= sent, "a note was lost uncounted");
    sim.check(p.limit || b.handled() == sent, "a note was lost, or handled twice");
  }
  sim.end();
}

constexpr when_full policies[] = {when_full::reject, when_full::drop_newest, when_full::drop_oldest,
                                  when_full::hold_back};

}  // namespace

TEST_CASE("simulation: an ordered mailbox keeps its promises in every order, whatever fails",
          "[law1][law4][law5][law8]") {
  require_whatever_fails(
      [](simulation& sim, const trouble& t) { write_notes(sim, t, {}, tact::by_priority(by_its_priority)); });
}

TEST_CASE("simulation: an ordered mailbox with a limit keeps its promises in every order, whatever fails",
          "[law1][law4][law5][law8]") {
  for (const when_full policy : policies) {
    require_whatever_fails(
        [policy](simulation& sim, const trouble& t) {
          write_notes(sim, t, {{.messages = 2, .when_full = policy}}, tact::by_priority(by_its_priority));
        },
        250, 5);
  }
}

TEST_CASE(
    "simulation: an actor that ends with a full ordered mailbox leaves dead letters, in every order, whatever "
    "fails",
    "[law8][law13]") {
  require_whatever_fails([](simulation& sim, const trouble& t) {
    write_notes(sim, t, {.ends = true}, tact::by_priority(by_its_priority));
  });
}

TEST_CASE("simulation: an order by deadline holds in every order", "[law5]") {
  bool has_come = false;
  const auto earlier = [](const note& m) {
    return std::chrono::steady_clock::time_point(-std::chrono::seconds(m.priority));
  };
  const auto p = [=](simulation& sim, const trouble& t) { write_notes(sim, t, {}, tact::by_deadline(earlier)); };
  require_holds(scaled(1'000), trouble::kind::none, 0, p, has_come);
}

// -- planted faults: orders that are not what they say

TEST_CASE("simulation: an order that is not stable is found", "[law5][planted]") {
  require_found([](simulation& sim, const trouble& t) {
    write_notes(sim, t, {}, tact::by_priority([](const note& m) { return 100 * m.priority + m.number; }));
  });
}

TEST_CASE("simulation: a mailbox that hands out the oldest message is found", "[planted]") {
  require_found([](simulation& sim, const trouble& t) {
    write_notes(sim, t, {}, tact::by_priority([](const note&) { return 0; }));
  });
}

}  // namespace mailbox_order_test
