#include "actors/transactor.hpp"

#include <algorithm>
#include <utility>

#include "actors/failures.hpp"
#include "actors/look_ahead.hpp"
#include "actors/staged_timers.hpp"
#include "actors/this_thread.hpp"
#include "base/blocks.hpp"
#include "fiber/faults.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

namespace {

// The idle set for a thread that hands no messages to sleeping workers.
const dispatch::idle_set& nobody_idle() {
  static const dispatch::idle_set none(0);
  return none;
}

}  // namespace

transactor::transactor(core& engine, dispatch::desk& d)
    : engine_(&engine),
      simulation_(sync::system::current()),
      exclusive_base_(actors::route(0, engine.id(), actors::route::kind::exclusive).bits()),
      worker_(&d),
      journal_(*this, d.outboxes(), d.chunks()),
      cells_(engine.cells()),
      idle_(d.is_blocking() ? &nobody_idle() : &engine.workers().idle()),
      stacks_(engine.stacks(), &run_on),
      alone_(engine.options().workers_max <= 1 && engine.options().helpers_max == 0 && !d.is_blocking()),
      apart_from_(d.is_loop() ? placement::parallel : placement::heavy),
      is_pumped_(engine.options().workers == 0 && !d.is_blocking()),
      joins_(engine.options().joint_holds && d.is_worker() && !is_pumped_),
      rehearses_(engine.options().rehearse),
      home_stretch_(engine.options().home_stretch),
      grip_(handling, cell_mask),
      stay_(engine) {
  held_shards = d.held().table().data();
  shards = d.held().table().size();
  if (!d.is_blocking()) engine.workers().reclamation().set_grip(d.index(), grip_);
}

transactor::~transactor() = default;

void transactor::on_start() noexcept {
  stay_.begin();
  outer_run_ = actors::this_thread::worker();
  actors::this_thread::set_worker(this);
  if (simulation_ == nullptr && !is_pumped_) fiber::watch_faults(&note_fault);
  if (simulation_ != nullptr || is_pumped_ || worker_->is_helper() || worker_->is_loop())
    // In a simulation all workers are fibers of one thread; in the other cases the thread is the user's.
    return;
  worker_->is_blocking() ? engine_->seat_nowhere() : engine_->seat_worker(worker_->index());
}

void transactor::on_leave() noexcept {
  actors::this_thread::set_worker(outer_run_);
  stay_.end();
}

void transactor::publish_counters(bool exact) noexcept { published_.publish(tally_, sent, exact); }

bool transactor::sees_quiet() const noexcept { return engine_->is_quiet(); }

void transactor::trim() noexcept {
  if (!worker_->is_blocking()) {
    auto& epochs = engine_->workers().reclamation();
    epochs.online(worker_->index());
    adopt_withdrawn();
    epochs.offline(worker_->index());
  }
  cells_.trim();
  if (timers_ != nullptr) timers_->spare.trim();
  stacks_.trim();
  engine_->pins().trim();
  engine_->reports().tell_left_out();
  base::trim_blocks();
}

// -- the lane

void transactor::run_lane(mailbox::shard& held) {
  shard_ = &held;
  runs_lane_ = true;
  grip_.let_go();
  journal_.enter(held.lane);
  actors::this_thread::set_handler(this);
  worker_->is_blocking() || ending_ ? pace_.begin_hold_of_one()
                                    : pace_.begin_hold(sent, !worker_->held().is_first_alone());
  fetches_behaviors_ = engine_->cells().room() > actors::look_ahead::cached_cells;
  waiting_at_first_ = held.lane.slots_waiting();
  if (is_pumped_ && !ending_) keep_to_turn();
  keep_all();
  look_for_helpers();
  may_park() && !worker_->is_loop() ? run_on_stacks() : run_messages();
  // Behaviours that have been freed meanwhile may have been the last owners of actors.
  if (!without_owner_.empty()) end_owned();
  runs_lane_ = false;
  actors::this_thread::set_handler(nullptr);
  // relaxed: hint, for reports of what still runs.
  handling.store(0, std::memory_order_relaxed);
  look_at_every_send();
  grip_.rest();
  pace_.end_hold(sent);
  if (is_pumped_) worker_->this_turn().look(count_handled());
  if (!worker_->is_blocking()) adopt_withdrawn();
  held.ns_per_message = pace_.ns_per_message();
  if (worker_->held().is_first_alone()) held.own_ns.add(pace_.measured_ns());
}

void transactor::run_messages() {
  for (bool more = !shard_->lane.empty(); more;) more = goes_on(run_some(shard_->lane));
}

bool transactor::goes_on(bool look_up) {
  mailbox::copy_queue& waiting_here = shard_->lane;
  if (!without_owner_.empty()) [[unlikely]]
    end_owned();
  if (!back_.empty()) [[unlikely]] {
    const base::may_use_reserve sure;
    waiting_here.put_back(back_, worker_->chunks());
  }
  const bool more = waiting_here.more(worker_->chunks());
  if (!look_up || !more) return more;
  // A thread that helps has to look whether it has its answer.
  if (is_outside_kept_waiting() || worker_->is_helper()) {
    static_cast<void>(housekeep());
    return false;
  }
  return pace_.only_glances() || (housekeep() && !waiting_here.empty());
}

// True: threads outside wait behind messages that were sent after theirs, because all that lay in the lane when the
// hold began has been handled.
bool transactor::is_outside_kept_waiting() const noexcept {
  return pace_.handled_in_hold() >= waiting_at_first_ && worker_->has_mail();
}

bool transactor::run_some(mailbox::copy_queue& from) {
  if (simulation_ != nullptr) return run_simulated(from);
  return rehearses_ ? run_chunk<true>(from) : run_chunk<false>(from);
}

// Runs messages until the chunk that is read is at its end, or until it is time to look up. True: the latter.
template <bool Observed>
bool transactor::run_chunk(mailbox::copy_queue& from) {
  envelope* e = &from.front();
  const actors::look_ahead ahead(from, fetches_behaviors_);
  bool look_up;
  do {
    ahead.prepare(e);
    e = dispatch_next<Observed>(*e);
    from.skip_to(e);
    look_up = pace_.step();
  } while (e != from.limit() && !look_up);
  return look_up;
}

void transactor::keep_all() noexcept {
  base = exclusive_base_;
  // The thread of a blocking actor runs only messages for actors of its own shard.
  parallel_key = worker_->is_blocking() ? nobodys : engine_->id();
}

void transactor::look_for_helpers() {
  if (!idle_->any()) return;
  look_at_parallel();
  if (shard_->lane.has_several()) share();
}

bool transactor::housekeep() {
  // The next message of a blocking actor may take long, so what its last one sent must go out before. So the hold ends
  // here, after its first message, and its sends are published.
  if (worker_->is_blocking() || engine_->workers().stopping() || worker_->goes()) return false;
  if (is_pumped_ && turn_is_over()) return false;
  if (!pace_.only_starts_clock()) {
    publish_counters(false);
    if (worker_->rather_keeps()) return false;
    flush();
    worker_->look_up();
    adopt_withdrawn();
    // Between two messages this worker uses no behaviour, and announces that. A hold may be long, and the memory that
    // the worker has retired is needed again.
    const actors::this_thread::callback outside;
    engine_->workers().reclamation().quiesce(worker_->index());
  }
  const bool go_on = pace_.next_stretch(sent);
  if (is_pumped_) keep_to_turn();
  look_for_helpers();
  return go_on && (worker_->held().is_first_alone() || may_stay_joined(*shard_));
}

bool transactor::turn_is_over() noexcept {
  dispatch::turn& t = worker_->this_turn();
  t.look(count_handled());
  return t.is_over();
}

void transactor::keep_to_turn() noexcept { pace_.shorten(worker_->this_turn().left(count_handled())); }

// Hands messages that may run anywhere to the workers that sleep, so that each of them and this worker gets an equal
// part of what is waiting. It takes them from the front of the lane, and stops at the first one that belongs to this
// shard.
void transactor::share() {
  mailbox::copy_queue& waiting_here = shard_->lane;
  const unsigned waiting = waiting_here.messages_in_head();
  const unsigned more = waiting_here.has_more_chunks() ? mailbox::chunk::capacity_slots : 0;
  if (waiting == 0 || !pace_.worth_sharing(waiting - 1 + more)) return;
  const unsigned kept = (waiting + more + idle_->count()) / (idle_->count() + 1);
  for (unsigned left = std::min(waiting - 1, waiting + more - kept); left != 0; --left) {
    envelope& e = waiting_here.front();
    const auto helper = idle_->next_after(last_helper_);
    if (!helper || *helper == worker_->index()) break;
    if (e.is_forwarded() || e.is_special() || cell_of(e.target()).where().is_exclusive()) break;
    last_helper_ = *helper;
    const unsigned slots = e.slots();
    try {
      e.relocate(worker_->outboxes()
                     .open(engine_->workers().outbox_to_worker(*helper))
                     .queue.reserve(slots, worker_->chunks()));
    } catch (const std::bad_alloc&) {
      // While memory is short this worker handles all of them.
      break;
    }
    waiting_here.pop(slots, worker_->chunks());
  }
  flush();
}

void transactor::adopt_withdrawn() noexcept {
  for (cell* c = engine_->take_withdrawn(); c != nullptr;) retire_shared(*std::exchange(c, c->next_withdrawn));
}

// -- one message

template <bool Observed>
inline envelope* transactor::dispatch_next(envelope& e) {
  return e.is_plain() ? dispatch<true, Observed>(e) : dispatch<false, Observed>(e);
}

envelope* transactor::dispatch_observed(envelope& e) { return dispatch_next<true>(e); }

template <bool Plain, bool Observed>
inline envelope* transactor::dispatch(envelope& e) {
  cell& c = cell_of(e.target());
  const auto seen = c.word.load();
  // Until this is decided the closure is not looked at: that of a one-shot may have been freed, and that of an
  // exclusive actor belongs to the holder of its shard.
  const bool runs_here = seen.is_untagged() || (seen.is_home() && holds_route(c.where().bits()));
  if (!runs_here || !actors::is_current(e.target()) || (!Plain && (e.is_forwarded() || e.is_special()))) [[unlikely]] {
    const bool at_home = seen.is_home() && actors::is_current(e.target()) && holds_route(c.where().home().bits());
    at_home && !e.is_special() ? dispatch_at_home<Plain, Observed>(e, c, seen) : dispatch_other(e, c);
    return e.after();
  }
  closure& b = *seen.closure();
  if (call_behavior<Plain, Observed>(e, c, b)) [[likely]] {
    if (!journal_.plain()) [[unlikely]] {
      if (const outcome o = settle(e, c, seen); o != outcome::done) [[unlikely]]
        run_again(e, c, o);
    } else {
      finish<Plain>(e);
    }
  }
  return Plain ? &e + 1 : e.after();
}

// Runs a message of a parallel actor that is at home, and whose home shard this worker holds.
template <bool Plain, bool Observed>
void transactor::dispatch_at_home(envelope& e, cell& c, cell::word_value seen) {
  closure& b = *seen.closure();
  const unsigned index = actors::index_of(e.target());
  if (!call_behavior<Plain, Observed>(e, c, b)) return;
  if (journal_.plain()) {
    finish<Plain>(e);
  } else if (const outcome o = settle(e, c, seen); o != outcome::done) {
    return run_again(e, c, o);
  }
  ran_at_home(index, c, seen);
}

void transactor::run_again(envelope& e, cell& c, outcome o) {
  o == outcome::again ? dispatch_other(e, c) : forward(e, c);
}

void transactor::dispatch_other(envelope& e, cell& c) {
  if (e.is_special() && actors::is_token(e)) {
    // If the actor waits, the token is put aside, and not the message for which it stands: that message may still be
    // dropped before the handler goes on.
    const bool waits = c.word.load().is_waiting() && actors::is_current(e.target());
    if (!waits && !redeem(e)) return;
  }
  for (;;) {
    const auto seen = c.word.load();
    const bool is_gone = seen.is_ended() || !actors::is_current(e.target());
    if (is_gone || (c.where().is_one_shot() && actors::is_watch(e))) return drop(e, actors::why_gone(e.target()));
    if (seen.is_waiting()) return keep_for_later(e, *static_cast<actors::lane_stack*>(seen.closure()));
    const bool runs_here = !c.where().is_one_shot() && (seen.is_home() ? is_home(c) : !e.is_forwarded());
    closure& b = *seen.closure();
    const bool runs_away = !runs_here && seen.is_open_home() && may_run_away(e, c);
    outcome o;
    if (!runs_here && !runs_away) {
      o = divert(e, c, seen);
    } else if (e.is_special() && actors::is_watch(e)) {
      o = watch(e, c, seen);
    } else if (e.is_special() ? !call_special(e, c, b) : !call_behavior<false, true>(e, c, b)) {
      return;
    } else if (runs_away) {
      o = settle_away(e, c);
    } else {
      o = settle(e, c, seen);
      if (seen.is_home() && !c.where().is_exclusive()) ran_at_home(actors::index_of(e.target()), c, seen);
    }
    if (o == outcome::done) return;
    if (o == outcome::forward) return forward(e, c);
  }
}

template <bool Plain>
inline bool transactor::call(envelope& e, cell& c, closure& b, entry handler) {
  // relaxed: hint, for reports of what still runs; read back by its owner; and the next line publishes it.
  handling.store(e.target(), std::memory_order_relaxed);
  grip_.hold(&b);
  transactions::journal::begin(*this);
  if (!Plain && e.is_laden()) [[unlikely]]
    unload(e);
  try {
    handler(b, *this, Plain ? e.plain_payload() : e.message());
    grip_.let_go();
    return true;
  } catch (...) {
    // If the handler has waited, this frame belongs to another worker, which goes on with other messages meanwhile.
    if (!failed_behind_wait()) {
      grip_.let_go();
      failed(e, c, *b.type);
      return false;
    }
  }
  of(*actors::this_thread::handler()).leave_stack(actors::lane_stack::outcome::failed);
}

// Used by the functions that rehearse handlers.
template bool transactor::call<false>(envelope&, cell&, closure&, entry);

template <bool Plain, bool Observed>
inline bool transactor::call_behavior(envelope& e, cell& c, closure& b) {
  if constexpr (!Observed) return call<Plain>(e, c, b, b.type->entries[actors::index_of(e.target())]);
  const entry handler = handler_of(b, e);
  const bool twice = rehearses_ && b.type->kind == actor_kind::transactional;
  return twice ? call_twice(e, c, b, handler) : call<Plain>(e, c, b, handler);
}

bool transactor::call_special(envelope& e, cell& c, closure& b) {
  if (actors::is_pill(e)) {
    transactions::journal::begin(*this);
    journal_.stop(*static_cast<ending*>(e.message()));
    pill_text_ = actors::text_of_pill(e);
    return true;
  }
  if (b.type->on_failure == nullptr) {
    drop(e, failure_reason::failure_not_heard);
    return false;
  }
  // relaxed: hint, for reports of what still runs.
  special_.store(&e.type(), std::memory_order_relaxed);
  const bool committed = call<false>(e, c, b, b.type->on_failure);
  // relaxed: hint, as above.
  special_.store(nullptr, std::memory_order_relaxed);
  return committed;
}

transactor::outcome transactor::divert(envelope& e, cell& c, cell::word_value seen) {
  if (c.where().is_one_shot()) {
    // False: another worker has claimed the one-shot first, and the word says ended now.
    if (!c.word.claim(seen)) return outcome::again;
    run_once(e, c, *seen.closure());
    return outcome::done;
  }
  if (seen.is_home()) return outcome::forward;
  // The message was sent home by a collision, and must not collide again.
  if (!is_home(c)) return outcome::forward;
  go_home(c);
  return outcome::again;
}

void transactor::run_once(envelope& e, cell& c, closure& b) {
  // The closure of an asker is gone as soon as its thread has been told.
  const behavior_type& type = *b.type;
  if (type.kind == actor_kind::waiter) return resume(e, c, b);
  if (e.is_special() ? call_special(e, c, b) : call<false>(e, c, b, handler_of(b, e))) {
    settle_rest(e);
  }
  give_up(c, true);
  if (type.destroy != nullptr) {
    actors::end_closure(b, allocation::delete_);
  } else if (engine_->workers().pump() != nullptr) {
    // In an engine without workers a thread that asks sleeps there.
    engine_->workers().quiet_event().notify();
  }
}

}  // namespace tact::detail
