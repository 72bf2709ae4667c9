// error: handler_must_return_void<deposit>
#include <coroutine>

#include "account.hpp"

struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
constexpr auto wait = [](tact::self<account>&, const deposit&) -> task { co_return; };
tact::behavior<account> b{wait, tell_balance};  // here
