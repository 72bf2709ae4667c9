// How a thread holds several shards at once, and runs them from one lane.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dispatch/holding/shard_taker.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::dispatch {

// Invariant: let a thread hold shard A and then take shard B as well. What B's last holder had sent to A is in the lane
// of A by then, and is run before what the actors of B send to A from then on. Thread safety: the thread of the worker
// context only. Protocol page: docs/protocols/joint_hold.md.
template <class Context>
class joiner : public shard_taker<Context> {
  using base = shard_taker<Context>;

 public:
  using shard = typename base::shard;
  using chunk = typename base::chunk;

  // -- dispatch::worker_context
  [[nodiscard]] bool join(std::uint32_t number) noexcept override;
  [[nodiscard]] bool take_in(shard& s) noexcept override;

 protected:
  using base::base;
  ~joiner() = default;

  // -- what the layers ask of their thread
  // How many shards this thread looks at, and the i-th of them. Null: the slot of that shard is empty just now.
  [[nodiscard]] virtual std::size_t own_shards() const noexcept = 0;
  [[nodiscard]] virtual shard* own_shard(std::size_t i) const noexcept = 0;

  // Are the messages for this shard to be run in that lane by this thread, if no thread holds the shard?
  [[nodiscard]] bool is_for_me(const shard& s, const mailbox::copy_queue& lane) noexcept;
  [[nodiscard]] bool heavy_waits() const noexcept;
  void return_foreign() noexcept;
  void separate(shard& s);
  // From here on no shard is joined to the one that is run, until `join_again`.
  void join_no_more() noexcept { is_alone_ = true; }
  void join_again() noexcept { is_alone_ = false; }

  using base::counters_;
  using base::planted;
  using Context::chunks_;
  using Context::exchange_;
  using Context::flush;
  using Context::held_;
  using Context::index_;
  using Context::outboxes_;
  using Context::runner_;

 private:
  [[nodiscard]] bool may_take_over(const shard& s) noexcept;
  [[nodiscard]] bool anything_came(const shard& for_this) const noexcept;
  void add(shard& s) noexcept;

  bool is_alone_ = false;
};

template <class Context>
bool joiner<Context>::join(std::uint32_t number) noexcept {
  shard& s = exchange_.mail().shard_at(number);
  if (!s.word.is_idle() || !may_take_over(s) || !s.word.try_hold()) return false;
  // While the shard was run elsewhere, its actors may have sent messages to shards that are held here: these come
  // before what those actors send from now on. And a message that was sent to the shard from here may have come through
  // its office only after the shard was taken: it comes before what is sent to the shard from now on. So the shard is
  // not joined if anything has come.
  if (anything_came(s) && !planted(sync::fault::join_without_look)) {
    this->let_go(s);
    return false;
  }
  add(s);
  return true;
}

template <class Context>
bool joiner<Context>::take_in(shard& s) noexcept {
  // If its outbox is open, a part of its messages is still on the way to it.
  if (is_alone_ || (outboxes_.is_open(s.number) && !planted(sync::fault::taken_in_past_outbox))) return false;
  if (!may_take_over(s)) return false;
  mailbox::gulped<chunk> came;
  if (!s.word.try_gulp(came) && !s.word.try_hold()) return false;
  add(s);
  mailbox::move_all(s.lane, held_.first().lane, chunks_);
  if (came.oldest != nullptr || came.mail) this->take(s, came, held_.first());
  return true;
}

template <class Context>
bool joiner<Context>::may_take_over(const shard& s) noexcept {
  return exchange_.mail().is_ordinary(s.number) && is_for_me(s, held_.first().lane);
}

// The messages for a shard are run here if they come to this thread anyway. They are also run here if the owner of the
// shard is idle, and would run its first message no sooner than this lane is over. Behind a longer lane the messages
// would wait while the owner has nothing to do. And a thread that holds a shard of another worker gets ever more
// messages, so its lane would become longer and longer.
template <class Context>
bool joiner<Context>::is_for_me(const shard& s, const mailbox::copy_queue& lane) noexcept {
  const std::uint32_t owner = s.owner.load();
  return owner == index_ || exchange_.waker().owner_of_office(s.office) == index_ ||
         (exchange_.stealing().is_idle(owner) && this->sharing().is_short(lane));
}

// Looks at the offices first: a worker lets go of an office only after it has brought what was there to the shards.
template <class Context>
bool joiner<Context>::anything_came(const shard& for_this) const noexcept {
  const auto is_at_rest = [&](std::uint32_t i) {
    return exchange_.mail().office_at(i).word.is_at_rest() || planted(sync::fault::join_without_office);
  };
  const auto& offices = held_.offices();
  if (!is_at_rest(for_this.office) || !is_at_rest(held_.first().office)) return true;
  if (!std::all_of(offices.begin(), offices.end(), is_at_rest)) return true;
  const auto& others = held_.joined();
  const auto has_some = [](const shard* s) { return !s->word.nothing_came(); };
  return has_some(&for_this) || has_some(&held_.first()) || std::any_of(others.begin(), others.end(), has_some);
}

// Lets go of joined shards whose messages come to other workers, which would have to send them on to this one.
// REQUIRES: the lane is empty, and no outbox is open.
template <class Context>
void joiner<Context>::return_foreign() noexcept {
  held_.remove_if([this](shard& s) {
    return exchange_.waker().owner_of_office(s.office) != index_ && !is_for_me(s, held_.first().lane) &&
           s.word.release();
  });
}

// True: a shard that is reserved for heavy actors waits. Such a shard is never held together with others.
template <class Context>
bool joiner<Context>::heavy_waits() const noexcept {
  for (std::size_t i = 0; i < own_shards(); ++i) {
    const shard* const s = own_shard(i);
    if (s != nullptr && !exchange_.mail().is_ordinary(s->number) && s->word.eligible()) return true;
  }
  return false;
}

template <class Context>
void joiner<Context>::add(shard& s) noexcept {
  this->note_holder(s);
  held_.add(s);
  counters_.joins.add(1);
  if (s.owner.load() != index_) counters_.adoptions.add(1);
}

// Gives each joined shard its own messages back and lets go of it, so that other workers may run it again.
template <class Context>
void joiner<Context>::separate(shard& s) {
  if (held_.is_first_alone()) return;
  this->sharing().separate(s);
  runner_->publish_counters();  // counted before others can run what goes back
  flush();
  for (shard* other : held_.joined()) this->let_go(*other);
  held_.separate();
}

}  // namespace tact::dispatch
