// How a thread deals out what has come to offices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dispatch/holding/joiner.hpp"

namespace tact::dispatch {

// Invariants: (1) an office is let go only after every outbox was flushed, and no outbox is open for a shard that is
// held; (2) a thread that leaves messages behind in an office of another worker tells that worker. Thread safety: the
// thread of the worker context only. Protocol page: docs/protocols/office.md.
template <class Context>
class office_dealer : public joiner<Context> {
  using base = joiner<Context>;

 public:
  using shard = typename base::shard;
  using office = typename Context::office;
  using chunk = typename base::chunk;

 protected:
  template <class... Arguments>
  explicit office_dealer(Arguments&&... arguments) : base(static_cast<Arguments&&>(arguments)...) {
    taken_.reserve(exchange_.worker_count());
    has_taken_.resize(exchange_.worker_count());
  }
  ~office_dealer() = default;

  // Pushes all messages of the office to their shards, where any thread may take them. False: no message was there, or
  // another thread deals the office out.
  bool deal_out_for_others(office& o);
  // Becomes the office's holder and takes what came, if anything. False: another thread holds the office.
  [[nodiscard]] bool take(office& o) noexcept;
  using base::take;
  void let_go_offices() noexcept;
  [[nodiscard]] shard* take_first(office& o);
  void gather(shard& into);

  using base::counters_;
  using base::heavy_waits;
  using base::is_for_me;
  using base::planted;
  using Context::chunks_;
  using Context::exchange_;
  using Context::flush;
  using Context::held_;
  using Context::index_;
  using Context::outboxes_;
  using Context::runner_;

 private:
  [[nodiscard]] bool has_taken(std::uint32_t i) const noexcept;
  [[nodiscard]] bool take_offices(const shard& into) noexcept;
  void gather_shards(shard& into);
  void gather_words(shard& into);
  [[nodiscard]] bool is_complete(const office& o) const noexcept;
  void complete(office& o) noexcept;
  void deal_into(office& o, shard& into);

  std::vector<office*> taken_;           // the offices that are held
  std::vector<std::uint8_t> has_taken_;  // by office: not 0 for each of these
};

template <class Context>
bool office_dealer<Context>::deal_out_for_others(office& o) {
  if (!o.word.eligible() || !take(o)) return false;
  this->sharing().deal_out(o, nullptr);
  flush();
  let_go_offices();
  return true;
}

template <class Context>
bool office_dealer<Context>::take(office& o) noexcept {
  mailbox::gulped<chunk> came;
  while (!o.word.try_gulp(came) && !o.word.try_hold()) {
    if (!o.word.is_held()) continue;
    if (!planted(sync::fault::office_taken_twice)) return false;
    break;
  }
  if (came.oldest != nullptr) this->count_gulp(o.accept(came, chunks_));
  taken_.push_back(&o);
  has_taken_[o.index] = 1;
  return true;
}

template <class Context>
bool office_dealer<Context>::has_taken(std::uint32_t i) const noexcept {
  return has_taken_[i] != 0;
}

template <class Context>
void office_dealer<Context>::let_go_offices() noexcept {
  for (office* o : taken_) {
    has_taken_[o->index] = 0;
    if (!o->waiting.empty()) {
      o->word.release_with_rest();
    } else if (o->word.release()) {
      continue;
    } else {
      o->word.hand_over();
    }
    if (exchange_.waker().owner_of_office(o->index) != index_ && !planted(sync::fault::office_not_announced)) {
      exchange_.waker().announce(*o);
    }
  }
  taken_.clear();
}

// Takes the offices of all shards that are held. False: another thread holds one of those offices now.
template <class Context>
bool office_dealer<Context>::take_offices(const shard& into) noexcept {
  if (!has_taken(into.office) && !take(exchange_.mail().office_at(into.office))) return false;
  return std::all_of(held_.offices().begin(), held_.offices().end(),
                     [this](std::uint32_t o) { return has_taken(o) || take(exchange_.mail().office_at(o)); });
}

// Takes the shard in whose lane the messages of this office are run. Null: other workers have to run them.
template <class Context>
auto office_dealer<Context>::take_first(office& o) -> shard* {
  const auto number = this->sharing().first_in(o.waiting);
  const bool is_here = number && exchange_.mail().shard_at(*number).office == o.index;
  shard& s = exchange_.mail().shard_at(is_here ? *number : o.index);
  if (!is_for_me(s, o.waiting)) return nullptr;
  mailbox::gulped<chunk> came;
  if (s.word.try_gulp(came)) {
    this->note_holder(s);
    this->count_gulp(s.accept(came, chunks_));
    return &s;
  }
  if (!s.word.try_hold()) return nullptr;
  this->note_holder(s);
  return &s;
}

// Brings all that has come for the worker's shards into this lane, and holds those shards, in this order. First it
// takes the offices, so that no other worker brings messages from there. Then it takes the shards. Then it takes what
// is in the words of the held shards, which is older than what is in the offices. Last it deals out the offices, where
// by then all lies that actors of the shards taken last have sent.
template <class Context>
void office_dealer<Context>::gather(shard& into) {
  if (take_offices(into)) {
    for (std::uint32_t o = index_; o < exchange_.worker_count(); o += exchange_.running()) {
      if (!has_taken(o) && exchange_.mail().office_at(o).word.eligible())
        static_cast<void>(take(exchange_.mail().office_at(o)));
    }
    gather_shards(into);
    if (!planted(sync::fault::words_last)) gather_words(into);
    std::size_t joined;
    do {
      joined = held_.joined().size();
      for (office* o : taken_) deal_into(*o, into);
    } while (held_.joined().size() != joined);
    if (planted(sync::fault::words_last)) gather_words(into);
  }
  if (planted(sync::fault::office_left_early)) let_go_offices();
  flush();  // publishes what was dealt out to other shards
  let_go_offices();
}

template <class Context>
void office_dealer<Context>::gather_shards(shard& into) {
  for (std::size_t i = 0; i < this->own_shards() && this->sharing().may_join(into); ++i) {
    shard* const s = this->own_shard(i);
    if (s == nullptr || !exchange_.mail().is_ordinary(s->number) || !s->word.eligible()) continue;
    if (!has_taken(s->office) && !take(exchange_.mail().office_at(s->office))) continue;
    static_cast<void>(this->take_in(*s));
  }
}

template <class Context>
void office_dealer<Context>::gather_words(shard& into) {
  if (!into.word.nothing_came()) take(into, into.word.gulp(), into);
  for (shard* s : held_.joined()) {
    if (!s->word.nothing_came()) take(*s, s->word.gulp(), into);
  }
}

template <class Context>
bool office_dealer<Context>::is_complete(const office& o) const noexcept {
  return held_.count_of(o.index) + (held_.first().office == o.index ? 1 : 0) == o.shards;
}

// Takes the shards of this office that are not held yet: with all of them in hand, the office's messages need not be
// looked at one by one.
template <class Context>
void office_dealer<Context>::complete(office& o) noexcept {
  for (std::uint32_t s = o.index; s < exchange_.mail().ordinary_shards(); s += exchange_.worker_count()) {
    if (!held_.has(s)) static_cast<void>(this->take_in(exchange_.mail().shard_at(s)));
  }
}

template <class Context>
void office_dealer<Context>::deal_into(office& o, shard& into) {
  if (!o.word.nothing_came()) this->count_gulp(o.accept(o.word.gulp(), chunks_));
  if (o.waiting.empty()) return;
  if (!is_complete(o) && o.waiting.slots_waiting() > o.shards) complete(o);
  is_complete(o) ? into.lane.append(o.waiting.take().oldest, chunks_) : this->sharing().deal_out(o, &into);
}

}  // namespace tact::dispatch
