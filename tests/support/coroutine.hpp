// The plainest coroutine of a user: it begins at once, and is gone at its end.
#pragma once

#include <coroutine>
#include <exception>

namespace tact::support {

struct coroutine {
  struct promise_type {
    coroutine get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;  // to be destroyed while it is suspended
};

}  // namespace tact::support
