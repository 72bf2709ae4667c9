// Implements the functions by which handlers ask about the run that they are in, and say how it ends.
#include <string>
#include <utility>

#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/run/transactor.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/type_key.hpp"

namespace tact::detail {

// -- the run of this thread, its context, and what it owes

run* current_run() noexcept { return actors::this_thread::handler(); }
core& core_of(run& r) noexcept { return actors::transactor::of(r).engine(); }
const context_node* current_context() noexcept {
  const run* const r = current_run();
  return r != nullptr ? r->context : sync::thread_state::of_this_thread().context;
}
const context_node* exchange_context(const context_node* next) noexcept {
  run* const r = current_run();
  if (r != nullptr) return actors::transactor::of(*r).enter_context(next);
  return std::exchange(sync::thread_state::of_this_thread().context, next);
}
void owe(run& r, port customer) noexcept { actors::transactor::of(r).owe(customer); }
void settle_debt(run& r, port customer) noexcept { actors::transactor::of(r).debt().defer(customer); }
void inherit_debt(run& r, const owing& from) noexcept {
  if (from.owed != 0) actors::transactor::of(r).inherit(from.owed);
}
std::uint64_t times_restarted(run& r) noexcept { return actors::times_restarted(actors::cell_of(self_port(r))); }

void refuse_inside_handler(const char* call, const char* instead) {
  if (sync::thread_state::of_this_thread().in_wake) {
    throw usage_error(std::string(call) +
                      " waits, and keeps the sender waiting; in engine_options.on_wake only tell the loop that pumps");
  }
  if (actors::this_thread::worker() == nullptr && sync::thread_state::of_this_thread().loops != nullptr) {
    throw usage_error(std::string(call) +
                      " waits, and would stop the event loop of this thread, which has a tact::loop; call it on "
                      "another thread, or, to get an answer, let an actor on the loop ask (self.ask)");
  }
  if (actors::this_thread::worker() == nullptr && !sync::thread_state::of_this_thread().never_waits) return;
  throw usage_error(std::string(call) +
                    " waits, and would keep a thread of the engine waiting for itself; inside a handler " + instead);
}

// -- the end of the run

void stage_become(run& r, closure& next) { actors::committer::stage_become(actors::transactor::of(r), next); }
void stage_stop(run& r, ending how) noexcept { actors::committer::stage_stop(actors::transactor::of(r), how); }
void stage_unchanged(run& r) noexcept { actors::transactor::of(r).commits().stage_unchanged(); }
void discard(run& r) noexcept { actors::transactor::of(r).commits().discard(); }
void pass_on(run& r, port to, const void* message, const type_key& type) {
  actors::transactor::of(r).commits().pass_on(to, message, type);
}

}  // namespace tact::detail
