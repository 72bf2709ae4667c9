// What tests of patterns share: a program that goes on whichever run throws, and whichever memory is refused.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <string>

#include "support/engine_fixture.hpp"
#include "tact/simulation.hpp"

namespace tact::patterns_tests {

using namespace tact::support;

// What goes wrong once in a simulation. The program calls begin() when its actors are made.
class trouble {
 public:
  enum class kind : unsigned char { none, throws, no_memory };

  trouble(simulation& sim, kind what, std::uint64_t nth) noexcept : sim_(sim), what_(what), nth_(nth) {}

  void begin() const noexcept {
    if (what_ == kind::throws) sim_.throw_at(nth_);
    if (what_ == kind::no_memory) sim_.fail_allocation(nth_);
  }
  // True when it has happened.
  [[nodiscard]] bool has_come() const noexcept { return sim_.has_thrown() || sim_.has_failed_allocation(); }
  // True when nothing goes wrong in this simulation: then everything must be as if nothing could.
  [[nodiscard]] bool is_none() const noexcept { return what_ == kind::none; }
  // Does what the program does on a thread of its own, where memory may be refused to itself; false: it was refused.
  template <class F>
  bool tries(F&& f) const {
    try {
      std::forward<F>(f)();
      return true;
    } catch (const std::bad_alloc&) {
      sim_.check(what_ == kind::no_memory, "memory was refused, but not by this test");
      return false;
    }
  }

 private:
  simulation& sim_;
  kind what_;
  std::uint64_t nth_;
};

using program = std::function<void(simulation&, const trouble&)>;

inline void require_holds(int seeds, trouble::kind what, std::uint64_t nth, const program& p, bool& has_come) {
  TACT_SEEDED(seed);
  const nothing_left left;
  const auto e = explore(static_cast<std::uint64_t>(seeds),
                         [&](simulation& sim) {
                           const trouble t(sim, what, nth);
                           p(sim, t);
                           has_come = has_come || t.has_come();
                         },
                         {.seed = seed, .shrinking_runs = 50, .prints = false});
  INFO((what == trouble::kind::throws ? "run " : "piece of memory ") << nth << " fails; 0: none");
  INFO(e.text());
  REQUIRE(!e.failed);
}

// The program holds in some hundred orders, and then, in several orders each, whichever of its runs throws, and
// whichever piece of memory is refused: the first, the second, until it has no more of them.
inline void require_whatever_fails(const program& p, int seeds = 300, int seeds_each = 8) {
  bool has_come = false;
  // All threads of a simulation are one, so that ThreadSanitizer has no race to find in it.
  if (base::under_tsan) return require_holds(seeds_each, trouble::kind::none, 0, p, has_come);
  require_holds(scaled(seeds), trouble::kind::none, 0, p, has_come);
  for (const auto what : {trouble::kind::throws, trouble::kind::no_memory}) {
    std::uint64_t nth = 0;
    do {
      has_come = false;
      require_holds(scaled(seeds_each), what, ++nth, p, has_come);
      if (!has_come) require_holds(seeds_each, what, nth, p, has_come);  // in few orders it may not have come to it
    } while (has_come);
    REQUIRE(nth > 1);  // something of it can fail
  }
}

// A program that has failed leaves threads that never go on, and with their stacks what lies there. So tracked objects
// are counted as before.
class leaves_stacks {
 public:
  leaves_stacks() = default;
  leaves_stacks(const leaves_stacks&) = delete;
  leaves_stacks& operator=(const leaves_stacks&) = delete;
  ~leaves_stacks() { tracked::alive = before_; }

 private:
  const long before_ = tracked::alive;
};

// Some order shows that a pattern with a planted fault breaks its promise.
inline void require_found(const program& p, int seeds = 2'000) {
  TACT_SEEDED(seed);
  const leaves_stacks here;
  const auto e =
      explore(static_cast<std::uint64_t>(seeds), [&](simulation& sim) { p(sim, trouble(sim, trouble::kind::none, 0)); },
              {.seed = seed, .shrinking_runs = 0, .prints = false});
  CHECK(e.failed);
}
// The same for a fault that shows only where a run throws or memory is refused.
inline void require_found_when_it_fails(const program& p, int seeds_each = 20) {
  TACT_SEEDED(seed);
  const leaves_stacks here;
  bool found = false;
  for (const auto what : {trouble::kind::throws, trouble::kind::no_memory}) {
    bool has_come = true;
    for (std::uint64_t nth = 1; has_come && !found; ++nth) {
      has_come = false;
      found = explore(static_cast<std::uint64_t>(seeds_each),
                      [&](simulation& sim) {
                        const trouble t(sim, what, nth);
                        p(sim, t);
                        has_come = has_come || t.has_come();
                      },
                      {.seed = seed, .shrinking_runs = 0, .prints = false})
                  .failed;
    }
  }
  CHECK(found);
}

// Each of two threads asks twice through `gate`, and `is_right(answer, item)` says whether the answer is. All asks end.
template <class Gate, class Query, class IsRight>
void ask_through(simulation& sim, const trouble& t, engine& e, Gate gate, Query query, IsRight is_right) {
  const auto alive = e.statistics().actors_alive;
  for (int item = 1; item <= 2; ++item) {
    sim.start_thread([&sim, &e, t, gate, query, is_right, item] {
      for (int i = 0; i < 2; ++i) {
        t.tries([&] {
          try {
            const auto answer = e.ask(gate, query(item), std::chrono::hours(1));
            sim.check(answer.has_value(), "an ask does not end");
            sim.check(!answer || is_right(*answer, item), "a wrong answer");
          } catch (const ask_error& error) {
            sim.check(!t.is_none() || is_right(error), "an ask failed, and nothing has gone wrong");
          }
        });
      }
    });
  }
  sim.run();
  sim.check(e.statistics().actors_alive == alive, "an actor is left");
  sim.end();
}

}  // namespace tact::patterns_tests
