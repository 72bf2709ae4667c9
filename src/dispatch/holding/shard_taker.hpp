// How a thread becomes the holder of a shard, takes what came there, and lets go of it.
#pragma once

#include <cstdint>
#include <utility>

#include "dispatch/holding/worker_counters.hpp"
#include "mailbox/chunk.hpp"
#include "mailbox/shard_word.hpp"
#include "sync/fault.hpp"

namespace tact::dispatch {

// `Context` is dispatch::worker_context; in the explorer's tests it is a worker context over the explorer's atomics. A
// worker context has the exchange, and the runner, the outboxes, the chunks and the list of held shards of this thread.
//
// A holder is built in four layers, each on the one before: shard_taker, joiner, office_dealer, holder. They are
// templates, so that workers, helpers and the explorer's tests run the same code.
//
// Invariant: a thread that leaves messages behind in a shard of another worker tells that worker. Thread safety: the
// thread of the worker context only. Protocol page: docs/protocols/shard_word.md.
template <class Context>
class shard_taker : public Context {
 public:
  using policy = typename Context::policy;
  using shard = typename Context::shard;
  using chunk = mailbox::chunk;

  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

 protected:
  using Context::Context;
  ~shard_taker() = default;

  // -- what the layers ask of their thread
  // This thread runs no more messages: those that are left wait for another turn, or for the end of the engine.
  [[nodiscard]] virtual bool stops() const noexcept = 0;
  // Waits for a moment, in which more messages may come: see let_more_come.
  virtual void pause() const noexcept = 0;

  // Becomes the shard's holder and takes what came. False: nothing was there, or another thread holds the shard.
  [[nodiscard]] bool gulp(shard& s) noexcept;
  // Brings what was taken from the word of `s`, which this thread holds, into the lane of `into`.
  void take(shard& s, const mailbox::gulped<chunk>& what, shard& into) noexcept;
  std::uint64_t count_gulp(std::uint64_t messages) noexcept;
  void let_more_come(const shard& s) const noexcept;
  void let_go(shard& s) noexcept;
  // Called when this thread has become the shard's holder. What the actors of the shard have sent before may lie behind
  // a chunk that this thread has left open.
  void note_holder(shard& s) noexcept {
    if (std::exchange(s.last_holder, &outboxes_) != &outboxes_ && !planted(sync::fault::added_past_others))
      outboxes_.add_no_more();
  }
  void left_behind(const shard& s) noexcept;

  [[nodiscard]] static constexpr bool planted(sync::fault f) noexcept { return policy::planted(f); }

  alignas(64) worker_counters counters_;

  using Context::chunks_;
  using Context::exchange_;
  using Context::index_;
  using Context::outboxes_;

 private:
  std::uint64_t last_gulp_ = 0;  // messages
};

template <class Context>
bool shard_taker<Context>::gulp(shard& s) noexcept {
  mailbox::gulped<chunk> came;
  if (!s.word.try_gulp(came)) {
    counters_.missed_gulps.add(1);
    return false;
  }
  note_holder(s);
  last_gulp_ = count_gulp(s.accept(came, chunks_));
  return true;
}

template <class Context>
std::uint64_t shard_taker<Context>::count_gulp(std::uint64_t messages) noexcept {
  counters_.gulps.add(1);
  counters_.gulped.add(messages);
  return messages;
}

template <class Context>
void shard_taker<Context>::take(shard& s, const mailbox::gulped<chunk>& what, shard& into) noexcept {
  s.ns_per_message = into.ns_per_message;
  last_gulp_ = count_gulp(s.accept(what, chunks_, into.lane));
}

// Each gulp slows down a thread outside that sends message after message, because it takes away that thread's cache
// lines. So a few large gulps are better than many small ones.
template <class Context>
void shard_taker<Context>::let_more_come(const shard& s) const noexcept {
  if (last_gulp_ < Context::small_gulp && s.word.has_mail()) pause();
}

// Announces a shard in which messages are left, if another worker owns it: it may have been stolen while it was held. A
// worker's own shards need no announcement, because the worker looks at them before it parks.
template <class Context>
void shard_taker<Context>::left_behind(const shard& s) noexcept {
  if (s.owner.load() != index_ && !planted(sync::fault::rest_not_announced)) exchange_.waker().announce(s);
}

template <class Context>
void shard_taker<Context>::let_go(shard& s) noexcept {
  if (!s.lane.empty() && !planted(sync::fault::separate_forgets)) {
    s.word.release_with_rest();
  } else if (s.word.release()) {
    return;
  } else {
    s.word.hand_over();
  }
  left_behind(s);
}

}  // namespace tact::dispatch
