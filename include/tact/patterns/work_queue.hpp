// tact::work_queue: a behaviour that keeps messages until a worker is free, and takes them back from one that ends.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <iosfwd>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/pool_turn.hpp"
#include "tact/patterns/detail/work_service.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

// What a worker is given: a message of a work queue. Answering says that it is done, and that the worker is free.
// Copies share the message. Thread safety: a value like a shared pointer.
template <class M>
class queued_work {
 public:
  using reply = void;

  // The message, as it came.
  [[nodiscard]] const M& item() const noexcept { return shared_->message; }
  // How many workers have been given the message by now, this one counted.
  [[nodiscard]] unsigned attempt() const noexcept { return attempt_; }

  queued_work(detail::counted<detail::work_item<M>> shared, unsigned attempt) noexcept  // the queue's
      : shared_(std::move(shared)), attempt_(attempt) {}

 private:
  detail::counted<detail::work_item<M>> shared_;
  unsigned attempt_;
};

// How a work queue is set up.
struct work_queue_options {
  // At most so many messages wait; a message beyond that is a dead letter. What comes back from a worker is never one.
  std::size_t queue = (std::numeric_limits<std::size_t>::max)();
  // A message is given to so many workers at most; when the last of them has failed it too, it is a dead letter.
  unsigned attempts = 3;
};
std::ostream& operator<<(std::ostream&, const work_queue_options&);

// Adds a worker to a work queue. One that is added twice is given two messages at a time.
template <class M>
struct add_worker {
  ref<request<queued_work<M>>> worker;
};

// The protocol of a work queue. Users send M and add_worker<M>; the rest is its own, and no limit holds for that.
template <class M>
struct work_queue_protocol
    : protocol<M, add_worker<M>, detail::own_words<detail::pool_turn_over, detail::work_worker_gone>, failure> {};

// tact::behavior<tact::request<tact::queued_work<line>>> writer() {
//   return {[](auto& self, const auto& m) {
//     write(m.body.item());
//     self.reply(m);  // done, and free for the next one
//   }};
// }
// const auto lines = engine.create(tact::work_queue<line>({writer_1, writer_2}));
// engine.send(lines, line{"hello"});
//
// One mailbox for several workers, for messages that no customer waits for; for requests there is tact::pool. A message
// goes to a worker that is free, and waits while none is. A worker that was given a message is free again when it has
// answered. Workers take what waits in the order in which the queue handled it, each message in its own context. They
// may be added at any time, also by themselves; while there is none, all messages wait.
//
// A worker that throws, or leaves the request unanswered, has failed: the message goes back in front of what waits, and
// the worker is free. A worker that ends leaves the queue, and what it had goes back too. So each message that the
// queue has handled is done by a worker at least once, or is a dead letter of the type
// tact::request<tact::queued_work<M>> after options.attempts; and once only, unless a worker ends: one that ends in the
// moment of its answer may be taken for one that has not answered. When the queue itself ends, what waits in it are
// dead letters; what a worker has is done.
//
// M must be copyable; the queue copies it once, and workers share it. One queue that is tact::parallel promises the
// same except for the order. Costs: five messages for each, its own counted, and one more when it waits; each in
// constant time, whatever waits, beside the logarithm of the number of workers. Throws usage_error when
// options.attempts is 0. Source of the idea: Akka's work pulling.
template <class M>
[[nodiscard]] behavior<work_queue_protocol<M>> work_queue(std::vector<ref<request<queued_work<M>>>> workers = {},
                                                          work_queue_options options = {}) {
  static_assert(!detail::has_customer<M>, "tact::work_queue<M>: M is a request; tact::pool spreads requests");
  static_assert(std::is_copy_constructible_v<M>, "tact::work_queue<M>: a message that waits is copied");
  if (options.attempts == 0) throw usage_error("tact::work_queue: with 0 attempts no message would ever be done");
  return detail::work_service<M>(std::move(workers), options.queue, options.attempts);
}

// Names of earlier versions; they go with the next one.
template <class M>
using work_queued [[deprecated("use tact::work_queue_protocol")]] = work_queue_protocol<M>;
template <class M>
using work [[deprecated("use tact::queued_work")]] = queued_work<M>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
