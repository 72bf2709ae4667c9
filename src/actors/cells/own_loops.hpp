// The event loops that one thread has made: it runs them while it waits in a destructor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "actors/common/gate.hpp"
#include "dispatch/visitors/loop_bell.hpp"
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

  // Runs what waits in a loop. False: something is left, for which the bell does not ring.
  using runs = bool (*)(const detail::loop_place& loop, detail::deadline until) noexcept;

  // `open(bell)` opens a loop and returns it; `run` runs what waits there. Throws what open throws, and std::bad_alloc.
  template <class Open>
  static detail::loop_place add(Open open, runs run);
  static void remove(const detail::loop_place& loop) noexcept;

  // Calls `run` for each loop. False: something is left, for which the bell does not ring.
  [[nodiscard]] bool run(detail::deadline until) noexcept;
  [[nodiscard]] loop_bell& bell() noexcept { return *bell_; }

 private:
  struct own {
    detail::loop_place place;
    runs run;
  };

  static void install(std::unique_ptr<own_loops> loops) noexcept;

  std::vector<own> all_;
  std::shared_ptr<loop_bell> bell_ = std::make_shared<loop_bell>();  // the loops' calls hold it, too
};

template <class Open>
detail::loop_place own_loops::add(Open open, runs run) {
  std::unique_ptr<own_loops> first;
  if (here() == nullptr) first = std::make_unique<own_loops>();
  own_loops& mine = first != nullptr ? *first : *here();
  mine.all_.reserve(mine.all_.size() + 1);
  const detail::loop_place opened = open(mine.bell_);
  mine.all_.push_back({opened, run});
  if (first != nullptr) install(std::move(first));
  return opened;
}

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
