// tact::trying: how threads outside send to mailboxes that have a limit, and hear what became of the message.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/detail/message_type.hpp"
#include "tact/detail/patience.hpp"
#include "tact/failure.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/pumping.hpp"
#include "tact/ref.hpp"

namespace tact {

namespace detail {

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

}  // namespace detail

// The calls of an engine for threads outside that must not lose what they send, nor wait for ever: see mailbox_limit.
// try_send and send_for throw usage_error inside a handler, because what a handler sends leaves at its commit, and does
// not wait.
class trying : public pumping {
 public:
  // Sends m, unless there is no room for it; never waits. When it returns send_result::full, m is as it was, if it can
  // be moved back without throwing; else it is moved from.
  template <class P, class M>
    requires detail::sendable<P, M>
  [[nodiscard]] send_result try_send(ref<P> to, M&& m) {
    refuse_in_handler("engine.try_send");
    return send_by(to, std::forward<M>(m), {.waits = false, .learns = true});
  }
  template <class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::none<problem>)
  void try_send(ref<P> to, M&& m) = delete;

  // The same, but where the policy is when_full::hold_back it waits for room, for `limit` at most.
  template <class Rep, class Period, class P, class M>
    requires detail::sendable<P, M>
  [[nodiscard]] send_result send_for(std::chrono::duration<Rep, Period> limit, ref<P> to, M&& m) {
    detail::refuse_inside_handler("engine.send_for", "call self.send(to, message)");
    return send_by(to, std::forward<M>(m), {.until = detail::deadline_after(limit), .learns = true});
  }
  template <class Rep, class Period, class P, class M, class problem = detail::send_problem<P, M>>
    requires(!detail::none<problem>)
  void send_for(std::chrono::duration<Rep, Period> limit, ref<P> to, M&& m) = delete;

  // The mailboxes that have a limit, the fullest first, `most` of them at most. Looks at every cell of the engine.
  [[nodiscard]] std::vector<mailbox_depth> fullest_mailboxes(std::size_t most = 10) const {
    return detail::read_fullest_mailboxes(core_, most);
  }

 protected:
  using pumping::pumping;
  ~trying() = default;

  // REQUIRES: not in a handler.
  template <class P, class M>
  send_result send_by(ref<P> to, M&& m, const detail::patience& p) {
    auto how = send_result::sent;
    detail::deliver_to(to, std::forward<M>(m), [&](detail::port at, const detail::message_type& type, void* payload) {
      how = detail::send(core_, at, type, payload, p);
      if (how == send_result::full) detail::take_back<detail::sent_as_t<P, M>, M>(type, payload, m);
    });
    return how;
  }

 private:
  static void refuse_in_handler(const char* call) {
    if (detail::current_run() == nullptr) return;
    throw usage_error(std::string(call) +
                      ": what a handler sends leaves at its commit, and what becomes of it then it cannot hear; call "
                      "self.send(to, message)");
  }
};

}  // namespace tact
