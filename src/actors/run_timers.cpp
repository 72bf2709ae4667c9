#include "actors/run_timers.hpp"

#include <algorithm>
#include <utility>

#include "actors/cancelled_asks.hpp"
#include "actors/failures.hpp"
#include "actors/this_thread.hpp"
#include "actors/timers.hpp"
#include "actors/transactor.hpp"
#include "base/blocks.hpp"
#include "sync/system.hpp"

namespace tact::detail {

using actors::timers;

actors::staged_timers& run_timers::prepare() {
  if (staged_ == nullptr) {
    base::look_for_memory();
    staged_ = std::make_unique<actors::staged_timers>(run_.engine().timed().store());
  }
  return *staged_;
}

void* run_timers::stage(port to, const message_type& type, const due_time& when, const timer_again* again,
                        timer_id& made) {
  run_.engine().timed().start();
  actors::staged_timers& staged = prepare();
  timer_record& r = staged.spare.take();
  try {
    r.extra = timer_extra::make(again, run_.context);
  } catch (...) {
    staged.spare.give(r);
    throw;
  }
  r.to = to;
  r.type = &type;
  r.due_ns = when.ns;
  staged.made[static_cast<unsigned>(when.since)].add(r);
  run_.journal().note_other();
  run_.debt().settle(to);
  made = {&r, r.word.key_of_free()};
  return r.payload;
}

void run_timers::stage_cancel(timer_id id) {
  if (id.record == nullptr) return;
  prepare().cancelled.push_back(id);
  run_.journal().note_other();
}

void run_timers::carry_out() noexcept {
  const actors::this_thread::callback outside;
  if (!staged_->cancelled.empty()) cancel();
  set();
  if (staged_->idle != nullptr) staged_->idle->commit(transactor::of(run_));
}

// A timer that this run itself has staged is not set yet, and no other thread knows its record: it is just taken back.
void run_timers::cancel() noexcept {
  actors::staged_timers& staged = *staged_;
  const auto end = [this](timer_record& r) {
    cancelled_.add(1);
    if (const port customer = timers::customer_of(r)) notifier_.tell(customer, timers::cancelled_notice());
    timers::end_message(r, true);
  };
  const auto give = [&](timer_record& r) { staged.spare.give(r); };
  for (const timer_id id : staged.cancelled) {
    if (actors::timer_region::of(*id.record).gate.load() != &run_.engine().gate()) {
      static_cast<void>(revoke_timer(id, false));
    } else if (!run_.engine().timed().cancel(id, false, end, give) && staged.take_back(id)) {
      timers::end_message(*id.record, false);
      id.record->word.skip();
      give(*id.record);
    }
  }
  staged.cancelled.clear();
}

// All timers of the run are put on the inbox as one chain, and count from the same moment.
void run_timers::set() noexcept {
  actors::staged_timers& staged = *staged_;
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
      run_.debt().settle(timers::customer_of(*r));
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
  set_.add(count);
  staged.set_in_a_row += count;
  const bool anyway = staged.set_in_a_row >= timers::set_without_a_look;
  if (anyway) staged.set_in_a_row = 0;
  run_.engine().timed().set(*first, *last, earliest, anyway);
  for (const auto& f : staged.flagged) end_if_over(*f.context, f.id);
  staged.forget_flagged();
}

void run_timers::note_flags(timer_id id, const context_node& c) {
  note_ask(c, id);
  prepare().flagged.push_back({id, &c});
  static_cast<void>(hold(&c));
}

actors::staged_idle& run_timers::idle() {
  actors::staged_timers& staged = prepare();
  if (staged.idle == nullptr) staged.idle = std::make_unique<actors::staged_idle>(*this);
  return *staged.idle;
}

timer_record& run_timers::take_record() { return prepare().spare.take(); }

timer_record* run_timers::try_take_record() noexcept {
  try {
    return &take_record();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

timer_id run_timers::set_record(timer_record& r, port to, const message_type& type, std::int64_t due_ns) noexcept {
  r.to = to;
  r.type = &type;
  r.extra = nullptr;
  r.due_ns = due_ns;
  const timer_id made{&r, r.word.begin()};
  set_.add(1);
  run_.engine().timed().set(r, r, due_ns, true);
  return made;
}

void run_timers::throw_away() noexcept {
  actors::staged_timers& staged = *staged_;
  if (staged.idle != nullptr) staged.idle->abort();
  staged.cancelled.clear();
  for (actors::staged_timers::list& l : staged.made) {
    for (timer_record* r = std::exchange(l, {}).first; r != nullptr;) {
      timer_record& one = *std::exchange(r, r->next);
      timers::end_message(one, false);
      one.word.skip();  // the handler may have kept the handle
      staged.spare.give(one);
    }
  }
  staged.forget_flagged();
}

void run_timers::trim() noexcept {
  if (staged_ != nullptr) staged_->spare.trim();
}

void* stage_timer(run& r, port to, const message_type& type, const due_time& when, const timer_again* again,
                  timer_id& made) {
  return transactor::of(r).timers().stage(to, type, when, again, made);
}
void* stage_idle(run& r, port to, const message_type& type, const timer_again& again) {
  return transactor::of(r).timers().idle().stage(transactor::of(r), to, type, again);
}
void stage_never_idle(run& r) { transactor::of(r).timers().idle().stage_end(transactor::of(r)); }

}  // namespace tact::detail
