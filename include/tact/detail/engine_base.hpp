// How an engine does what its calls say: tact/engine.hpp.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "tact/detail/askers.hpp"
#include "tact/detail/async_ask.hpp"
#include "tact/detail/continuation.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/patience.hpp"
#include "tact/detail/workers.hpp"
#include "tact/failure.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/monitor.hpp"
#include "tact/pumped.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact::detail {

// Gives back a message that was not sent: it is moved back to where it was moved from, or destroyed. A message sent by
// reference is left alone. `Given` is a reference when the message was copied.
template <class M, class Given>
void take_back(const message_type& type, void* payload, [[maybe_unused]] Given& from) noexcept {
  if constexpr (std::is_same_v<Given, M> && std::is_nothrow_move_assignable_v<M>) {
    void* const message = type.indirect ? *static_cast<void**>(payload) : payload;
    from = std::move(*static_cast<M*>(message));
  }
  if (type.destroy != nullptr) type.destroy(payload, false);
}

// Thread safety: as of the calls of engine.
class engine_base {
 protected:
  friend struct access;

  explicit engine_base(core& c) noexcept : core_(c) {}
  ~engine_base() = default;
  engine_base(const engine_base&) = delete;
  engine_base& operator=(const engine_base&) = delete;

  // The run of the handler if this thread runs a handler of this engine; else null.
  [[nodiscard]] run* own_run() const noexcept {
    run* r = current_run();
    return r != nullptr && &core_of(*r) == &core_ ? r : nullptr;
  }

  template <class How>
  port put(closure& c, How&& how) {
    run* r = own_run();
    return r != nullptr ? create(*r, c, std::forward<How>(how)) : create(core_, c, std::forward<How>(how));
  }

  template <class How>
  port reserve(How&& how) {
    run* r = own_run();
    return r != nullptr ? detail::reserve(*r, std::forward<How>(how)) : detail::reserve(core_, std::forward<How>(how));
  }
  void install(port reserved, closure& c) {
    run* r = own_run();
    r != nullptr ? detail::install(*r, reserved, c) : detail::install(core_, reserved, c);
  }
  // Inside a run nothing is to be done: at its end a run gives back the reserved addresses that have got no behaviour.
  void abandon(port reserved) noexcept {
    if (own_run() == nullptr) detail::abandon(core_, reserved);
  }

  monitor watch(port target, watcher& w) {
    monitor handle = access::make_monitor(w);  // now: the watcher may be told at once
    if (run* r = current_run()) {
      detail::watch(*r, target, w);
    } else {
      detail::watch(core_, target, w);
    }
    return handle;
  }
  template <class InRun, class AtOnce>
  void set(InRun in_run, AtOnce at_once) {
    run* r = current_run();
    r != nullptr ? in_run(*r) : at_once(core_);
  }
  template <class P, class M>
  void send_here(ref<P> to, M&& m) {
    if (run* r = current_run()) return stage_to(*r, to, std::forward<M>(m));
    deliver_to(to, std::forward<M>(m),
               [this](port p, const message_type& type, void* payload) { send(core_, p, type, payload); });
  }

  template <class P, class Q>
  auto ask_until(ref<P> to, Q query, deadline limit, bool helps = false) {
    using R = typename request<Q>::reply;
    refuse_inside_handler("engine.ask", "call self.ask, which puts the handler aside");
    asker<R> asker(type_of_asker<Q>);
    core& core = core_;  // a handler may drop this engine as soon as it answers
    ask_limit by_context(core);
    const port customer = create_asker(core, asker);
    by_context.set(customer);
    try {
      (void)send_by(to, request<Q>{access::make_ref<R>(customer), std::move(query)}, {.until = limit});
    } catch (...) {
      if (!withdraw_asker(core, customer)) (void)asker.told.wait({});
      throw;
    }
    if (helps) help_until_told(core, asker.told);
    if (!wait_told(core, asker.told, limit, access::port_of(to)) && !withdraw_asker(core, customer))
      (void)asker.told.wait({});
    if (asker.reason) throw ask_error(*asker.reason);
    if (!asker.answer) look_whether_stuck("engine.ask");
    return std::move(asker.answer);
  }

  template <class R, class Refs, class Q>
  void ask_round(round_of_asks<R>& asks, const Refs& to, const Q& query, deadline limit) {
    refuse_inside_handler("engine.ask_all", "call self.ask(to, query, continuation) for each");
    for (const auto& r : to)
      (void)send_by(r, request<Q>{access::make_ref<R>(asks.add(access::port_of(r))), query}, {.until = limit});
    asks.wait(limit);
  }
  // The request leaves at once, also inside a handler.
  template <class P, class Q>
  void ask_on(ref<P> to, Q&& query, limited_asker& asker) {
    ask_with(core_, to, std::move(query), asker);
  }

  bool wait(const char* call, bool (*until)(core&, deadline), deadline limit) {
    refuse_inside_handler(call, "leave it to the thread that owns the engine");
    const bool reached = until(core_, limit);
    if (!reached) look_whether_stuck(call);
    return reached;
  }

  // REQUIRES: not in a handler.
  template <class P, class M>
  send_result send_by(ref<P> to, M&& m, const patience& p) {
    auto how = send_result::sent;
    deliver_to(to, std::forward<M>(m), [&](port at, const message_type& type, void* payload) {
      how = send(core_, at, type, payload, p);
      if (how == send_result::full) take_back<sent_as_t<P, M>, M>(type, payload, m);
    });
    return how;
  }

  pumped pump_until(std::size_t max_messages, deadline limit) {
    const pumped done = pump(core_, max_messages, limit);
    if (done.more) look_whether_stuck("engine.pump");
    return done;
  }

  // The deadline of an ask without a limit of its own.
  [[nodiscard]] deadline ask_deadline() const {
    const auto timeout = ask_timeout(core_);
    return timeout.count() == 0 ? deadline() : deadline_after(timeout);
  }
  static void refuse_late(bool is_answered) {
    if (!is_answered) throw ask_error(timed_out_notice());
  }

  static void refuse_in_handler(const char* call) {
    if (current_run() == nullptr) return;
    throw usage_error(std::string(call) +
                      ": what a handler sends leaves at its commit, and what becomes of it then it cannot hear; call "
                      "self.send(to, message)");
  }

  core& core_;
};

}  // namespace tact::detail
