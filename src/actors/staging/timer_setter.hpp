// The free timer records of one worker, and the timers that it sets with them.
#pragma once

#include <cstdint>

#include "actors/common/names.hpp"
#include "actors/staging/run_state.hpp"
#include "actors/time/timers.hpp"

namespace tact::actors {

// Thread safety: the thread of the run only.
class timer_setter {
 public:
  timer_setter(run_state& r, timers& all) noexcept : run_(r), all_(all), spare_(all.store()) {}

  // Called before a timer is staged or set: see timers::start.
  void start() { all_.start(); }

  [[nodiscard]] timer_record& take() { return spare_.take(); }  // throws std::bad_alloc
  [[nodiscard]] timer_record* try_take() noexcept;
  void give(timer_record& r) noexcept { spare_.give(r); }
  void trim() noexcept { spare_.trim(); }

  // Sets a timer whose payload the caller has written. REQUIRES: the record is from here.
  timer_id set(timer_record& r, port to, const message_type& type, std::int64_t due_ns) noexcept;
  // Sets timers that are complete, linked by next, so many in all.
  void set_all(timer_record& first, timer_record& last, std::int64_t earliest_ns, unsigned count) noexcept;
  // As timers::cancel, by a caller that does not wait.
  template <class End, class Give>
  [[nodiscard]] bool cancel(timer_id id, End end, Give back) noexcept {
    return all_.cancel(id, while_leaving::goes_on, end, back);
  }

 private:
  run_state& run_;
  timers& all_;
  timer_cache spare_;
  unsigned set_in_a_row_ = 0;  // timers since the service was last told to look
};

}  // namespace tact::actors
