// A question to the service of timers: which of them are due next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "sync/eventcount.hpp"
#include "sync/mutex.hpp"
#include "sync/policy.hpp"
#include "sync/system.hpp"
#include "tact/detail/core.hpp"
#include "tact/structure.hpp"

namespace tact::actors {

// Only the service may look at its wheel. It answers all threads that have asked before it looks, and looks only when
// a thread has asked, so timers cost the same whether or not anything looks at them.
class next_timers {
 public:
  struct timer {
    std::int64_t due_ns;
    detail::port to;
    const detail::message_type* type;
  };
  // Those that are due next, the first one first.
  struct list {
    std::array<timer, structure::timers_most> all;
    std::size_t count = 0;
  };

  // -- the service
  [[nodiscard]] bool is_asked() const noexcept { return answered_.load() != asked_.load(); }
  // `find()` returns a list.
  template <class F>
  void answer(F find) noexcept {
    const std::uint64_t number = asked_.load();
    const list found = find();
    {
      const std::lock_guard lock(mutex_);
      found_ = found;
    }
    answered_.store(number);
    told_.notify();
  }

  // -- other threads: they ask, wake the service, and wait. `is_over`: no answer will come.
  [[nodiscard]] std::uint64_t ask() noexcept { return asked_.fetch_add(1) + 1; }
  template <class F>
  [[nodiscard]] std::optional<list> wait(std::uint64_t number, sync::deadline until, F is_over) noexcept {
    while (answered_.load() < number) {
      const auto ticket = told_.prepare();
      if (answered_.load() >= number || is_over()) {
        told_.cancel();
        break;
      }
      if (!told_.wait(ticket, until)) break;
    }
    if (answered_.load() < number) return {};
    const std::lock_guard lock(mutex_);
    return found_;
  }
  // No answer comes any more, so that each thread looks at is_over.
  void wake_all() noexcept { told_.notify(); }

 private:
  sync::atomic<std::uint64_t> asked_{0};
  sync::atomic<std::uint64_t> answered_{0};  // written by the service
  sync::eventcount<sync::real> told_;
  sync::mutex mutex_;  // guards found_
  list found_;
};

}  // namespace tact::actors
