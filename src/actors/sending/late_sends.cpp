#include "actors/sending/late_sends.hpp"

#include <utility>

#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"

namespace tact::actors {

using mailbox::envelope;

// What finds no room is lost, and its customer is told of that: this comes last in the same queue.
[[gnu::noinline]] void late_sends::send_all() noexcept {
  const base::may_use_reserve sure;
  const this_thread::callback outside;
  mailbox::copy_queue& aside = run_.journal().aside();
  while (!aside.empty()) {
    envelope& e = aside.front();
    const unsigned slots = e.slots();
    if (router_.is_limited_here(e.target())) {
      admission_.let_in(e);
    } else {
      const context_scope in(e.is_out_of_line() ? e.out_of_line().context : nullptr);
      detail::send(e.target(), e.type(), e.payload());
      e.free_out_of_line();
    }
    aside.pop(slots, run_.worker().chunks());
  }
  run_.sleepers().begin_run();
}

void late_sends::drop(envelope& e, failure_reason reason, std::string text) noexcept {
  const bool is_order = e.is_special() && actors::is_order(e.type());
  if (run_.watched().tracer() != nullptr && !is_order) {
    run_.watched().tracer()->write({.step = detail::trace_step::unserved,
                                    .reason = static_cast<unsigned char>(reason),
                                    .id = e.id(),
                                    .actor = e.target(),
                                    .message = &e.type()});
  }
  core_sender_.bury(e, reason, std::move(text));
  conclude();
  ++(is_order ? run_.counts().now.committed : run_.counts().now.dead);
}

}  // namespace tact::actors
