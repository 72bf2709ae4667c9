#include "actors/run/transactor.hpp"

#include <new>
#include <utility>

#include "actors/cells/closures.hpp"
#include "actors/cells/look_ahead.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_notices.hpp"
#include "base/blocks.hpp"
#include "fiber/faults.hpp"
#include "sync/thread.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

using mailbox::envelope;

transactor::transactor(const surroundings& s, dispatch::worker_context& d)
    : run_state(s.identity.number(), s.options, s.workers, s.cells, d, s.recorded),
      engine_(s.engine),
      runs_(s.runs),
      census_(s.counts),
      store_(s.cells),
      seating_(s.seating),
      reports_(s.reports),
      pins_(s.parked.pins),
      timed_(s.timed),
      router_(*this),
      core_sender_(*this, router_, s.admitted, s.buried),
      admission_(*this, router_, core_sender_, s.admitted),
      late_sends_(*this, router_, core_sender_, admission_),
      reclaimer_(*this, s.disposed, s.creations),
      creations_(*this, s.creations, s.options.report_alive),
      setter_(*this, s.timed),
      idle_(*this, setter_, s.classic_watches, s.parked.pins),
      timers_(*this, core_sender_, setter_, idle_, s.identity.gate()),
      lifecycle_(*this, router_, core_sender_, admission_, reclaimer_),
      homing_(*this, s.options.home_stretch),
      front_(*this),
      restarter_(*this, {front_, router_, reclaimer_, lifecycle_, late_sends_}, s.options, s.reports, s.timed),
      committer_(*this, parts(s.buried), s.options.collisions_max, s.reports),
      rehearser_(*this, committer_, admission_, s.reports),
      parker_(*this, *this, committer_, parts(s.buried), rehearser_, s.parked, s.progress),
      interpreter_(*this, committer_, parts(s.buried), parker_, rehearser_, s.options.rehearse),
      joins_holds_(s.options.joint_holds && s.options.workers != 0 && d.is_worker()),
      visit_(s.identity) {}

committer::parts transactor::parts(burial& buried) noexcept {
  return {router_,    creations_, timers_, core_sender_, admission_, late_sends_,
          reclaimer_, lifecycle_, homing_, restarter_,   front_,     {setter_, router_, buried}};
}

dispatch::lane_measures transactor::measures() const noexcept { return measured(joins_holds_); }

void transactor::enter_roll() noexcept {
  if (std::exchange(is_on_roll_, true)) return;
  runs_.add(*this);
  if (watched().is_recorded()) watched().begin();
}

void transactor::on_start() noexcept {
  enter_roll();
  worker().note_thread(sync::thread::number_in_system());
  visit_.begin();
  outer_run_ = this_thread::worker();
  this_thread::set_worker(this);
  if (sync::system::current() == nullptr && !is_pumped()) fiber::watch_faults(&note_fault);
  if (simulation() != nullptr || is_pumped() || worker().is_helper() || worker().is_loop())
    // In a simulation all workers are fibers of one thread; in the other cases the thread is the user's.
    return;
  own_stack_ = fiber::thread_stack::of_this_thread();
  worker().is_blocking() ? seating_.sit_nowhere() : seating_.sit_down(worker().index());
  if (worker().is_worker()) base::settle_blocks(base::place_of_worker(worker().index()));
}

void transactor::on_leave() noexcept {
  worker().note_thread(0);
  this_thread::set_worker(outer_run_);
  visit_.end();
}

void transactor::note(deed what) noexcept {
  using detail::trace_step;
  detail::trace_track* const to = watched().shows_all() ? watched().opened_track() : nullptr;
  if (to == nullptr) return;
  to->write({.step = what == deed::parked ? trace_step::parked
                     : what == deed::woke ? trace_step::woke
                                          : trace_step::stole});
}

void transactor::trim() noexcept {
  if (!worker().is_blocking()) {
    auto& epochs = workers().reclamation();
    epochs.online(worker().index());
    reclaimer_.adopt_withdrawn();
    epochs.offline(worker().index());
  }
  cells().trim();
  setter_.trim();
  parker_.trim();
  pins_.trim();
  reports_.tell_left_out();
  base::trim_blocks();
}

bool transactor::trim_shared() noexcept { return store_.rest() || timed_.rest() || base::trim_shared_blocks(); }

// -- the lane

void transactor::run_lane(mailbox::shard& held) {
  const bool is_blocking = worker().is_blocking();
  if (watched().is_on() && watched().opened_track() != nullptr) watched().opened_track()->pause();
  enter_lane(held);
  const bool is_alone = worker().held().is_first_alone();
  is_blocking || ending_
      ? meter().begin_hold_of_one()
      : meter().begin_hold(sent(),
                           {.is_measured = !is_alone,
                            .known_ns = is_alone ? held.own_ns.read() : 0,
                            .goes_on = std::exchange(hold_, worker().held().holds()) == worker().held().holds()});
  interpreter_.fetch_behaviors(store_.room() > look_ahead::cached_cells);
  waiting_at_first_ = held.lane.slots_waiting();
  if (is_pumped() && !ending_) keep_to_limit();
  look_for_sleepers();
  if (parker::may_park() && !worker().is_loop()) {
    fiber::watch_faults(&note_fault);
    parker_.run_on_stacks();
  } else {
    run_messages();
  }
  reclaimer_.settle();
  // Behaviours that have been freed meanwhile may have been the last owners of actors.
  lifecycle_.end_owned();
  restarter_.send_orders();
  leave_lane();
  meter().end_hold(sent());
  if (is_pumped()) worker().limit().look(count_handled());
  if (!is_blocking) reclaimer_.adopt_withdrawn();
  held.ns_per_message = meter().ns_per_message();
  if (worker().held().is_first_alone()) held.own_ns.add(meter().measured_ns());
}

void transactor::run_messages() {
  for (bool more = !at().shard().lane.empty(); more;) more = goes_on(interpreter_.run_some(at().shard().lane));
}

bool transactor::goes_on(bool look_up) {
  mailbox::copy_queue& waiting_here = at().shard().lane;
  if (!journal().effects().empty()) [[unlikely]]
    interpreter_.run_effects();
  if (look_up && meter().ends_pause()) look_up = false;
  lifecycle_.end_owned();
  restarter_.send_orders();
  front_.put_back();
  const bool more = waiting_here.more(worker().chunks());
  if (!look_up || !more) return more;
  // A thread that helps has to look whether it has its answer.
  if (is_outside_kept_waiting() || worker().is_helper()) {
    static_cast<void>(housekeep());
    return false;
  }
  return meter().only_glances() || (housekeep() && !waiting_here.empty());
}

// True: threads outside wait behind messages that were sent after theirs, because all that lay in the lane when the
// hold began has been handled.
bool transactor::is_outside_kept_waiting() noexcept {
  return meter().handled_in_hold() >= waiting_at_first_ && worker().has_mail();
}

void transactor::look_for_sleepers() {
  const bool spreads = may_spread();
  if (spreads) look_at_parallel();
  if ((spreads || router_.should_show_rest()) && mailbox::has_several(at().shard().lane)) router_.share_with_sleepers();
}

bool transactor::housekeep() {
  // The next message of a blocking actor may take long, so what its last one sent must go out before. So the hold ends
  // here, after its first message, and its sends are published.
  if (worker().is_blocking() || workers().stopping() || worker().goes() || worker().rests()) return false;
  if (is_pumped() && is_limit_reached()) return false;
  if (!meter().only_starts_clock()) {
    meter().end_stretch(sent());
    reclaimer_.settle();
    publish_counters();
    if (!worker().look_up()) return false;
    router_.note_flushed();
    look_at_traffic();
    reclaimer_.adopt_withdrawn();
    // Between two messages this worker uses no behaviour, and announces that. A hold may be long, and the memory that
    // the worker has retired is needed again.
    const this_thread::callback outside;
    workers().reclamation().quiesce(worker().index());
  }
  const bool go_on = meter().next_stretch(sent());
  if (is_pumped()) keep_to_limit();
  look_for_sleepers();
  return go_on && (worker().held().is_first_alone() || worker().sharing().may_stay_joined(at().shard()));
}

bool transactor::is_limit_reached() noexcept {
  dispatch::drive_limit& most = worker().limit();
  most.look(count_handled());
  return most.is_reached();
}

void transactor::keep_to_limit() noexcept { meter().shorten(worker().limit().left(count_handled())); }

// -- the end of the engine

void transactor::end_wait(cell& waiting, mailbox::copy_queue& left) noexcept {
  enter_roll();
  run* const was = this_thread::worker();
  this_thread::set_worker(this);
  mailbox::shard office;
  office.number = waiting.where().shard();
  const unsigned slots = failure_message.slot_count();
  {
    const base::may_use_reserve sure;
    void* const place = office.lane.reserve(slots, worker().chunks());
    new ((new (place) envelope(failure_message, port_of(waiting)))->payload())
        failure(notice_of(failure_reason::engine_ended));
  }
  ++sent_before;
  ending_ = true;
  worker().held().begin(office);
  run_lane(office);
  worker().held().end();
  ending_ = false;
  router_.flush();
  publish_exactly();
  if (!office.lane.empty()) {
    const base::may_use_reserve sure;
    mailbox::move_all(office.lane, left, worker().chunks());
  }
  office.lane.recycle(worker().chunks());
  this_thread::set_worker(was);
}

// Ends an actor that was made on a loop which ends, before it handles what waits. The order to end is run from a lane
// of its own, as in end_wait. A continuation is told by the loop's own thread that no answer will come, and runs there:
// it may owe an answer itself. Its function must not run on another thread.
void transactor::end_receiver(mailbox::shard& held) noexcept {
  const envelope& e = held.lane.front();
  cell& c = cell_of(e.target());
  const auto seen = c.word.load();
  if (!is_current(e.target()) || seen.is_ended() || is_pill(e) || c.where().shard() != held.number) return;
  if (c.where().is_one_shot()) {
    const bool is_own_thread = sync::thread_state::of_this_thread().loops != nullptr;
    if ((is_own_thread && c.type()->kind == actor_kind::once) || !c.word.claim(seen)) return;
    reclaimer_.give_up_served(c);
    return end_closure(*seen.closure(), allocation::delete_);
  }
  const base::may_use_reserve sure;
  mailbox::shard apart;
  apart.number = held.number;
  void* const place = apart.lane.reserve(pill_message.slot_count(), worker().chunks());
  auto* const pill = new (place) envelope(pill_message, e.target());
  ::new (pill->payload()) end_order({allocation::finished, end_reason::loop_ended}, nullptr);
  ++sent_before;
  worker().held().lead_to(apart);
  run_lane(apart);
  worker().held().lead_to(held);
  apart.lane.recycle(worker().chunks());
}

}  // namespace tact::actors
