#include "actors/run/run_timers.hpp"

#include <algorithm>
#include <utility>

#include "actors/common/this_thread.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/time/cancelled_asks.hpp"
#include "actors/time/revocation.hpp"
#include "actors/time/timers.hpp"
#include "base/blocks.hpp"
#include "sync/system.hpp"

namespace tact::actors {

staged_timers& run_timers::prepare() {
  if (staged_ == nullptr) {
    base::look_for_memory();
    staged_ = std::make_unique<staged_timers>();
  }
  return *staged_;
}

void* run_timers::stage(port to, const message_type& type, const due_time& when, const timer_again* again,
                        timer_id& made) {
  setter_.start();
  staged_timers& staged = prepare();
  timer_record& r = setter_.take();
  try {
    r.extra = timer_extra::make(again, run_.context);
  } catch (...) {
    setter_.give(r);
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
  const this_thread::callback outside;
  if (!staged_->cancelled.empty()) cancel();
  set();
  idle_.commit();
}

// A timer that this run itself has staged is not set yet, and no other thread knows its record: it is just taken back.
void run_timers::cancel() noexcept {
  staged_timers& staged = *staged_;
  const auto end = [this](timer_record& r) {
    run_.counts().rare.timers_cancelled.add(1);
    if (const port customer = timers::customer_of(r)) core_sender_.tell(customer, timers::cancelled_notice());
    timers::end_message(r);
  };
  const auto give = [this](timer_record& r) { setter_.give(r); };
  for (const timer_id id : staged.cancelled) {
    if (timer_region::of(*id.record).gate.load() != &own_gate_) {
      static_cast<void>(revoke_timer(id, while_leaving::goes_on));
    } else if (!setter_.cancel(id, end, give) && staged.take_back(id)) {
      timers::end_unset(*id.record);
      id.record->word.skip();
      give(*id.record);
    }
  }
  staged.cancelled.clear();
}

// All timers of the run are put on the inbox as one chain, and count from the same moment.
void run_timers::set() noexcept {
  staged_timers& staged = *staged_;
  timer_record* first = nullptr;
  timer_record* last = nullptr;
  std::int64_t earliest = due_time::never;
  unsigned count = 0;
  sync::time_point now;
  for (unsigned since = 0; since < std::size(staged.made); ++since) {
    staged_timers::list& l = staged.made[since];
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
  setter_.set_all(*first, *last, earliest, count);
  for (const auto& f : staged.flagged) end_if_over(*f.context, f.id);
  staged.forget_flagged();
}

void run_timers::note_flags(timer_id id, const context_node& c) {
  note_ask(c, id);
  prepare().flagged.push_back({id, &c});
  static_cast<void>(hold(&c));
}

staged_idle& run_timers::idle() {
  static_cast<void>(prepare());
  return idle_;
}

void run_timers::throw_away() noexcept {
  staged_timers& staged = *staged_;
  idle_.abort();
  staged.cancelled.clear();
  for (staged_timers::list& l : staged.made) {
    for (timer_record* r = std::exchange(l, {}).first; r != nullptr;) {
      timer_record& one = *std::exchange(r, r->next);
      timers::end_unset(one);
      one.word.skip();  // the handler may have kept the handle
      setter_.give(one);
    }
  }
  staged.forget_flagged();
}

}  // namespace tact::actors
