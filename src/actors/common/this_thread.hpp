// What the calling thread is to the engines: a worker in a handler, a worker outside of one, or a thread outside.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::actors::this_thread {

// worker: the run of the worker that this thread is; null on a thread outside. handler: the same while the worker runs
// messages; null in callbacks.
[[nodiscard]] detail::run* worker() noexcept;
[[nodiscard]] detail::run* handler() noexcept;
void set_worker(detail::run* r) noexcept;
void set_handler(detail::run* r) noexcept;

// While one lives, user code that a worker calls is no handler: what it sends is not part of a transaction.
class callback {
 public:
  callback() noexcept;
  ~callback();
  callback(const callback&) = delete;
  callback& operator=(const callback&) = delete;

 private:
  detail::run* const was_;
};

}  // namespace tact::actors::this_thread
