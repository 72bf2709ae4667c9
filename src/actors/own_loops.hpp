// The event loops that one thread has made: it runs them while it waits in a destructor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "actors/gate.hpp"
#include "dispatch/loop_bell.hpp"
#include "sync/eventcount.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/loop_place.hpp"

namespace tact::actors {

using loop_bell = dispatch::loop_bell<sync::real>;

// Thread safety: the thread's own, which has made the loops.
class own_loops {
 public:
  // Those of the calling thread; null: it has none.
  [[nodiscard]] static own_loops* here() noexcept;

  // `open(bell)` opens a loop and returns it. Throws what open throws, and std::bad_alloc.
  template <class Open>
  static detail::loop_place add(Open open);
  static void remove(const detail::loop_place& loop) noexcept;

  // Runs what waits in each loop. False: something is left, for which the bell does not ring.
  [[nodiscard]] bool run(detail::deadline until) noexcept;
  [[nodiscard]] loop_bell& bell() noexcept { return *bell_; }

 private:
  static void install(std::unique_ptr<own_loops> loops) noexcept;

  std::vector<detail::loop_place> all_;
  std::shared_ptr<loop_bell> bell_ = std::make_shared<loop_bell>();  // the loops' calls hold it, too
};

template <class Open>
detail::loop_place own_loops::add(Open open) {
  std::unique_ptr<own_loops> first;
  if (here() == nullptr) first = std::make_unique<own_loops>();
  own_loops& mine = first != nullptr ? *first : *here();
  mine.all_.reserve(mine.all_.size() + 1);
  const detail::loop_place opened = open(mine.bell_);
  mine.all_.push_back(opened);
  if (first != nullptr) install(std::move(first));
  return opened;
}

// Keeps the engine of a loop, if it is there still.
class engine_of_loop {
 public:
  explicit engine_of_loop(const detail::loop_place& loop) noexcept;
  engine_of_loop(const engine_of_loop&) = delete;
  engine_of_loop& operator=(const engine_of_loop&) = delete;
  ~engine_of_loop();

  // Null: it has ended.
  [[nodiscard]] detail::core* get() const noexcept { return engine_; }

 private:
  engine_gate& gate_;
  detail::core* engine_;
};

// While the calling thread waits at an eventcount, its loops wake it there, and it can run them. Their actors run
// nowhere else, and what it waits for may need them.
class with_own_loops {
 public:
  explicit with_own_loops(sync::eventcount<sync::real>& waits_at) noexcept;
  with_own_loops(const with_own_loops&) = delete;
  with_own_loops& operator=(const with_own_loops&) = delete;
  ~with_own_loops();

  [[nodiscard]] bool any() const noexcept { return loops_ != nullptr; }
  // Runs messages of the loops. True: the thread may sleep at the eventcount, with a ticket from before this call.
  [[nodiscard]] bool run(detail::deadline until) noexcept { return loops_ == nullptr || loops_->run(until); }

 private:
  own_loops* const loops_;
  sync::eventcount<sync::real>* before_ = nullptr;
};

}  // namespace tact::actors
