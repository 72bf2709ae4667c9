// tact::stash: messages that an actor has put aside, and gives back in their order.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/context.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/persistent_queue.hpp"
#include "tact/detail/waiting_request.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
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
  // The run that has put it aside has committed; so has the run that has given it back.
  virtual void note_accepted() noexcept {}
  virtual void note_served() noexcept {}

  static void* operator new(std::size_t bytes) { return allocate_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept { free_block(block, bytes); }
};

template <class P, class M>
struct stashed_message final : stashed<P> {
  stashed_message(const M& m, context c) : message(m), in(std::move(c)) {}
  void give_back(transaction& tx, ref<P> to) const override {
    with_context(in, [&] { tx.send(to, message); });
  }

  const M message;
  const context in;
};

template <class P, class Q>
struct stashed_message<P, request<Q>> final : stashed<P> {
  stashed_message(const request<Q>& m, context c)
      : waiting(m, std::move(c), "the request was put aside, and the actor ended, or lost its stash") {}
  void give_back(transaction& tx, ref<P> to) const override {
    with_context(waiting.in, [&] { tx.send(to, waiting.asked); });
  }
  void note_accepted() noexcept override { waiting.accepted = true; }
  void note_served() noexcept override { waiting.served = true; }

  waiting_request<Q> waiting;
};

}  // namespace detail

// tact::behavior<door> locked(tact::stash<door> waiting = {}) {
//   return {
//       [=](tact::self<door>& self, const knock& m) { self.become(locked(waiting.put(self, m))); },
//       [=](tact::self<door>& self, const unlock&) {
//         self.become(open());
//         waiting.give_back(self, self.ref());
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
    stash longer(items_.push(last), size_ + 1, requests_);
    if constexpr (detail::has_customer<M>) {
      tx.defer(m);
      tx.on_commit([last] { (*last)->note_accepted(); });
      ++longer.requests_;
    }
    return longer;
  }
  // Sends what was put aside to `to`, in its order and each message in its own context. At the actor itself it comes
  // behind what waits in the mailbox by then. Each message is copied. The behaviour that is next must leave this stash
  // out, or the messages are given back again. When there were requests among them, one message more is sent. Throws
  // std::bad_alloc, and what copying a message throws.
  void give_back(transaction& tx, ref<P> to) const {
    for (auto left = items_; !left.empty(); left = left.pop()) (*left.front())->give_back(tx, to);
    if (requests_ == 0) return;
    tx.on_commit([items = items_] { items.visit([](const item& one) { (*one)->note_served(); }); });
  }
  // How many messages were put aside.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  stash() noexcept = default;

 private:
  using item = detail::counted<std::unique_ptr<detail::stashed<P>>>;

  stash(detail::persistent_queue<item> items, std::size_t size, std::size_t requests) noexcept
      : items_(std::move(items)), size_(size), requests_(requests) {}

  detail::persistent_queue<item> items_{};
  std::size_t size_ = 0;
  std::size_t requests_ = 0;  // how many of them are requests
};

}  // namespace tact
