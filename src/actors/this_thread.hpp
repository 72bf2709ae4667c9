// What the calling thread is to the engines: a worker in a handler, a worker outside one, or a thread outside.
#pragma once

#include "tact/detail/core.hpp"

namespace tact::actors::this_thread {

// The worker's own run, null on threads outside; and the same while it runs messages, null in callbacks.
[[nodiscard]] detail::run* worker() noexcept;
[[nodiscard]] detail::run* handler() noexcept;
void set_worker(detail::run* r) noexcept;
void set_handler(detail::run* r) noexcept;

// While it lives, user code that is called on a worker is no handler: what it sends is not part of a transaction.
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
