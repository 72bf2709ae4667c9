// What was asked in the contexts of one flag: whom to tell when the flag is set. docs/protocols/ask_limit.md.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sync/mutex.hpp"
#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::detail {

// An ask is ended by the thread that cancels its timer. So one that was answered, or was never asked because its run
// did not commit, is here as well and does no harm; now and then such asks are thrown out. Thread safety: any thread.
class cancelled_asks {
 public:
  // Throws std::bad_alloc.
  void add(timer_id limit);
  // All of them; none is left.
  [[nodiscard]] std::vector<timer_id> take() noexcept;

 private:
  sync::mutex mutex_;
  std::vector<timer_id> all_;  // guarded by mutex_
  // With so many, those that are over are looked for. It is twice what was left then, so each costs a constant.
  std::size_t look_at_ = 16;
};

// Why an ask in this context fails now; nothing if the context is not over.
[[nodiscard]] std::optional<failure> why_over(const context_node& c) noexcept;

// -- for threads and runs that ask in the context `c`
[[nodiscard]] bool has_flag_set(const context_node& c) noexcept;
// Notes the ask with each flag of the context. Throws std::bad_alloc.
void note_ask(const context_node& c, timer_id limit);
// Called behind the call that sets the timer: ends the ask if a flag was set meanwhile.
void end_if_over(const context_node& c, timer_id limit) noexcept;

}  // namespace tact::detail
