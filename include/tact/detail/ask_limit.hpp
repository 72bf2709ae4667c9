// How an ask ends without an answer, as the handlers and the threads outside that ask see it.
#pragma once

#include <new>

#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::detail {

inline failure timed_out_notice() { return {failure_reason::timed_out, "the time limit of the request has passed"}; }

// Without memory the timer is not cancelled, so it goes off, and its message is a dead letter. That must not keep the
// answer from its function.
inline void cancel_limit(timer_id limit) noexcept {
  if (limit.record == nullptr) return;
  try {
    static_cast<void>(cancel_timer(limit));
  } catch (const std::bad_alloc&) {
    return;
  }
}

// The limit of what a thread outside asks, by the context in which it asks. Thread safety: one thread.
class ask_limit {
 public:
  explicit ask_limit(core& engine) : engine_(engine), id_(reserve_ask_limit(engine)) {}
  ask_limit(const ask_limit&) = delete;
  ask_limit& operator=(const ask_limit&) = delete;
  ~ask_limit() { is_set_ ? cancel_limit(id_) : forget_ask_limit(engine_, id_); }

  [[nodiscard]] timer_id id() const noexcept { return id_; }
  // From now on the customer hears when the context is over.
  void set(port customer) noexcept {
    is_set_ = true;
    set_ask_limit(engine_, id_, customer);
  }
  // Does what `set` does, and leaves it to the customer to cancel the timer.
  void set_for(port customer) noexcept {
    set(customer);
    id_ = {};
  }

 private:
  core& engine_;
  timer_id id_;
  bool is_set_ = false;
};

}  // namespace tact::detail
