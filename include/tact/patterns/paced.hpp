// tact::paced: a behaviour that hands news on only as fast as a slow reader takes them, and tells it what it missed.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <type_traits>

#include "tact/behavior.hpp"
#include "tact/detail/sure_run.hpp"
#include "tact/ended.hpp"
#include "tact/failure.hpp"
#include "tact/monitor.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// An M for a reader that says when it has handled it: by self.reply(m). A reader that defers the request, and answers
// when it has really done with the message, is paced by that.
template <class M>
struct news {
  using reply = void;
  M message;
};
// So many messages were dropped since the last `missed`, after the news that came before this and before those that
// come after it.
template <class M>
struct missed {
  std::uint64_t count = 0;
};
// What a reader takes; its protocol includes this.
template <class M>
struct paced_news : protocol<request<news<M>>, missed<M>> {};

// The protocol of a paced relay. The reader tells it `done`, or fails, because it is the customer of all news;
// no limit holds for that, nor for word of its end.
template <class M>
struct pacing : protocol<M, detail::own_words<done, ended>, failure> {};

namespace detail {

template <class M>
struct paced_relay {
  using self_type = self<pacing<M>>;

  void operator()(self_type& self, const M& m) const {
    const bool has_room = at_reader < limit;
    if (has_room) self.send(reader, request<news<M>>{self.ref(), {m}});
    self.become(paced_relay{reader, limit, watch ? watch : self.monitor(reader), at_reader + (has_room ? 1 : 0),
                            dropped + (has_room ? 0 : 1)});
  }
  void operator()(self_type& self, const done&) const {
    const sure_run sure(self);
    note_handled(self, watch);
  }
  // The reader has failed to handle one; or a run has failed that should have heard of one, or of the reader's end. In
  // the last case the next news fails with target_ended, and the reader is watched again.
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
    if (dropped != 0) self.send(reader, missed<M>{dropped});
    self.become(paced_relay{reader, limit, m, at_reader == 0 ? 0 : at_reader - 1, 0});
  }

  ref<paced_news<M>> reader;
  std::uint64_t limit;
  monitor watch{};  // of the reader, from the first news on
  std::uint64_t at_reader = 0;
  std::uint64_t dropped = 0;
};

}  // namespace detail

// const auto slow = engine.create(tact::paced<tick>(screen, 100));
// engine.ask(prices, tact::subscribe_topic<tick>{slow});
//
// Hands each M on to `reader` as request<news<M>>, as long as fewer than `limit` of them are unanswered there. When
// there are so many, further ones are dropped; when the reader answers the next time, it is told by missed<M> how many.
// So a reader that is slow keeps nobody waiting and never has more than `limit` news before it, and it knows when it
// must ask for the whole state anew. A request that fails counts as handled. The relay ends when the reader has ended,
// and with that leaves the topics to which it had subscribed. A reader that answers one request twice makes room for
// one more; its own mailbox only is concerned. Order: as the Ms came. Costs: for each M two messages to and one from
// the reader more than none, and one for each time that something was dropped. Throws usage_error when the limit is 0.
// It is no tact::mailbox_limit, because the messages which that drops are dead letters, of which the reader does not
// hear. Source of the idea: the demand of Reactive Streams.
template <class M>
[[nodiscard]] behavior<pacing<M>> paced(ref<paced_news<M>> reader, std::uint64_t limit) {
  static_assert(std::is_copy_constructible_v<M>, "tact::paced<M>: an M is copied to the reader, so M must be copyable");
  if (limit == 0) throw usage_error("tact::paced: a reader takes at least one message: the limit is 0");
  return detail::paced_relay<M>{reader, limit};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
