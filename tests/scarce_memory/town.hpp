// A program that uses every feature, and goes on with the next one when memory was refused.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/guarded.hpp"

namespace tact::memory_tests {

using namespace tact::support;

struct add {
  long n;
};
struct sum {
  using reply = long;
};
struct fail_now {};
struct heavy_load {
  std::array<long, 40> numbers;  // boxed
};
struct watch_me {
  tact::ref<add> other;
};
struct fan_out {
  int count;
};
struct stop_now {};
struct counter
    : protocol<add, request<sum>, fail_now, heavy_load, watch_me, fan_out, stop_now, tact::ended, tact::failure> {};

struct tell_sum {
  tact::ref<request<sum>> of;
};
struct asks_and_waits : protocol<tell_sum, request<sum>> {};

// What was thrown where memory was refused; whatever else is a mistake of the library.
class attempts {
 public:
  template <class F>
  void operator()(F f) {
    try {
      f();
    } catch (const std::bad_alloc&) {
      ++refused_;
    } catch (const ask_error&) {
      ++refused_;  // the handler that was asked was refused memory
    } catch (const std::system_error&) {
      ++refused_;  // a thread that cannot be started
    }
  }
  [[nodiscard]] unsigned refused() const noexcept { return refused_; }

 private:
  unsigned refused_ = 0;
};

inline behavior<counter> count_from(long n) {
  using self_type = tact::self<counter>;
  return {
      [n, t = tracked()](self_type& self, const add& m) { self.become(count_from(n + m.n)); },
      [n](self_type& self, const request<sum>& m) { self.reply(m, n); },
      [](self_type&, const fail_now&) { throw std::runtime_error("a text that is too long for the string itself"); },
      [](self_type& self, const heavy_load& m) {
        self.send(self.ref(), add{m.numbers[0]});
        self.on_commit([t = tracked()] {});
      },
      [](self_type& self, const watch_me& m) { self.monitor(m.other); },
      [](self_type& self, const fan_out& m) {
        for (int i = 0; i < m.count; ++i) {
          const auto made = self.create(count_from(i));
          self.send(made, add{1});
          self.send(made, stop_now{});
        }
        self.ask(self.ref(), sum{}, [](tact::transaction&, long) {});
        const auto later = self.send_after(std::chrono::microseconds(10), self.ref(), add{1});
        later.cancel();
      },
      [](self_type& self, const stop_now&) { self.stop(); },
      [](self_type&, const tact::ended&) {},
      [](self_type&, const tact::failure&) {},
  };
}

struct refuses : protocol<request<sum>> {};
inline behavior<refuses> refuse_sums() {
  return {
      [](auto&, const request<sum>&) { throw std::runtime_error("a reason that is too long for the string itself"); }};
}

inline behavior<asks_and_waits> wait_for_sums() {
  using self_type = tact::self<asks_and_waits>;
  return {
      [](self_type& self, const tell_sum& m) {
        self.send(self.create(count_from(0), tact::parallel), add{self.ask(m.of, sum{})});
      },
      [](self_type& self, const request<sum>& m) { self.reply(m, 7); },
  };
}

class ledger : public tact::actor<ledger, add, fail_now> {
 public:
  void receive(tact::self<ledger>&, const add& m) { lines_.push_back(m.n); }
  void receive(tact::self<ledger>&, const fail_now&) { throw std::runtime_error("a ledger that fails"); }

 private:
  std::vector<long> lines_;
  tracked tracked_;
};

inline void use_actors(engine& e, attempts& attempt, const std::function<void()>& others_go_on) {
  const std::string long_name(40, 'l');
  for (const auto where : {detail::placement::parallel, detail::placement::ordered}) {
    attempt([&] {
      const auto a =
          where == detail::placement::parallel ? e.create(count_from(0), tact::parallel) : e.create(count_from(0));
      for (int i = 0; i < 20; ++i) attempt([&] { a | add{1}; });
      attempt([&] { a | heavy_load{}; });
      attempt([&] { a | fan_out{3}; });
      attempt([&] { a | fail_now{}; });
      attempt([&] { e.send(a, add{1}, spread); });
      attempt([&] { (void)e.try_send(a, add{1}); });
      attempt([&] { (void)e.ask(a, sum{}); });
      attempt([&] { (void)e.ask_all(std::vector{a, a, a}, sum{}); });
      attempt([&] {
        auto answer = e.ask_future(a, sum{});
        others_go_on();
        (void)answer.get();
      });
      attempt([&] {
        auto refused = e.ask_future(e.create(refuse_sums()), sum{});
        others_go_on();
        (void)refused.get();
      });
      attempt([&] { e.send_after(std::chrono::microseconds(5), a, add{1}); });
      attempt([&] { a | watch_me{e.spawn<ledger>(named(long_name))}; });
    });
  }
}

inline void use_lifetimes(engine& e, attempts& attempt) {
  attempt([&] {
    const auto l = e.spawn<ledger>(heavy);
    const auto b = e.spawn<ledger>(blocking);
    for (int i = 0; i < 5; ++i) attempt([&] { l | add{i}; });
    attempt([&] { b | add{1} | finished_msg; });
    attempt([&] { e.monitor(l, e.create(count_from(0))); });
    attempt([&] { l | fail_now{}; });
  });
  attempt([&] {
    tact::scope group(e);
    tact::scope inner(e, group);
    const auto a = inner.create(count_from(0), named("member"), tact::parallel);
    const auto b = group.create(count_from(0));
    attempt([&] { a | add{1}; });
    attempt([&] { b | fan_out{2}; });
  });
  attempt([&] {
    const auto owned = e.create(count_from(0), tact::owned, tact::parallel);
    attempt([&] { owned.ref() | add{1}; });
  });
  for (const auto policy : {when_full::reject, when_full::drop_newest, when_full::drop_oldest, when_full::hold_back}) {
    attempt([&] {
      const auto limited = e.create(count_from(0), mailbox_limit{.messages = 2, .when_full = policy});
      for (int i = 0; i < 6; ++i) attempt([&] { limited | add{1}; });
    });
  }
}

inline void use_waits_and_others(engine& e, engine& other, attempts& attempt,
                                 const std::function<void()>& others_go_on) {
  attempt([&] {
    const auto waits = e.create(wait_for_sums());
    const auto asked = e.create(count_from(3));
    attempt([&] { waits | tell_sum{asked}; });
    attempt([&] { (void)e.ask(waits, sum{}); });
  });
  attempt([&] {
    const auto queue = e.create(serializer<sum>(e.create(count_from(1))), tact::parallel);
    for (int i = 0; i < 3; ++i) attempt([&] { (void)e.ask(queue, sum{}); });
  });
  attempt([&] {
    const auto abroad = other.create(count_from(0));
    const auto here = e.create(count_from(0));
    attempt([&] { here | watch_me{abroad}; });
    others_go_on();
    attempt([&] {
      tact::with_context(tact::context().with_deadline(std::chrono::steady_clock::now() + std::chrono::hours(1)),
                         [&] { abroad | add{1}; });
    });
    attempt([&] { abroad | stop_now{}; });
    attempt([&] { abroad | add{1}; });  // a dead letter, perhaps
  });
  attempt([&] {
    const auto book = e.guard(std::vector<int>{1, 2});
    attempt([&] {
      auto size = book([](std::vector<int>& v) { return v.size(); });
      others_go_on();
      (void)size.get();
    });
  });
  attempt([&] {
    (void)e.create_group(
        [](tact::ref<counter> x, tact::ref<counter>) {
          static_cast<void>(x);
          return std::tuple{count_from(1), count_from(2)};
        },
        tact::parallel);
  });
  attempt([&] { e.set_workers(1); });
  attempt([&] { e.set_workers(2); });
}

// All features, each on its own: one that is refused leaves the next ones as they are. In a simulation `others_go_on`
// lets its threads go on, before this one waits for a future, of which that knows nothing.
inline void use_everything(engine& e, engine& other, attempts& attempt, const std::function<void()>& others_go_on) {
  use_actors(e, attempt, others_go_on);
  use_lifetimes(e, attempt);
  use_waits_and_others(e, other, attempt, others_go_on);
}

}  // namespace tact::memory_tests
