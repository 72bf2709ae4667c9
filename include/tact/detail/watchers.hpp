// Watchers: they send the message of a monitor when an actor ends, a given one or tact::ended.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/detail/message_type.hpp"
#include "tact/ended.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

// Gives up a share of a watcher, which was made as a box of W.
template <class W>
void give_up_share(watcher& w) noexcept {
  if (w.shares.fetch_sub(1) == 1) box<W>::end(static_cast<W*>(&w));
}

template <class M>
void send_notice(run* r, port to, M&& message) {
  if (r != nullptr) return stage_message<M>(*r, to, std::move(message));
  deliver_message<M>(std::move(message),
                     [to](const message_type& type, void* payload) { detail::send(to, type, payload); });
}

// Sends a message that was made together with the monitor; it does not say why the actor ended.
template <class M>
struct message_watcher : watcher {
  template <class Arg>
  message_watcher(port whom, Arg&& arg)
      : watcher{whom,
                [](watcher& w, run* r, tact::ended&&) noexcept {
                  auto& mine = static_cast<message_watcher&>(w);
                  send_notice(r, mine.to, std::move(mine.message));
                  give_up_share<message_watcher>(w);
                },
                &give_up_share<message_watcher>},
        message(std::forward<Arg>(arg)) {}

  M message;
};

struct ended_watcher : watcher {
  explicit ended_watcher(port whom)
      : watcher{whom,
                [](watcher& w, run* r, tact::ended&& e) noexcept {
                  send_notice(r, w.to, std::move(e));
                  give_up_share<ended_watcher>(w);
                },
                &give_up_share<ended_watcher>} {}
};

template <class T>
inline constexpr bool is_ref_to_ended = false;
template <class Q>
inline constexpr bool is_ref_to_ended<ref<Q>> = accepts<Q, tact::ended>;
// A ref of an actor that takes tact::ended.
template <class T>
concept hears_end = is_ref_to_ended<std::remove_cvref_t<T>>;

// A message that would be sent by reference is copied, because the end for which the watcher waits may come late.
template <class Q, class Arg>
watcher& make_watcher(ref<Q> whom, Arg&& message) {
  using M = sent_as_t<Q, Arg>;
  return *box<message_watcher<M>>(access::port_of(whom) + (whom ? index_of<Q, M> : 0), std::forward<Arg>(message))
              .release();
}
inline watcher& make_watcher(ref<tact::ended> whom) { return *box<ended_watcher>(access::port_of(whom)).release(); }

}  // namespace tact::detail
