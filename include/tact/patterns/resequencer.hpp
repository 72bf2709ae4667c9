// tact::resequencer: a behaviour that passes numbered messages on in the order of their numbers.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/data/map.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/timer.hpp"

namespace tact {

// A message with its place in a sequence.
template <class M>
struct numbered {
  static_assert(!detail::has_customer<M>,
                "tact::numbered: a request cannot wait in a resequencer: number a message that holds the request");
  std::uint64_t number;
  M message;
};

// The messages from `from` to `to`, both included, had not come when their time was over, and are skipped.
struct sequence_gap {
  std::uint64_t from;
  std::uint64_t to;
};
std::ostream& operator<<(std::ostream&, const sequence_gap&);
// A message came a second time, or after it was skipped, and was dropped.
struct out_of_sequence {
  std::uint64_t number;
};
std::ostream& operator<<(std::ostream&, const out_of_sequence&);
// What the watcher of a resequencer is told.
struct sequence_trouble : protocol<sequence_gap, out_of_sequence> {};

namespace detail {

inline void refuse_no_limit(bool is_positive) {
  if (!is_positive) throw usage_error("tact::resequencer: the time limit of a gap must be positive");
}
struct gap_over {
  std::uint64_t number;  // of the first message that is missing
};
}  // namespace detail

// The protocol of a resequencer. Users send numbered<M>; the rest is its own, and no limit holds for that.
template <class M>
struct resequencer_protocol : protocol<numbered<M>, detail::own_words<detail::gap_over>, failure> {};

namespace detail {

template <class M>
class resequencing {
  using self_type = self<resequencer_protocol<M>>;
  // A message that came early, and its context.
  struct early {
    const M message;
    const context in;
  };

 public:
  resequencing(ref<M> to, ref<sequence_trouble> told, std::chrono::nanoseconds limit, std::uint64_t first) noexcept
      : to_(to), told_(told), limit_(limit), next_(first) {}

  void operator()(self_type& self, const tact::numbered<M>& m) const {
    if (m.number < next_ || held_.contains(m.number)) return tell(self, out_of_sequence{m.number});
    resequencing after = *this;
    if (m.number == next_) {
      self.send(to_, m.message);
      ++after.next_;
      after.pass_held(self);
    } else {
      after.held_ = held_.insert_or_assign(m.number, counted<early>::make(m.message, self.context()));
      if (held_.empty()) after.wait_for_gap(self);
    }
    self.become(std::move(after));
  }
  void operator()(self_type& self, const gap_over& m) const {
    const sure_run sure(self);
    if (held_.empty() || m.number != next_) return;  // the gap has closed since
    resequencing after = *this;
    after.next_ = held_.begin()->first;
    tell(self, sequence_gap{next_, after.next_ - 1});
    after.pass_held(self);
    self.become(std::move(after));
  }
  // A run that should have handled the end of a gap has failed. It is not known which gap that was, so the present one,
  // if there is one, has its whole time again.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    if (held_.empty()) return;
    resequencing after = *this;
    after.limit_of_gap_.cancel();
    after.wait_for_gap(self);
    self.become(std::move(after));
  }

 private:
  template <class Trouble>
  void tell(self_type& self, Trouble t) const {
    if (told_) self.send(told_, t);
  }
  // Passes on what has come early and is next; if more is held, another gap begins.
  void pass_held(self_type& self) {
    if (held_.empty()) return;
    for (; !held_.empty() && held_.begin()->first == next_; ++next_) {
      const counted<early> m = held_.begin()->second;
      with_context(m->in, [&] { self.send(to_, m->message); });
      held_ = std::move(held_).erase(next_);
    }
    limit_of_gap_.cancel();
    if (!held_.empty()) wait_for_gap(self);
  }
  void wait_for_gap(self_type& self) { limit_of_gap_ = self.send_after(limit_, self.ref(), gap_over{next_}); }

  ref<M> to_;
  ref<sequence_trouble> told_;
  std::chrono::nanoseconds limit_;
  std::uint64_t next_;  // the number of the message that is passed on next
  timer limit_of_gap_{};
  map<std::uint64_t, counted<early>> held_{};
};

}  // namespace detail

// const auto in_order = engine.create(tact::resequencer<line>(printer, watcher, std::chrono::seconds(1)));
// engine.send(in_order, tact::numbered<line>{2, ...});  // waits for number 1
//
// Passes the messages on to `to` without their numbers, in the order of their numbers, each in its own context. What
// comes early is held until the gap before it closes. A gap that has been open for `limit` is told to `told`, by
// tact::sequence_gap, and skipped; it counts as new when one of its messages comes. A message that came a second time,
// or after it was skipped, is dropped, and its number told to `told` by tact::out_of_sequence. A null `told` hears of
// nothing. The first number is `first`.
//
// A message whose run throws is lost, as at any actor, and so leaves a gap. A message is copied once, or twice when it
// was held; put large contents behind a shared pointer. When the resequencer ends what it holds is destroyed, and there
// are no dead letters of it. When it is tact::parallel the order in which `to` hears is not promised, so let it be an
// ordered actor. Throws usage_error when the limit is not positive. Source: Lisp-Actors (sequenced-delivery); the name
// is that of the Enterprise Integration Patterns.
template <class M, class Rep, class Period>
[[nodiscard]] behavior<resequencer_protocol<M>> resequencer(ref<M> to, ref<sequence_trouble> told,
                                                            std::chrono::duration<Rep, Period> limit,
                                                            std::uint64_t first = 1) {
  static_assert(std::is_copy_constructible_v<M>, "tact::resequencer: a message that is held must be copyable");
  detail::refuse_no_limit(detail::is_positive(limit));
  return detail::resequencing<M>(to, told, std::chrono::nanoseconds(detail::whole_ns(limit)), first);
}

// Names of earlier versions; they go with the next one.
template <class M>
using resequenced [[deprecated("use tact::resequencer_protocol")]] = resequencer_protocol<M>;
using gap [[deprecated("use tact::sequence_gap")]] = sequence_gap;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
