// A thread of a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiber/fiber.hpp"
#include "sync/system.hpp"
#include "sync/thread_state.hpp"

namespace tact::simulated {

class scheduler;

enum class phase : unsigned char { runnable, asleep, resting, ended };

// too_late: its deadline has come, or all waits are over.
enum class woken : unsigned char { in_time, too_late };

// What a scheduler keeps of one of its threads; the scheduler says how the phases follow each other. Thread safety: the
// real thread.
struct thread_record {
  // Makes the thread runnable again.
  void rouse(woken w) noexcept {
    now = phase::runnable;
    timed_out = w == woken::too_late;
  }

  std::string name;
  std::function<void()> body;
  scheduler* owner = nullptr;
  unsigned index = 0;
  phase now = phase::runnable;
  const void* asleep_at = nullptr;
  sync::deadline until;
  bool timed_out = false;
  bool is_beside = false;  // a thread of the program itself, not of an engine
  std::int64_t priority = 0;
  std::uint64_t points = 0;
  sync::thread_state state;
  unsigned reserve_depth = 0;  // of base::may_use_reserve
  std::optional<fiber::fiber> fiber;
};

using thread_list = std::vector<std::unique_ptr<thread_record>>;

}  // namespace tact::simulated
