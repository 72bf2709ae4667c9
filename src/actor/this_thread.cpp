#include "actor/this_thread.hpp"

namespace tact::actor::this_thread {
namespace {

thread_local detail::run* the_worker = nullptr;
thread_local detail::run* the_handler = nullptr;

}  // namespace

// Never inlined: a fiber may go on on another thread, where a cached address of a thread-local would be wrong.
[[gnu::noinline]] detail::run* worker() noexcept { return the_worker; }
[[gnu::noinline]] detail::run* handler() noexcept { return the_handler; }

void become_worker(detail::run& r) noexcept { the_worker = &r; }
void set_handler(detail::run* r) noexcept { the_handler = r; }

callback::callback() noexcept : was_(the_handler) { the_handler = nullptr; }
callback::~callback() { the_handler = was_; }

}  // namespace tact::actor::this_thread
