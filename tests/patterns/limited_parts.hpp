// What the tests of parts that have a mailbox_limit share: the tags with which a part is created, what uses it, and the
// check that afterwards nobody waits and nothing is left.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "patterns/trouble.hpp"
#include "tact/patterns.hpp"

namespace tact::limited_parts {

using namespace tact::patterns_tests;
using namespace std::chrono_literals;

enum class place : unsigned char { ordered, parallel, heavy, blocking };
enum class order : unsigned char { as_they_come, by_priority, by_deadline };

// The tags of a creation.
struct setting {
  mailbox_limit limit;
  place where = place::ordered;
  order rank = order::as_they_come;

  [[nodiscard]] std::string text() const {
    constexpr const char* policies[] = {"reject", "drop_newest", "drop_oldest", "hold_back"};
    constexpr const char* places[] = {"ordered", "parallel", "heavy", "blocking"};
    constexpr const char* orders[] = {"as they come", "by priority", "by deadline"};
    return std::to_string(limit.messages) + " messages, " + policies[static_cast<int>(limit.when_full)] + ", " +
           places[static_cast<int>(where)] + ", " + orders[static_cast<int>(rank)];
  }
};

inline std::vector<setting> all_settings() {
  std::vector<setting> all;
  for (const auto policy : {when_full::reject, when_full::drop_newest, when_full::drop_oldest, when_full::hold_back}) {
    for (const std::uint64_t messages : {1U, 2U, 3U}) {
      const mailbox_limit limit{.messages = messages, .when_full = policy};
      all.push_back({limit, place::parallel});
      for (const place where : {place::ordered, place::heavy, place::blocking}) {
        for (const order rank : {order::as_they_come, order::by_priority, order::by_deadline})
          all.push_back({limit, where, rank});
      }
    }
  }
  return all;
}

struct question {
  using reply = int;
  int number = 1;
  friend bool operator<(const question& a, const question& b) { return a.number < b.number; }
};
struct word {
  int number = 1;
};
using service = ref<request<question>>;

template <class R>
struct hearer : protocol<R, failure> {};

// One simulation: its engine, and the actors that stand around the part.
class world {
 public:
  world(simulation& sim, const setting& s)
      : sim(sim),
        engine(sim.engine(options())),
        how(s),
        silent_(helper(behavior<request<question>>{[](auto& self, const request<question>& m) { self.defer(m); }})) {}
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  // The part, with the tags of the setting.
  template <class P>
  ref<P> part(behavior<P> b) {
    return keep(create(std::move(b)));
  }
  // Another actor, which lives as long as the world.
  template <class P>
  ref<P> helper(behavior<P> b) {
    return keep(engine.create(std::move(b), owned));
  }
  // A service that answers each question with its number.
  tact::limited_parts::service service() { return helper(answers()); }
  static behavior<request<question>> answers() {
    return {[t = tracked()](auto& self, const request<question>& m) { self.reply(m, m.body.number); }};
  }
  // An actor that counts what it is sent.
  template <class M>
  ref<M> counts(const std::shared_ptr<int>& came) {
    return helper(behavior<M>{[came](auto&, const M&) { ++*came; }});
  }
  template <class P>
  ref<P> keep(owner<P> o) {
    const auto kept = std::make_shared<owner<P>>(std::move(o));
    ends_.push_back([kept] { kept->reset(); });
    return kept->ref();
  }
  // Lets the thread sleep until timers of the part are due: half of the time that parts here wait for something.
  void pause() { (void)engine.ask(silent_, question{}, 500ms); }
  // A function that ends the helper that was made last.
  [[nodiscard]] std::function<void()> end_of_last() const { return ends_.back(); }
  void end_all() {
    for (; !ends_.empty(); ends_.pop_back()) ends_.back()();
  }

  simulation& sim;
  tact::engine& engine;
  const setting how;
  int owed = 0;   // answers to requests of the clerk
  int heard = 0;  // of those

 private:
  static engine_options options() {
    auto o = quiet_options(2);
    o.on_dead_letter = [](const dead_letter&) {};
    o.heavy_shards = 2;
    return o;
  }
  template <class P>
  owner<P> create(behavior<P> b) {
    if (how.where == place::parallel) return engine.create(std::move(b), how.limit, owned, parallel);
    if (how.where == place::heavy) return with_order(std::move(b), heavy);
    if (how.where == place::blocking) return with_order(std::move(b), blocking);
    return with_order(std::move(b));
  }
  // The functions take every message, own words as well, if these had a rank.
  template <class P, class... Place>
  owner<P> with_order(behavior<P> b, Place... where) {
    if (how.rank == order::by_priority) {
      const auto requests_first = []<class M>(const M&) { return detail::has_customer<M> ? 1 : 0; };
      return engine.create(std::move(b), how.limit, owned, by_priority(requests_first), where...);
    }
    if (how.rank == order::by_deadline) {
      const auto at_once = [](const auto&) { return std::chrono::steady_clock::time_point(); };
      return engine.create(std::move(b), how.limit, owned, by_deadline(at_once), where...);
    }
    return engine.create(std::move(b), how.limit, owned, where...);
  }

  std::vector<std::function<void()>> ends_{};
  const tact::limited_parts::service silent_;
};

// How a part is used.
struct use {
  std::function<void()> by_thread{};               // returns when the use is over; what is refused is over
  std::function<void(transaction&)> by_handler{};  // sends what a use begins with
  std::function<std::string()> later{};            // when nothing waits: what does not work; empty: all does
  std::function<void()> event = [] {};             // something that happens meanwhile, in a thread
  std::chrono::nanoseconds time = 1min;            // after which each use is over
};

// Asks the part; `then(how to send, answer)` is done with each answer.
template <class P, class Q, class Then>
use asking(world& w, ref<P> to, Q q, Then then) {
  using R = typename request<Q>::reply;
  const auto customer = w.helper(behavior<hearer<R>>{
      [&w, then](transaction& tx, const R& answer) {
        ++w.heard;
        then(tx, answer);
      },
      [&w](transaction&, const failure&) { ++w.heard; },
  });
  use u;
  const auto ask = [&w, to, q, then]() -> std::string {
    try {
      const auto answer = w.engine.ask(to, q, 1h);
      if (!answer) return "a request waits for ever";
      if constexpr (std::is_same_v<R, done>) {
        then(w.engine, done());
      } else {
        then(w.engine, *answer);
      }
      return "";
    } catch (const ask_error& e) {
      return e.what();
    }
  };
  u.by_thread = [ask] { (void)ask(); };
  u.by_handler = [&w, to, q, customer](transaction& tx) {
    ++w.owed;
    tx.send(to, request<Q>{customer, q});
  };
  u.later = ask;
  return u;
}
template <class P, class Q>
use asking(world& w, ref<P> to, Q q) {
  return asking(w, to, q, [](auto&&, const auto&) {});
}

// Sends messages through the part; each adds to *came.
template <class P, class Make>
use sending(world& w, ref<P> to, const std::shared_ptr<int>& came, Make make) {
  use u;
  u.by_thread = [&w, to, make] { w.engine.send(to, make()); };
  u.by_handler = [to, make](transaction& tx) { tx.send(to, make()); };
  u.later = [&w, to, came, make] {
    const int before = *came;
    w.engine.send(to, make());
    w.sim.advance(1min);
    return *came > before ? "" : "a later message does not arrive";
  };
  return u;
}
template <class P>
use sending_words(world& w, ref<P> to, const std::shared_ptr<int>& came) {
  return sending(w, to, came, [] { return word{}; });
}

// Two threads and a handler use the part at once; then nobody waits, one more use works, and nothing is left.
inline void use_under_pressure(simulation& sim, const setting& s, const std::function<use(world&)>& make) {
  const auto kept = std::make_shared<world>(sim, s);
  world& w = *kept;
  const use u = make(w);
  const auto clerk = w.helper(behavior<word>{[u](auto& self, const word&) { u.by_handler(self); }});
  sim.run();
  int over = 0;
  for (int thread = 0; thread < 2; ++thread) {
    sim.start_thread([&w, &over, u, clerk, thread] {
      for (int i = 0; i < 3; ++i) {
        if (thread == 1) w.engine.send(clerk, word{});
        u.by_thread();
        ++over;
        w.pause();
      }
    });
  }
  sim.start_thread(u.event);
  sim.run();
  sim.advance(u.time);
  sim.check(over == 6, "a thread waits for ever (" + s.text() + ")");
  sim.check(w.heard == w.owed, "a customer was not told, or twice (" + s.text() + ")");
  for (int i = 0; i < 2; ++i) {
    const std::string wrong = u.later();
    sim.check(wrong.empty(), "later: " + wrong + " (" + s.text() + ")");
  }
  w.end_all();
  sim.advance(u.time);
  const statistics now = w.engine.statistics();
  sim.check(now.actors_alive == 0, "an actor is left (" + s.text() + ")");
  sim.check(now.in_flight() == 0, "a message is left (" + s.text() + ")");
  for (const auto& d : w.engine.fullest_mailboxes())
    sim.check(d.messages == 0, "the count of a mailbox has drifted (" + s.text() + ")");
  sim.end();
}

}  // namespace tact::limited_parts
