// async_ask: what engine.ask_async returns, an awaitable for a coroutine of the user's own.
#pragma once

#include <atomic>
#include <concepts>
#include <coroutine>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/detail/askers.hpp"
#include "tact/detail/patience.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact::detail {

// Returns the address of the asker, which the engine may tell from now on. When the call throws, the asker has been
// destroyed.
inline port make_known(core& engine, limited_asker& asker) {
  std::optional<ask_limit> by_context;
  try {
    by_context.emplace(engine);
  } catch (...) {
    asker.type->destroy(asker, allocation::finished);
    throw;
  }
  asker.limit = by_context->id();
  const port customer = create_asker(engine, asker);
  by_context->set_for(customer);
  return customer;
}

// Sends the request of an asker that is told later, and calls note(customer) before. When the call throws, the asker
// has been destroyed.
template <class P, class Q, class Note = void (*)(port) noexcept>
void ask_with(
    core& engine, ref<P> to, Q&& query, limited_asker& asker, const Note& note = [](port) noexcept {}) {
  using R = typename request<Q>::reply;
  const port customer = make_known(engine, asker);
  try {
    note(customer);
    deliver_to(to, request<Q>{access::make_ref<R>(customer), std::move(query)},
               [&](port p, const message_type& type, void* payload) {
                 (void)send(engine, p, type, payload, {.waits = false});
               });
  } catch (...) {
    if (!withdraw_asker(engine, customer)) return;  // it was told that the engine has ended
    asker.type->destroy(asker, allocation::finished);
    throw;
  }
}

// The executor of a coroutine that goes on on the thread that brings the answer.
struct on_the_spot {
  template <class F>
  void operator()(F&& f) const {
    f();
  }
};

// The state that a waiting coroutine shares with the thread that brings the answer, and with its executor.
template <class R, class Executor>
struct awaited : answer_box<R> {
  explicit awaited(Executor&& e) : executor(std::move(e)) {}

  // Resumes the coroutine, on the thread of the executor.
  void go_on() {
    if (const auto who = std::exchange(waiting, nullptr)) who.resume();
  }

  Executor executor;
  std::coroutine_handle<> waiting;  // null: the coroutine has gone on, or was destroyed
  std::atomic<bool> told{false};    // set when the answer has come; from then on the engine may be gone
  port customer = 0;
};

template <class R, class Executor>
struct resumed {
  std::shared_ptr<awaited<R, Executor>> state;

  template <class M>
  void hear(M&& m) {
    state->hear(std::forward<M>(m));
    state->told = true;
    state->executor(posted_call<awaited<R, Executor>>{state});
  }
};

// The awaitable of one ask. Thread safety: it belongs to the coroutine that awaits it, once.
template <class P, class Q, class Executor = on_the_spot>
class [[nodiscard]] async_ask {
  using R = typename request<Q>::reply;
  using state = awaited<R, Executor>;

 public:
  async_ask(core& engine, ref<P> to, Q query, Executor executor)
      : engine_(&engine), to_(to), query_(std::move(query)), state_(std::make_shared<state>(std::move(executor))) {}
  async_ask(const async_ask&) = delete;
  async_ask& operator=(const async_ask&) = delete;
  // When the waiting coroutine is destroyed, this takes back the customer of the request.
  ~async_ask() {
    if (std::exchange(state_->waiting, nullptr) == nullptr || state_->told) return;
    if (withdraw_asker(*engine_, state_->customer)) asker_->type->destroy(*asker_, allocation::finished);
  }

  // Lets the coroutine go on where `executor` calls the function that it is given.
  template <class E>
  [[nodiscard]] async_ask<P, Q, E> via(E executor) && {
    static_assert(std::invocable<E&, posted_call<awaited<R, E>>>,
                  "tact: the executor of ask_async is called with a function without arguments");
    return {*engine_, to_, std::move(query_), std::move(executor)};
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> who) {
    // From create_asker on the engine may end, or the answer may come: then the coroutine goes on on another thread and
    // destroys this object, and it may drop the engine. Hence all that is needed is copied before, and the engine stays
    // until this thread has left it.
    core& engine = *engine_;
    const inside_engine stays(engine);
    const ref<P> to = to_;
    Q query = std::move(query_);
    const std::shared_ptr<state> shared = state_;
    limited_asker& asker = make_told_later<Q>(resumed<R, Executor>{shared});
    asker_ = &asker;
    shared->waiting = who;
    try {
      ask_with(engine, to, std::move(query), asker, [&](port customer) noexcept { shared->customer = customer; });
    } catch (...) {
      shared->waiting = nullptr;
      throw;
    }
  }
  typename Q::reply await_resume() {
    if (state_->reason) throw ask_error(*state_->reason);
    if constexpr (!std::is_void_v<typename Q::reply>) return std::move(*state_->answer);
  }

 private:
  core* engine_;
  ref<P> to_;
  Q query_;
  std::shared_ptr<state> state_;
  closure* asker_ = nullptr;
};

}  // namespace tact::detail
