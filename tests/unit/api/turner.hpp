// An event loop as small as it can be, and actors to make on it; for the tests of tact::loop.
#pragma once

#include <atomic>
#include <functional>

#include "support/engine_fixture.hpp"
#include "support/refusal.hpp"

namespace tact::loop_tests {

using support::dice;
using support::generous;
using support::nothing_left;
using support::quiet_options;
using support::refusal;
using support::tracked;

struct task {
  std::function<void()> what;
};
struct doer : protocol<task> {};
inline behavior<doer> do_tasks() {
  return {[](auto&, const task& m) { m.what(); }};
}

struct number {
  int value;
};
struct twice_of {
  using reply = int;
  int value;
};
struct doubler : protocol<request<twice_of>> {};
inline behavior<doubler> double_them() {
  return {[](auto& self, const request<twice_of>& m) { self.reply(m, 2 * m.body.value); }};
}

struct counter : protocol<number> {};

// An event loop as small as it can be: it sleeps until it is woken, and pumps.
class turner {
 public:
  explicit turner(engine& e) : place(e, [this] { wake(); }) {}

  void wake() {
    ++wakes;
    rung = true;
    rung.notify_one();
  }
  // Until `over()`; looked at after each pump.
  template <class Over>
  void run(Over over, std::size_t at_a_time = unlimited) {
    while (!over()) {
      rung.wait(false);
      rung = false;
      while (place.pump(at_a_time).more && !over()) {
      }
    }
    rung = true;  // what is left is looked at by the next run
  }

  std::atomic<int> wakes{0};
  std::atomic<bool> rung{false};
  tact::loop place;
};

}  // namespace tact::loop_tests
