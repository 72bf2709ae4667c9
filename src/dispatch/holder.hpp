// How shards and offices are held, run, held together, dealt out and let go: one kernel for workers and helpers.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch/worker_counters.hpp"
#include "mailbox/chunk.hpp"
#include "mailbox/shard_word.hpp"
#include "sync/fault.hpp"

namespace tact::dispatch {

// Desk: dispatch::desk; in the explorer's tests the same over its own atomics. It has the dispatcher, the runner, the
// outboxes and the chunks of this thread, and what is held.
//
// Invariants: (1) a shard or an office is let go only after every outbox was flushed, and none is open for a shard that
// is held; (2) who takes a shard sees, and runs before it, all that was sent to it before by who held it; (3) no
// pointer to a behaviour is kept from one hold to the next; (4) who leaves messages behind in a shard or an office of
// another worker tells that worker. Protocol pages: docs/protocols/office.md, docs/protocols/joint_hold.md.
//
// Thread safety: the thread of the desk only.
template <class Desk>
class holder : public Desk {
 public:
  using policy = typename Desk::policy;
  using shard = typename Desk::shard;
  using office = typename Desk::office;
  using chunk = mailbox::chunk;

  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }

  // -- the desk's
  [[nodiscard]] bool join(std::uint32_t number) noexcept override;
  [[nodiscard]] bool take_in(shard& s) noexcept override;
  [[nodiscard]] bool rather_keeps() noexcept override;

 protected:
  template <class... Arguments>
  explicit holder(Arguments&&... arguments);
  ~holder() = default;

  // -- what the holder asks of its thread
  // Shard i of those that this thread looks at; null: there is none just now.
  [[nodiscard]] virtual std::size_t own_shards() const noexcept = 0;
  [[nodiscard]] virtual shard* own_shard(std::size_t i) const noexcept = 0;
  [[nodiscard]] virtual bool anything_eligible() const noexcept = 0;
  // What is left waits for another turn, or for the end.
  [[nodiscard]] virtual bool stops() const noexcept = 0;
  // It takes up messages; it has run some, and holds no behaviour.
  virtual void takes_up() noexcept = 0;
  virtual void has_run() noexcept = 0;
  // Gives senders a moment in which more may come: see let_more_come.
  virtual void pause() const noexcept = 0;

  // -- holding
  // Looks at each own office and shard once, until the turn is over. Calls begins() before and ended(n) after the n-th
  // hold. Returns how many there were.
  template <class Begins, class Ended>
  unsigned look_round(Begins begins, Ended ended);
  // Runs what waits there, if nobody else does.
  void hold(shard& s);
  void hold_stolen(shard& s);  // the same for the first time
  void hold(office& o);
  // To the words of the shards, from where anybody may take it. False: nothing was there, or somebody else deals it
  // out.
  bool deal_out_for_others(office& o);
  // Takes what came. False: nothing was there, or somebody else holds it.
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

  using Desk::chunks_;
  using Desk::flush;
  using Desk::held_;
  using Desk::index_;
  using Desk::outboxes_;
  using Desk::owner_;
  using Desk::runner_;

 private:
  std::uint64_t last_gulp_ = 0;  // messages
  std::vector<office*> taken_;   // those that are held
  bool is_alone_ = false;        // the shard that is run is held without others
  office* kept_ = nullptr;       // to which it has sent, and which it deals out next, instead of telling anybody
};

template <class Desk>
template <class... Arguments>
holder<Desk>::holder(Arguments&&... arguments) : Desk(static_cast<Arguments&&>(arguments)...) {
  taken_.reserve(owner_->worker_count());
}

template <class Desk>
template <class Begins, class Ended>
unsigned holder<Desk>::look_round(Begins begins, Ended ended) {
  unsigned found = 0;
  for (std::uint32_t o = index_; o < owner_->worker_count() && !stops(); o += owner_->running()) {
    if (!owner_->office_at(o).word.eligible()) continue;
    begins();
    hold(owner_->office_at(o));
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
