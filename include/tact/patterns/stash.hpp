// tact::stash: messages that an actor has put aside, and gives back in their order.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/context.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/front.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

// A message that was put aside.
template <class P>
struct stashed {
  stashed() noexcept = default;
  stashed(const stashed&) = delete;
  stashed& operator=(const stashed&) = delete;
  virtual ~stashed() = default;
  virtual void give_back(transaction& tx, ref<P> to) const = 0;
  // REQUIRES: `own` is the actor that runs.
  virtual void give_back_in_front(transaction& tx, ref<P> own) const = 0;
  // The first is called when the run that has put the message aside has committed, the second when the run that has
  // given it back has.
  virtual void note_accepted() noexcept {}
  virtual void note_served() noexcept {}

  static void* operator new(std::size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept { free_block(block, bytes); }
};

template <class P, class M>
struct stashed_message final : stashed<P> {
  stashed_message(const M& m, context c) : kept(m, std::move(c), "stash of its actor") {}
  void give_back(transaction& tx, ref<P> to) const override {
    with_context(kept.in, [&] { tx.send(to, kept.message); });
  }
  void give_back_in_front(transaction& tx, ref<P> own) const override {
    const port to = access::port_of(own) + index_of<P, M>;
    with_context(kept.in, [&] { send_in_front(access::run_of(tx), to, kept.message); });
  }
  void note_accepted() noexcept override { kept.accepted = true; }
  void note_served() noexcept override { kept.gone = true; }

  held_message<M> kept;
};

}  // namespace detail

// tact::behavior<door> locked(tact::stash<door> waiting = {}) {
//   return {
//       [=](tact::self<door>& self, const knock& m) { self.become(locked(waiting.put(self, m))); },
//       [=](tact::self<door>& self, const unlock&) {
//         self.become(open());
//         waiting.give_back_in_front(self);
//       },
//   };
// }
//
// A value that never changes, for an actor that cannot handle some messages now: `put` returns a longer stash, which
// the handler gives to its next behaviour. P is a protocol, or one message type. A copy costs as much as three shared
// pointers, whatever its size.
//
// A request that is put aside is deferred. If its stash is destroyed before it was given back, because the actor has
// ended or its next behaviour has left the stash out, the request fails with target_ended. Other messages are then
// destroyed; they are no dead letters, because a handler has seen them. A run that throws has put nothing aside and
// given nothing back.
//
// Thread safety: as a shared pointer. Source: the stashed messages of Lisp-Actors, which keep their contexts; the name
// is Akka's.
template <class P>
class stash {
 public:
  // This stash with a copy of m, the message that is handled, at its end; m keeps its context. The handler owes no
  // answer any more when m is a request. For a request one message more is sent, which says that the run has committed.
  // Throws std::bad_alloc, and what copying m throws.
  template <class M>
  [[nodiscard]] stash put(transaction& tx, const M& m) const {
    static_assert(detail::accepts<P, M>, "tact::stash<P>::put: the message is none of P");
    static_assert(std::is_copy_constructible_v<M>, "tact::stash: a message that is put aside must be copyable");
    static_assert(alignof(M) <= alignof(std::max_align_t), "tact::stash: put what is over-aligned behind a pointer");
    const auto last = item::make(std::make_unique<detail::stashed_message<P, M>>(m, tx.context()));
    stash longer(items_.push_back(last), requests_);
    if constexpr (detail::has_customer<M>) {
      tx.defer(m);
      tx.on_commit([last] { (*last)->note_accepted(); });
      ++longer.requests_;
    }
    return longer;
  }
  // Puts what was put aside in front of the mailbox of this actor, in its order and each message in its own context: it
  // is handled next, before all that waits or comes. So the messages of each sender are handled in the order sent, as
  // if none had been put aside. That holds whatever the order of the mailbox (tact::by_priority), and its limit does
  // not count them again. Of two stashes that one run gives back, the first is in front. With tact::parallel, which
  // promises no order, it is the same as give_back. Each message is copied. The behaviour that is next must leave this
  // stash out, or the messages are given back again. When there were requests among them, one message more is sent.
  // Throws std::bad_alloc, and what copying a message throws.
  template <class Own>
  void give_back_in_front(self<Own>& self) const {
    static_assert(std::is_convertible_v<ref<Own>, ref<P>>,
                  "tact::stash<P>::give_back_in_front: the actor does not take all messages of P");
    const ref<P> own = self.ref();
    give_back_all(self, [&](const item& one) { (*one)->give_back_in_front(self, own); });
  }
  // Sends what was put aside to `to`, which may be another actor. To the actor itself this is the call for messages
  // that may wait longer: they come behind all that waits in its mailbox by then, also behind what their own senders
  // have sent after them. Otherwise as give_back_in_front.
  void give_back(transaction& tx, ref<P> to) const {
    give_back_all(tx, [&](const item& one) { (*one)->give_back(tx, to); });
  }
  // How many messages were put aside.
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
  [[nodiscard]] bool empty() const noexcept { return items_.empty(); }

  stash() noexcept = default;

 private:
  using item = detail::counted<std::unique_ptr<detail::stashed<P>>>;

  template <class F>
  void give_back_all(transaction& tx, F give) const {
    for (const item& one : items_) give(one);
    if (requests_ == 0) return;
    tx.on_commit([items = items_] {
      for (const item& one : items) (*one)->note_served();
    });
  }

  stash(queue<item> items, std::size_t requests) noexcept : items_(std::move(items)), requests_(requests) {}

  queue<item> items_{};
  std::size_t requests_ = 0;  // how many of them are requests
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
