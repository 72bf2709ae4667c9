#include "actors/common/this_thread.hpp"

#include "sync/thread_state.hpp"

namespace tact::actors::this_thread {
namespace {

sync::thread_state& state() noexcept { return sync::thread_state::of_this_thread(); }

}  // namespace

// Never inlined: a fiber may be resumed on another thread, where a cached address of a thread-local would be wrong.
[[gnu::noinline]] detail::run* worker() noexcept { return static_cast<detail::run*>(state().worker); }
[[gnu::noinline]] detail::run* handler() noexcept { return static_cast<detail::run*>(state().handler); }

void set_worker(detail::run* r) noexcept { state().worker = r; }
void set_handler(detail::run* r) noexcept { state().handler = r; }

callback::callback() noexcept : was_(static_cast<detail::run*>(state().handler)) { state().handler = nullptr; }
callback::~callback() { state().handler = was_; }

}  // namespace tact::actors::this_thread
