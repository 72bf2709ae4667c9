// A thread of a modelled machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiber/fiber.hpp"
#include "tools/modelled/lent_thread.hpp"
#include "tools/modelled/machine.hpp"

namespace tact::modelled {

class world;

// ready: it has its processing unit. queued: another thread has it.
enum class phase : unsigned char { ready, queued, asleep, ended };

// too_late: its deadline has come.
enum class woken : unsigned char { in_time, too_late };

inline constexpr picoseconds never = ~picoseconds{0};

struct thread_record {
  std::string name;
  std::function<void()> body;
  world* owner = nullptr;
  unsigned index = 0;
  phase now = phase::ready;
  picoseconds clock = 0;  // how far it has come; asleep: when it went to sleep
  unsigned unit = 0;
  bool is_pinned = false;
  const void* asleep_at = nullptr;
  std::uint64_t asleep_as = 0;  // sleepers are woken in this order
  picoseconds until = never;
  bool timed_out = false;
  picoseconds awake_since = 0;
  picoseconds busy = 0;
  std::uint64_t sleeps = 0;
  std::unique_ptr<lent_thread> lent;  // null: it has the objects of the thread on which the model runs
  std::uintptr_t objects = 0;
  std::optional<fiber::fiber> fiber;
};

using thread_list = std::vector<std::unique_ptr<thread_record>>;

}  // namespace tact::modelled
