// Fibers and their stacks.
#include "fiber/fiber.hpp"

#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace fiber_test {

namespace {

using tact::fiber::fiber;
using tact::fiber::stack_pool;

constexpr std::size_t stack_bytes = 64 * 1024;

// A compiler may ask for the thread once per function, and a function that switches may come back on another.
[[gnu::noinline]] std::thread::id this_thread() {
  asm volatile("");
  return std::this_thread::get_id();
}

// A fiber that runs `body` and goes back to `home`, which may differ from visit to visit.
template <class Body>
struct visitor {
  fiber* home = nullptr;
  Body body;
  fiber* self = nullptr;
  static void run(void* argument) {
    auto& v = *static_cast<visitor*>(argument);
    v.body(v);
    v.self->leave(*v.home);
  }
  void pause() { self->switch_to(*home); }
};
template <class Body>
visitor(fiber*, Body) -> visitor<Body>;

// Walks from thread to thread, and looks after each step whether its stack is as it left it.
constexpr int visits = 50;
struct walker {
  fiber* home = nullptr;
  fiber* self = nullptr;
  int visited = 0;
  bool intact = true, over = false;
  static void run(void* argument) {
    auto& w = *static_cast<walker*>(argument);
    char on_stack[256];
    for (int n = 0; n < visits; ++n) {
      std::memset(on_stack, n, sizeof on_stack);
      w.self->switch_to(*w.home);
      ++w.visited;
      for (const char c : on_stack) w.intact = w.intact && c == static_cast<char>(n);
    }
    w.over = true;
    w.self->leave(*w.home);
  }
};

}  // namespace

TEST_CASE("fiber: runs when switched to, goes on where it left", "[fiber]") {
  stack_pool stacks(stack_bytes, 4);
  const auto s = stacks.take();
  {
    fiber here;
    std::vector<int> steps;
    visitor v{&here, [&](auto& me) {
                steps.push_back(1);
                me.pause();
                steps.push_back(3);
              }};
    fiber there(s, &decltype(v)::run, &v);
    v.self = &there;
    here.switch_to(there);
    steps.push_back(2);
    here.switch_to(there);
    REQUIRE(steps == std::vector<int>{1, 2, 3});
  }
  stacks.give(s);
  REQUIRE(stacks.in_use() == 0);
}

TEST_CASE("fiber: an exception caught and kept on one stack does not show on another", "[fiber]") {
  stack_pool stacks(stack_bytes, 4);
  const auto s = stacks.take();
  {
    fiber here;
    std::string inside;
    bool seen_outside = true, seen_at_start = true;
    visitor v{&here, [&](auto& me) {
                seen_at_start = std::current_exception() != nullptr;
                try {
                  throw std::runtime_error("inside");
                } catch (const std::exception&) {
                  me.pause();
                  try {
                    throw;
                  } catch (const std::exception& again) {
                    inside = again.what();
                  }
                }
              }};
    fiber there(s, &decltype(v)::run, &v);
    v.self = &there;
    try {
      throw std::logic_error("outside");
    } catch (const std::exception&) {
      here.switch_to(there);
    }
    seen_outside = std::current_exception() != nullptr;
    here.switch_to(there);
    REQUIRE_FALSE(seen_at_start);
    REQUIRE_FALSE(seen_outside);
    REQUIRE(inside == "inside");
  }
  stacks.give(s);
}

TEST_CASE("fiber: one that has left for good can be begun anew, as often as one likes", "[fiber]") {
  stack_pool stacks(stack_bytes, 4);
  const auto s = stacks.take();
  {
    fiber here;
    int runs = 0;
    bool clean = true;
    visitor v{&here, [&](auto& me) {
                clean = clean && std::current_exception() == nullptr && std::uncaught_exceptions() == 0;
                ++runs;
                try {
                  throw runs;
                } catch (int) {
                }
                me.pause();
                me.self->leave(here);  // in the midst of it: nothing is unwound
              }};
    fiber there(s, &decltype(v)::run, &v);
    v.self = &there;
    for (int n = 1; n <= 1000; ++n) {
      here.switch_to(there);
      REQUIRE(runs == n);
      here.switch_to(there);
      there.begin_anew();
    }
    CHECK(clean);
    CHECK(std::current_exception() == nullptr);
  }
  stacks.give(s);
}

TEST_CASE("fiber: who looks up the thread's exceptions once can switch many times, and sees whether there are any",
          "[fiber]") {
  stack_pool stacks(stack_bytes, 4);
  const auto s = stacks.take();
  {
    fiber here;
    const auto place = tact::fiber::exception_place::of_this_thread();
    bool none_there = true;
    visitor v{&here, [&](auto& me) {
                for (int n = 0; n < 20; ++n) {
                  none_there = none_there && !place.holds_any();
                  me.self->switch_to(here, place);
                }
              }};
    fiber there(s, &decltype(v)::run, &v);
    v.self = &there;
    CHECK_FALSE(place.holds_any());
    for (int n = 0; n < 10; ++n) {
      try {
        throw n;
      } catch (int caught) {
        here.switch_to(there, place);
        CHECK(place.holds_any());
        CHECK(caught == n);
      }
      here.switch_to(there, place);
      CHECK_FALSE(place.holds_any());
    }
    CHECK(none_there);
  }
  stacks.give(s);
}

TEST_CASE("fiber: may be resumed on another thread", "[fiber]") {
  stack_pool stacks(stack_bytes, 4);
  const auto s = stacks.take();
  {
    std::vector<std::thread::id> ran_on;
    visitor v{nullptr, [&](auto& me) {
                ran_on.push_back(this_thread());
                me.pause();
                ran_on.push_back(this_thread());
              }};
    fiber there(s, &decltype(v)::run, &v);
    v.self = &there;
    const auto visit = [&] {
      fiber here;
      v.home = &here;
      here.switch_to(there);
    };
    std::thread(visit).join();
    visit();
    REQUIRE(ran_on.size() == 2);
    REQUIRE(ran_on[0] != ran_on[1]);
    REQUIRE(ran_on[1] == this_thread());
  }
  stacks.give(s);
}

TEST_CASE("fiber: many fibers handed round between threads keep their stacks", "[fiber]") {
  constexpr int fibers = 64;
  stack_pool stacks(stack_bytes, fibers);
  std::vector<walker> walkers(fibers);
  std::vector<std::unique_ptr<fiber>> all;
  std::vector<walker*> waiting;
  for (walker& w : walkers) {
    all.push_back(std::make_unique<fiber>(stacks.take(), &walker::run, &w));
    w.self = all.back().get();
    waiting.push_back(&w);
  }
  std::mutex mutex;
  const auto serve = [&] {
    fiber here;
    for (;;) {
      walker* w = nullptr;
      {
        const std::lock_guard guard(mutex);
        if (waiting.empty()) return;
        w = waiting.back();
        waiting.pop_back();
      }
      w->home = &here;
      here.switch_to(*w->self);
      const std::lock_guard guard(mutex);
      if (!w->over) waiting.insert(waiting.begin(), w);
    }
  };
  std::thread other(serve);
  serve();
  other.join();
  for (auto& f : all) {
    const auto s = f->own_stack();
    f.reset();
    stacks.give(s);
  }
  REQUIRE(stacks.in_use() == 0);
  for (const walker& w : walkers) {
    REQUIRE(w.over);
    REQUIRE(w.intact);
    REQUIRE(w.visited == visits);
  }
}

TEST_CASE("stack_pool: reuses the stack given back last", "[fiber]") {
  stack_pool stacks(stack_bytes, 1);
  const auto a = stacks.take();
  const auto b = stacks.take();
  REQUIRE(a.bottom != b.bottom);
  REQUIRE(a.bytes >= stack_bytes);
  REQUIRE(stacks.in_use() == 2);
  stacks.give(b);
  stacks.give(a);
  const auto again = stacks.take();
  REQUIRE(again.bottom == a.bottom);
  stacks.give(again);
}

TEST_CASE("stack_pool: keeps as many as were in use at once lately, and no more", "[fiber]") {
  constexpr std::size_t many = 40;
  constexpr std::size_t kept = 3;
  stack_pool stacks(stack_bytes, kept);
  const auto take_all = [&] {
    std::vector<tact::fiber::stack> all;
    for (std::size_t i = 0; i < many; ++i) all.push_back(stacks.take());
    for (const auto s : all) stacks.give(s);
  };
  take_all();
  REQUIRE(stacks.kept() == many);
  take_all();
  REQUIRE(stacks.kept() == many);
  const auto two_at_once = [&] {
    const auto a = stacks.take();
    const auto b = stacks.take();
    stacks.give(a);
    stacks.give(b);
  };
  // Three times as long as the pool remembers.
  for (std::size_t i = 0; i < 3 * stack_pool::lately; ++i) two_at_once();
  REQUIRE(stacks.kept() == kept);
  stacks.trim();
  REQUIRE(stacks.kept() == 0);
}

}  // namespace fiber_test
