// Timers that a run sets and cancels: they are staged, and carried out at its commit. docs/protocols/timers.md.
#include <algorithm>
#include <new>
#include <utility>

#include "actors/failures.hpp"
#include "actors/staged_timers.hpp"
#include "actors/this_thread.hpp"
#include "actors/timers.hpp"
#include "actors/transactor.hpp"
#include "sync/system.hpp"

namespace tact::detail {

using actors::timers;

actors::staged_timers& transactor::staged_timers() {
  if (timers_ == nullptr) {
    base::look_for_memory();
    timers_ = std::make_unique<actors::staged_timers>(engine_->timed().store());
  }
  return *timers_;
}

// -- staging

void* transactor::stage_timer(port to, const message_type& type, const due_time& when, const timer_again* again,
                              timer_id& made) {
  engine_->timed().start();
  actors::staged_timers& staged = staged_timers();
  timer_record& r = staged.spare.take();
  try {
    r.extra = timer_extra::make(again, context);
  } catch (...) {
    staged.spare.give(r);
    throw;
  }
  r.to = to;
  r.type = &type;
  r.due_ns = when.ns;
  staged.made[static_cast<unsigned>(when.since)].add(r);
  journal_.note_other();
  if (debt_ != 0 && same_actor(to, debt_)) debt_ = 0;
  made = {&r, r.word.key_of_free()};
  return r.payload;
}

void transactor::stage_cancel(timer_id id) {
  if (id.record == nullptr) return;
  staged_timers().cancelled.push_back(id);
  journal_.note_other();
}

// -- the end of a run

void transactor::commit_timers() noexcept {
  const actors::this_thread::callback outside;
  if (!timers_->cancelled.empty()) cancel_timers();
  set_timers();
}

// A timer that this run itself has staged is not set yet, and no other thread knows its record: it is just taken back.
void transactor::cancel_timers() noexcept {
  actors::staged_timers& staged = *timers_;
  const auto end = [this](timer_record& r) {
    timers_cancelled_.add(1);
    if (const port customer = timers::customer_of(r)) tell(customer, timers::cancelled_notice());
    timers::end_message(r, true);
  };
  const auto give = [&](timer_record& r) { staged.spare.give(r); };
  for (const timer_id id : staged.cancelled) {
    if (actors::timer_slab::of(*id.record).gate.load() != &engine_->gate()) {
      static_cast<void>(cancel_timer(id, false));
    } else if (!engine_->timed().cancel(id, false, end, give) && staged.take_back(id)) {
      timers::end_message(*id.record, false);
      give(*id.record);
    }
  }
  staged.cancelled.clear();
}

// All timers of the run are put on the inbox as one chain, and count from the same moment.
void transactor::set_timers() noexcept {
  actors::staged_timers& staged = *timers_;
  timer_record* first = nullptr;
  timer_record* last = nullptr;
  std::int64_t earliest = due_time::never;
  unsigned count = 0;
  sync::time_point now;
  for (unsigned since = 0; since < std::size(staged.made); ++since) {
    actors::staged_timers::list& l = staged.made[since];
    if (l.first == nullptr) continue;
    if (count == 0) now = sync::clock::now();
    for (timer_record* r = l.first; r != nullptr; r = r->next) {
      static_cast<void>(r->word.begin());
      r->due_ns = timers::due_ns({static_cast<due_time::from>(since), r->due_ns}, now);
      earliest = std::min(earliest, r->due_ns);
      // A run that passes its request on, in a timer, owes no answer to it any more.
      if (debt_ != 0 && same_actor(timers::customer_of(*r), debt_)) debt_ = 0;
      ++count;
      if (r->next == nullptr) {
        r->next = std::exchange(first, l.first);
        if (last == nullptr) last = r;
        break;
      }
    }
    l = {};
  }
  if (count == 0) return;
  timers_set_.add(count);
  staged.set_in_a_row += count;
  const bool anyway = staged.set_in_a_row >= timers::set_without_a_look;
  if (anyway) staged.set_in_a_row = 0;
  engine_->timed().set(*first, *last, earliest, anyway);
}

void transactor::abort_timers() noexcept {
  actors::staged_timers& staged = *timers_;
  staged.cancelled.clear();
  for (actors::staged_timers::list& l : staged.made) {
    for (timer_record* r = std::exchange(l, {}).first; r != nullptr;) {
      timer_record& one = *std::exchange(r, r->next);
      timers::end_message(one, false);
      staged.spare.give(one);
    }
  }
}

void* stage_timer(run& r, port to, const message_type& type, const due_time& when, const timer_again* again,
                  timer_id& made) {
  return transactor::of(r).stage_timer(to, type, when, again, made);
}
void stage_cancel(run& r, timer_id id) { transactor::of(r).stage_cancel(id); }

}  // namespace tact::detail
