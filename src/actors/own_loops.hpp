// The event loops that one thread has made: it runs them while it waits in a destructor.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dispatch/loop_bell.hpp"
#include "sync/eventcount.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::actors {

using loop_bell = dispatch::loop_bell<sync::real>;

// Thread safety: the thread's own, which has made the loops.
class own_loops {
 public:
  // Those of the calling thread; null: it has none.
  [[nodiscard]] static own_loops* here() noexcept;

  // `open(bell)` opens a loop and returns its place. Throws what open throws, and std::bad_alloc.
  template <class Open>
  static std::uint32_t add(detail::core& engine, Open open);
  static void remove(const detail::core& engine, std::uint32_t place) noexcept;

  // Runs what waits in each loop. False: something is left, for which the bell does not ring.
  [[nodiscard]] bool run(detail::deadline until) noexcept;
  [[nodiscard]] loop_bell& bell() noexcept { return *bell_; }

 private:
  struct loop {
    detail::core* engine;
    std::uint32_t place;
  };

  static void install(std::unique_ptr<own_loops> loops) noexcept;

  std::vector<loop> all_;
  std::shared_ptr<loop_bell> bell_ = std::make_shared<loop_bell>();  // the loops' calls hold it, too
};

template <class Open>
std::uint32_t own_loops::add(detail::core& engine, Open open) {
  std::unique_ptr<own_loops> first;
  if (here() == nullptr) first = std::make_unique<own_loops>();
  own_loops& mine = first != nullptr ? *first : *here();
  mine.all_.reserve(mine.all_.size() + 1);
  const std::uint32_t place = open(mine.bell_);
  mine.all_.push_back({&engine, place});
  if (first != nullptr) install(std::move(first));
  return place;
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
