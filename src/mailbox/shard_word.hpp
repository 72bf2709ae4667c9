// The one word on which senders and holders of a shard meet. Protocol page: docs/protocols/shard_word.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/prefetch.hpp"
#include "sync/policy.hpp"

namespace tact::mailbox {

// What a gulp took: nodes linked oldest first, and whether the inbox has mail.
template <class Node>
struct gulped {
  Node* oldest = nullptr;
  bool mail = false;
};

// word = newest node | held | rest | mail
//   held  one worker runs the shard; set by try_gulp and try_hold, cleared by the three ways to let go
//   rest  the last holder left messages behind in the shard's private queue
//   mail  the shard's inbox has messages from threads outside
// eligible = (node or rest or mail) and not held. A sender that finds 0 announces the shard. A sender that finds
// anything else relies on the one that found 0, or on the holder, which looks again before it lets go.
//
// Thread safety: push, post_mail and eligible from any thread; gulp and the releases only by the holder.
// Invariants: (1) at most one holder; (2) what was pushed stays in the word until gulped; (3) only the holder clears
// bits that other threads have set, and it takes over what they stand for.
// `Node` has a member `Node* next` and is aligned to 8 or more.
template <class Sync, class Node>
class shard_word {
 public:
  // Publishes the nodes newest..oldest, linked by `next`. True: the shard was idle, the caller announces it.
  [[nodiscard]] bool push(Node* newest, Node* oldest) noexcept {
    // A guess, which holds for a word at rest. To look first would bring the line here twice: once to read it, and once
    // more to write it.
    std::uint64_t seen = 0;
    std::uint64_t wanted;
    do {
      oldest->next = node_of(seen);
      wanted = address_of(newest) | (seen & (Sync::planted(sync::fault::push_hides_busy) ? 0 : bits));
      // seq_cst: publishes the nodes to the gulp, and stands before the waker's look at the owner's eventcount.
      // relaxed on failure: re-checked by the next CAS.
    } while (!word_.compare_exchange_weak(seen, wanted, std::memory_order_seq_cst, std::memory_order_relaxed));
    return seen == 0 && !Sync::planted(sync::fault::announce_always_skipped);
  }

  // Says that the inbox has messages. True: the shard was idle, the caller announces it.
  [[nodiscard]] bool post_mail() noexcept {
    return word_.fetch_or(mail, std::memory_order_seq_cst) == 0 && !Sync::planted(sync::fault::announce_always_skipped);
  }

  // A hint from anywhere; exact for a worker that is about to park, because it is seq_cst.
  [[nodiscard]] bool eligible() const noexcept {
    const std::uint64_t seen = word_.load(std::memory_order_seq_cst);
    return seen != 0 && (seen & held) == 0;
  }

  // True: nothing is there, and no worker holds the shard.
  // relaxed: hint, for senders and thieves that may choose.
  [[nodiscard]] bool is_idle() const noexcept { return word_.load(std::memory_order_relaxed) == 0; }
  // relaxed: hint, as above. True: a worker runs the shard.
  [[nodiscard]] bool is_held() const noexcept { return (word_.load(std::memory_order_relaxed) & held) != 0; }
  // relaxed: hint, for a holder that may wait until more has come.
  [[nodiscard]] bool has_mail() const noexcept { return (word_.load(std::memory_order_relaxed) & mail) != 0; }
  // True: nothing came since the holder gulped. It is a hint for the holder, which finds out for certain when it lets
  // go. But a push that the last holder of another shard made here before it let go of that one is seen by the worker
  // that has taken that one over.
  // relaxed: hint; and what happened before the try_hold or try_gulp of this thread cannot be missed.
  [[nodiscard]] bool nothing_came() const noexcept { return word_.load(std::memory_order_relaxed) == held; }

  // As is_idle, and the caller sees what the last holder did before it let go.
  // acquire: observes that. pairs: shard_word.release
  [[nodiscard]] bool is_at_rest() const noexcept { return word_.load(std::memory_order_acquire) == 0; }

  // Becomes the holder of an idle shard, to bring it messages without a push. False: it is not idle.
  [[nodiscard]] bool try_hold() noexcept {
    if (Sync::planted(sync::fault::hold_without_look)) {
      word_.fetch_or(held);
      return true;
    }
    std::uint64_t expected = 0;
    // acquire: observes the last holder's private queue. pairs: shard_word.release
    // relaxed on failure: hint; the caller pushes instead.
    return word_.compare_exchange_strong(expected, held, std::memory_order_acquire, std::memory_order_relaxed);
  }

  // While it lives, no worker can take up the shard: for a thread that brings mail which must not come behind a
  // handler. The thread holds the shard only if that is idle, and lets go of it without having touched its lane.
  // REQUIRES: when this object has ended, the caller announces the shard, also for others that have brought something
  // meanwhile.
  class hold_while_idle {
   public:
    explicit hold_while_idle(shard_word& word) noexcept : word_(word), holds_(word.is_idle() && word.try_hold()) {}
    hold_while_idle(const hold_while_idle&) = delete;
    hold_while_idle& operator=(const hold_while_idle&) = delete;
    ~hold_while_idle() {
      if (holds_) word_.hand_over();
    }
    [[nodiscard]] bool holds() const noexcept { return holds_; }

   private:
    shard_word& word_;
    const bool holds_;
  };

  // Becomes the holder and takes everything. False: nothing is there, or another worker holds it (a missed gulp).
  [[nodiscard]] bool try_gulp(gulped<Node>& out) noexcept {
    // relaxed: re-checked by the next CAS.
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    do {
      if (seen == 0 || (seen & held) != 0) return false;
      // acquire: observes the senders' nodes (pairs: shard_word.push) and the last holder's private queue.
      // pairs: shard_word.release
      // relaxed on failure: re-checked by the next CAS.
    } while (!word_.compare_exchange_weak(seen, held, std::memory_order_acquire, std::memory_order_relaxed));
    out = taken(seen);
    return true;
  }

  // Takes what came since the last gulp. REQUIRES: the caller is the holder.
  [[nodiscard]] gulped<Node> gulp() noexcept {
    // acquire: observes the senders' nodes. pairs: shard_word.push
    return taken(word_.exchange(held, std::memory_order_acquire));
  }

  // Lets go of an empty shard. False: something came meanwhile, and the caller still holds it.
  [[nodiscard]] bool release() noexcept {
    if (Sync::planted(sync::fault::release_without_recheck)) {
      word_.store(0, std::memory_order_seq_cst);
      return true;
    }
    std::uint64_t expected = held;
    // release: publishes the private queue to the next holder. pairs: shard_word.release
    // relaxed on failure: the caller gulps, which acquires.
    return word_.compare_exchange_strong(expected, 0, std::memory_order_release, std::memory_order_relaxed);
  }

  // Lets go although something came: the private queue is empty, the word is not. As with release_with_rest, no worker
  // is told.
  void hand_over() noexcept {
    // seq_cst: stands before the caller's look at the owner of the shard.
    // release: publishes the private queue to the next holder. pairs: shard_word.release
    word_.fetch_and(~held, std::memory_order_seq_cst);
  }

  // Lets go of a shard whose private queue still holds messages. No worker is told of them: the caller looks at the
  // shard again, or tells its owner.
  void release_with_rest() noexcept {
    const std::uint64_t flip = Sync::planted(sync::fault::release_forgets_rest) ? held : held | rest;
    // While held, held is 1 and rest is 0, so one flip clears the one and sets the other, whatever is pushed meanwhile.
    // seq_cst: as in hand_over.
    // release: publishes the private queue to the next holder. pairs: shard_word.release
    word_.fetch_xor(flip, std::memory_order_seq_cst);
  }

 private:
  static constexpr std::uint64_t held = 1;
  static constexpr std::uint64_t rest = 2;
  static constexpr std::uint64_t mail = 4;
  static constexpr std::uint64_t bits = held | rest | mail;

  static Node* node_of(std::uint64_t word) noexcept {
    return reinterpret_cast<Node*>(static_cast<std::uintptr_t>(word & ~bits));
  }
  static std::uint64_t address_of(Node* node) noexcept { return reinterpret_cast<std::uintptr_t>(node); }

  // The list in the word runs newest first; readers want the order of arrival.
  static gulped<Node> taken(std::uint64_t word) noexcept {
    Node* oldest = nullptr;
    for (Node* node = node_of(word); node != nullptr;) {
      Node* next = node->next;
      // The line behind the head of the node comes while the next node is waited for.
      base::prefetch(reinterpret_cast<const std::byte*>(node) + 64);
      node->next = oldest;
      oldest = node;
      node = next;
    }
    return {oldest, (word & mail) != 0};
  }

  // Values: see above. Written by senders (push, post_mail) and by the holder.
  typename Sync::template atomic<std::uint64_t> word_{0};
};

}  // namespace tact::mailbox
