// engine.run_until_signal: the main function of a program that runs until it is asked to end.
#include <chrono>
#include <exception>

#include "actors/engine/core.hpp"
#include "sync/caught_signals.hpp"
#include "sync/system.hpp"
#include "sync/thread.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::detail {

namespace {

constexpr const char* signal_call = "engine.run_until_signal";  // and run_until_signal_or_end

// Waits with a limit again and again: without one the wait would write on stderr for whom it waits.
void wait_until_all_have_ended(core& engine) {
  while (!engine.waits().wait_quiet(deadline_after(std::chrono::hours(1)), actors::outside_waits::goal::finished,
                                    signal_call)) {
  }
}

}  // namespace

int run_until_signal(core& engine, bool or_end, void (*stop)(void*), void* with) {
  if (current_run() == nullptr && sync::thread_state::of_this_thread().loops != nullptr)
    throw usage_error(
        "engine.run_until_signal: this thread has a tact::loop, and its event loop would stand still until the signal "
        "comes; call it on another thread, with a function that makes the event loop end");
  refuse_inside_handler(signal_call, "leave it to the thread that owns the engine");
  if (sync::system::current() != nullptr)
    throw usage_error(
        "engine.run_until_signal: no signal comes in a simulation, nor in a model; call engine.wait_finished there");
  if (engine.count_workers() == 0)
    throw usage_error(
        "engine.run_until_signal: this engine has no workers; call engine.run, and engine.quit when the signal comes");
  sync::caught_signals caught(signal_call);
  sync::thread watcher;
  watcher.start("end watcher", [&] {
    or_end ? wait_until_all_have_ended(engine) : engine.waits().wait_until_closed();
    caught.stop_waiting();
  });
  const int number = caught.wait();
  caught.let_go();
  std::exception_ptr thrown;
  if (number != 0) {
    try {
      if (stop != nullptr) stop(with);
    } catch (...) {
      thrown = std::current_exception();
    }
    if (!engine.shutdown().drain(deadline_after(engine.options().shutdown_timeout)))
      static_cast<void>(engine.shutdown().cancel({}));
  }
  watcher.join();
  if (thrown) std::rethrow_exception(thrown);
  return number;
}

}  // namespace tact::detail
