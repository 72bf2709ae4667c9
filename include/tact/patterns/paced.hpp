// tact::paced: a behaviour that hands news on only as fast as a slow reader takes them, and tells it what it missed.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/ended.hpp"
#include "tact/failure.hpp"
#include "tact/monitor.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Brings an M to a reader, which says by self.reply(m) that it has handled it. A reader may defer the request, and
// answer when it has really done with the message: then it is paced by that.
template <class M>
struct paced_message {
  using reply = void;
  M message;
};
// Says how many messages were dropped since the last `missed`: after the news that came before this, and before those
// that come after it.
template <class M>
struct missed_messages {
  std::uint64_t count = 0;
};
// What a reader takes; its protocol includes this.
template <class M>
struct paced_reader : protocol<request<paced_message<M>>, missed_messages<M>> {};

// The protocol of a paced relay. The relay is the customer of all news, so it hears `done` or a failure for each of
// them. No limit holds for that, nor for word of the reader's end.
template <class M>
struct paced_protocol : protocol<M, detail::own_words<done, ended>, failure> {};

namespace detail {

template <class M>
struct paced_relay {
  using self_type = self<paced_protocol<M>>;

  void operator()(self_type& self, const M& m) const {
    const bool has_room = at_reader < limit;
    if (has_room) self.send(reader, request<paced_message<M>>{self.ref(), {m}});
    self.become(paced_relay{reader, limit, watch ? watch : self.monitor(reader), at_reader + (has_room ? 1 : 0),
                            dropped + (has_room ? 0 : 1)});
  }
  void operator()(self_type& self, const done&) const {
    const sure_run sure(self);
    note_handled(self, watch);
  }
  // The reader has failed to handle a message; or a run of the relay has failed that should have heard of an answer, or
  // of the reader's end. After a lost word of its end the next news fails with target_ended, and then the reader is
  // watched again.
  void operator()(self_type& self, const failure& f) const {
    const sure_run sure(self);
    if (f.reason != failure_reason::target_ended) return note_handled(self, watch);
    watch.cancel();
    note_handled(self, self.monitor(reader));
  }
  void operator()(self_type& self, const ended&) const {
    const sure_run sure(self);
    self.stop();
  }
  void note_handled(self_type& self, const monitor& m) const {
    if (dropped != 0) self.send(reader, missed_messages<M>{dropped});
    self.become(paced_relay{reader, limit, m, at_reader == 0 ? 0 : at_reader - 1, 0});
  }

  ref<paced_reader<M>> reader;
  std::uint64_t limit;
  monitor watch{};  // of the reader, from the first news on
  std::uint64_t at_reader = 0;
  std::uint64_t dropped = 0;
};

}  // namespace detail

// const auto slow = engine.create(tact::paced<tick>(screen, 100));
// engine.ask(prices, tact::subscribe_topic<tick>{slow});
//
// Hands each M on to `reader` as request<paced_message<M>>, as long as fewer than `limit` of them are unanswered there.
// While `limit` of them are, further messages are dropped, and when the reader answers the next time,
// missed_messages<M> tells it how many were. So a reader that is slow keeps nobody waiting and never has more than
// `limit` news before it, and it knows when it must ask for the whole state anew. A request that fails counts as
// handled. The relay ends when the reader has ended, and with that leaves the topics to which it had subscribed. A
// reader that answers a request twice makes room for one message too many, which concerns only its own mailbox. The
// order of the messages is kept. Costs: for each M one message to the relay, one to the reader and its answer, and one
// more for each time that something was dropped. Throws usage_error when the limit is 0. A tact::mailbox_limit of the
// reader would not do, because what it drops is a dead letter, of which the reader does not hear. Source of the idea:
// the demand of Reactive Streams.
template <class M>
[[nodiscard]] behavior<paced_protocol<M>> paced(ref<paced_reader<M>> reader, std::uint64_t limit) {
  static_assert(std::is_copy_constructible_v<M>, "tact::paced<M>: an M is copied to the reader, so M must be copyable");
  if (limit == 0) throw usage_error("tact::paced: a reader takes at least one message: the limit is 0");
  return detail::paced_relay<M>{reader, limit};
}

// Names of earlier versions; they go with the next one.
template <class M>
using pacing [[deprecated("use tact::paced_protocol")]] = paced_protocol<M>;
template <class M>
using news [[deprecated("use tact::paced_message")]] = paced_message<M>;
template <class M>
using missed [[deprecated("use tact::missed_messages")]] = missed_messages<M>;
template <class M>
using paced_news [[deprecated("use tact::paced_reader")]] = paced_reader<M>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
