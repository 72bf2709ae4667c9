// How shards and offices are held, run, held together, dealt out and let go: one template for workers and helpers.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch/worker_counters.hpp"
#include "mailbox/chunk.hpp"
#include "mailbox/shard_word.hpp"
#include "sync/fault.hpp"

namespace tact::dispatch {

// `Context` is dispatch::worker_context; in the explorer's tests it is a worker context over the explorer's atomics. It
// has the dispatcher, and the runner, the outboxes, the chunks and the list of held shards of this thread.
//
// Invariants: (1) a shard or an office is let go only after every outbox was flushed, and no outbox is open for a shard
// that is held; (2) a holder that takes a shard sees all that the shard's last holder has sent to the shards that are
// held here, and runs that before what the shard's actors send from then on; (3) no pointer to a behaviour is kept from
// one hold to the next; (4) a holder that leaves messages behind in a shard or an office of another worker tells that
// worker. Protocol pages: docs/protocols/office.md, docs/protocols/joint_hold.md.
//
// Thread safety: the thread of the worker context only.
template <class Context>
class holder : public Context {
 public:
  using policy = typename Context::policy;
  using shard = typename Context::shard;
  using office = typename Context::office;
  using chunk = mailbox::chunk;

  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

  // -- dispatch::worker_context
  [[nodiscard]] bool join(std::uint32_t number) noexcept override;
  [[nodiscard]] bool take_in(shard& s) noexcept override;
  [[nodiscard]] bool rather_keeps() noexcept override;

 protected:
  template <class... Arguments>
  explicit holder(Arguments&&... arguments);
  ~holder() = default;

  // -- what the holder asks of its thread
  // How many shards this thread looks at, and the i-th of them. Null: the slot of that shard is empty just now.
  [[nodiscard]] virtual std::size_t own_shards() const noexcept = 0;
  [[nodiscard]] virtual shard* own_shard(std::size_t i) const noexcept = 0;
  [[nodiscard]] virtual bool anything_eligible() const noexcept = 0;
  // This thread runs no more messages: those that are left wait for another turn, or for the end of the engine.
  [[nodiscard]] virtual bool stops() const noexcept = 0;
  // Called when the thread takes up messages, and when it has run some and holds no behaviour.
  virtual void takes_up() noexcept = 0;
  virtual void has_run() noexcept = 0;
  // Waits for a moment, in which more messages may come: see let_more_come.
  virtual void pause() const noexcept = 0;

  // -- holding
  // Looks once at each office and each shard of this thread, and holds those that are eligible, until the turn is over.
  // Calls begins() before and ended(n) after the n-th hold. Returns the number of holds.
  template <class Begins, class Ended>
  unsigned look_round(Begins begins, Ended ended);
  // Holds the shard and runs what waits there, unless another thread holds it.
  void hold(shard& s);
  void hold_stolen(shard& s);  // the same, when this thread has just stolen the shard
  void hold(office& o);        // the same for an office: it is dealt out, and what came into the lane is run
  // Deals out all that is in the office to the words of its shards, where any thread may take it. False: nothing was
  // there, or another thread deals it out.
  bool deal_out_for_others(office& o);
  // Becomes the shard's holder and takes what came. False: nothing was there, or another thread holds the shard.
  [[nodiscard]] bool gulp(shard& s) noexcept;
  void let_go(shard& s) noexcept;

 private:
  // -- holder_run.hpp
  void hold_office(office& o);
  std::uint64_t count_gulp(std::uint64_t messages) noexcept;
  void run_held(shard& s);
  void run_until_empty(shard& s);
  void let_more_come(const shard& s) const noexcept;
  void left_behind(const shard& s) noexcept;
  void run_kept();
  void flush_or_keep(bool may);
  [[nodiscard]] office* only_outbox_to_sleeper() const noexcept;
  [[nodiscard]] bool may_keep(const shard& held) const noexcept;
  // -- holder_join.hpp
  [[nodiscard]] bool may_take_over(const shard& s) const noexcept;
  [[nodiscard]] bool is_for_me(const shard& s) const noexcept;
  [[nodiscard]] bool anything_came(const shard& for_this) const noexcept;
  [[nodiscard]] bool goes_on(shard& s);
  void return_foreign() noexcept;
  [[nodiscard]] bool heavy_waits() const noexcept;
  void take(shard& s, const mailbox::gulped<chunk>& what, shard& into) noexcept;
  void add(shard& s) noexcept;
  void part(shard& s);
  // -- holder_office.hpp
  [[nodiscard]] bool take(office& o) noexcept;
  [[nodiscard]] bool has_taken(std::uint32_t i) const noexcept;
  [[nodiscard]] bool take_offices(const shard& into) noexcept;
  void let_go_offices() noexcept;
  [[nodiscard]] shard* take_first(office& o);
  void gather(shard& into);
  void gather_shards(shard& into);
  void gather_words(shard& into);
  [[nodiscard]] bool is_complete(const office& o) const noexcept;
  void complete(office& o) noexcept;
  void deal_into(office& o, shard& into);

  [[nodiscard]] static constexpr bool planted(sync::fault f) noexcept { return policy::planted(f); }

 protected:
  alignas(64) worker_counters counters_;

  using Context::chunks_;
  using Context::flush;
  using Context::held_;
  using Context::index_;
  using Context::outboxes_;
  using Context::owner_;
  using Context::runner_;

 private:
  std::uint64_t last_gulp_ = 0;  // messages
  std::vector<office*> taken_;   // the offices that are held
  bool is_alone_ = false;        // no shard is to be joined to the one that is run
  office* kept_ = nullptr;       // this thread has sent to it, and deals it out next instead of announcing it
};

template <class Context>
template <class... Arguments>
holder<Context>::holder(Arguments&&... arguments) : Context(static_cast<Arguments&&>(arguments)...) {
  taken_.reserve(owner_->worker_count());
}

template <class Context>
template <class Begins, class Ended>
unsigned holder<Context>::look_round(Begins begins, Ended ended) {
  unsigned found = 0;
  for (std::uint32_t o = index_; o < owner_->worker_count() && !stops(); o += owner_->running()) {
    if (!owner_->mail().office_at(o).word.eligible()) continue;
    begins();
    hold(owner_->mail().office_at(o));
    ended(++found);
  }
  for (std::size_t i = 0, size = own_shards(); i < size; ++i) {
    shard* const s = own_shard(i);
    if (s == nullptr || !s->word.eligible()) continue;
    if (stops()) break;
    begins();
    hold(*s);
    ended(++found);
  }
  return found;
}

}  // namespace tact::dispatch
