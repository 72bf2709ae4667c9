// Handlers that wait for an answer, while their stacks are put aside. docs/protocols/parked_ask.md.
#include <new>
#include <utility>

#include "actors/dead_letters.hpp"
#include "actors/failures.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"
#include "fiber/faults.hpp"
#include "fiber/no_stack.hpp"
#include "sync/thread_state.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using actors::lane_stack;
using mailbox::envelope;

namespace {

// Set once, as a rule before main: see note_parking.
constinit sync::atomic<bool> handlers_may_wait{false};

}  // namespace

void note_parking() noexcept { handlers_may_wait.store(true); }

port reserve_waiter(run& r, port asked) { return transactor::of(r).reserve_waiter(asked); }
void park(run& r, port reserved, waiter& w) {
  transactor& here = transactor::of(r);
  here.compare_at_wait();
  here.park(reserved, w);
}
void end_parked() {
  transactor& here = transactor::of(*actors::this_thread::handler());
  here.end_step();
  here.leave_stack(lane_stack::outcome::returned);
}

// Only simulations need to know when a thread enters or leaves the code of a handler.
inline void transactor::enter_user_code(bool inside) noexcept {
  if (simulation_ != nullptr) sync::thread_state::of_this_thread().in_user_code = inside;
}

inline void transactor::note_parked(const lane_stack& s, sync::event what) noexcept {
  if (simulation_ == nullptr) return;
  simulation_->note(what, s.target & ~index_mask, actors::type_name_of(s.target), s.message->type().name);
}

// -- the lane

// relaxed: hint; a handler that was begun without a stack of its own is told so when it asks.
bool transactor::may_park() noexcept { return handlers_may_wait.load(std::memory_order_relaxed); }

// The function that runs on the stack of a lane.
void transactor::run_on(void* stack) {
  auto& own = *static_cast<lane_stack*>(stack);
  auto& runner = *static_cast<transactor*>(own.runs_for);
  for (;;) {
    if (runner.parked_ == nullptr || runner.goes_on_behind_wait()) runner.run_messages();
    own.fiber.switch_to(runner.thread_, runner.exceptions_);
  }
}

// Called on the thread's own stack, which is never put aside: whatever the thread has begun there goes on when the hold
// is over.
void transactor::run_on_stacks() {
  fiber::watch_faults(&note_fault);
  try {
    stacks_.prepare(this);
  } catch (const std::bad_alloc&) {
    return run_messages();  // a handler that asks is told that memory is exhausted
  }
  exceptions_ = fiber::exception_place::of_this_thread();
  thread_.switch_to(stacks_.current()->fiber, exceptions_);
}

// A handler has been left waiting on another stack, and its segment is committed here. From the commit on another
// worker may handle the answer, and the handler may go on there and return. Then that stack and the message are gone,
// so they are not touched after the commit.
bool transactor::goes_on_behind_wait() {
  enter_user_code(false);
  envelope* const next = std::exchange(parked_, nullptr)->message->after();
  grip_.let_go();
  // relaxed: hint, for reports of what still runs.
  special_.store(nullptr, std::memory_order_relaxed);
  commit_segment();
  shard_->lane.skip_to(next);
  return goes_on(pace_.step());
}

// The stack on which this thread dispatches messages.
inline fiber::fiber& transactor::dispatching_stack() noexcept {
  return stacks_.current() != nullptr ? stacks_.current()->fiber : thread_;
}

// -- asking

port transactor::reserve_waiter(port asked) {
  if (rehearsal_over_) throw rehearsal_ends{};  // the handler caught the exception of its first ask, and asks again
  if (worker_->is_loop()) {
    throw usage_error(
        "self.ask: a handler on a tact::loop does not wait, because its thread has one stack, which is that of the "
        "event "
        "loop; give it a continuation: self.ask(to, query, then)");
  }
  if (stacks_.current() == nullptr) {
    throw fiber::no_stack("self.ask: when the handler began there was no memory for a stack on which it could wait");
  }
  // relaxed: owner-only write, read back by its owner.
  const port self = handling.load(std::memory_order_relaxed);
  const bool is_exclusive = cell_of(self).where().is_exclusive();
  if (journal_.changes_actor()) {
    throw usage_error("self.ask: the handler has called become or stop; ask before, what is asked for may change it");
  }
  if (passed_on_ != nullptr) throw usage_error("self.ask: the message was passed on; ask before");
  // An exception that is being handled belongs to the frames on this stack, which are left behind.
  if (exceptions_.holds_any()) throw usage_error("self.ask: not in a catch block; leave it first");
  if (is_exclusive && same_actor(asked, self)) {
    throw usage_error("self.ask: the actor asks itself, and handles one message at a time: it would wait forever");
  }
  if (engine_->has_ended()) throw ask_error(actors::notice_of(failure_reason::engine_ended));
  end_step();
  if (resumed_ == nullptr) {
    stacks_.reserve();
    base::look_for_memory();
    if (spare_pin_ == nullptr) spare_pin_ = std::make_unique<actors::pinned_closures::entry>();
  }
  if (journal_.is_full()) journal_.make_room_for_creation();
  if (cells_.empty()) cells_.refill();
  cell& c = cells_.take();
  // The answer for an exclusive actor's handler must come to the actor's home; others may be handled anywhere.
  const auto home = is_exclusive ? cell_of(self).where().shard() : worker_->next_shard();
  const auto kind = is_exclusive ? actors::route::kind::exclusive : actors::route::kind::one_shot;
  const actors::route r(home, engine_->id(), kind);
  c.set_where(r.for_once());
  c.send_by(r);
  journal_.create({actors::port_of(c), nullptr});
  asked_ = asked;
  if (simulation_ != nullptr)
    simulation_->say(actors::describe(self) + " waits for an answer of " + actors::describe(asked));
  return actors::port_of(c);
}

// From here on nothing throws. Returns on the worker that handles the answer, whichever that is.
[[gnu::noinline]] void transactor::park(port reserved, waiter& w) noexcept {
  const bool is_first = resumed_ == nullptr;
  lane_stack& s = is_first ? *stacks_.current() : *resumed_;
  if (is_first) put_aside(s);
  w.parked = &s;
  static_cast<void>(journal_.install(reserved, w));
  s.how = lane_stack::outcome::waits;
  s.debt = std::exchange(debt_, 0);
  s.context = context;
  s.customer = reserved;
  s.asked = asked_;
  if (actors::waits::are_known) engine_->waits().begin(s);
  waits_begun_.add(1);
  if (is_first) {
    parked_ = &stacks_.leave();
    stacks_.prepare(this);  // the stack was reserved
  }
  s.fiber.switch_to(dispatching_stack(), exceptions_);
}

void transactor::put_aside(lane_stack& s) noexcept {
  s.message = &handled();
  s.page = &shard_->lane.pin_front();
  // relaxed: owner-only write, read back by its owner.
  s.target = handling.load(std::memory_order_relaxed);
  s.behavior = static_cast<closure*>(const_cast<void*>(grip_.look().object));
  s.type = s.behavior->type;
  if (s.is_exclusive()) {
    s.seen = s.where().word.load();
    s.where().word.wait(&s);
  } else if (!s.is_for_once()) {
    s.pin = &engine_->pins().pin(*s.behavior, spare_pin_);
  }
}

// -- going on

// Puts aside a message for an exclusive actor whose handler waits. REQUIRES: this worker holds the actor's home shard.
void transactor::keep_for_later(envelope& e, lane_stack& s) noexcept {
  if (actors::waits::are_known && closes_circle(e, s)) return;
  try {
    e.relocate(s.put_aside.reserve(e.slots(), worker_->chunks()));
  } catch (const std::bad_alloc&) {
    // This memory does not come from the reserve: any number of actors may wait, each with a chunk of its own.
    drop(e, failure_reason::out_of_memory);
  }
}

// True: the request of `e` closes a circle of handlers that wait for each other. It was dropped, and its customer told.
bool transactor::closes_circle(envelope& e, lane_stack& s) noexcept {
  try {
    const std::string circle = engine_->waits().put_off(actors::customer_of(e), s);
    if (circle.empty()) return false;
    drop(e, failure_reason::waits_in_circle, circle);
    return true;
  } catch (const std::bad_alloc&) {
    return false;  // circles are found to help debugging; without memory this one is not found
  }
}

// Resumes the handler that waits. REQUIRES: its answer, or a failure, is in `e`, and the waiter's cell was claimed.
void transactor::resume(envelope& e, cell& c, closure& b) {
  auto& w = static_cast<waiter&>(b);
  lane_stack& s = *static_cast<lane_stack*>(w.parked);
  if (actors::waits::are_known) engine_->waits().end(s);
  {
    const actors::this_thread::callback outside;
    (e.is_special() ? b.type->on_failure : b.type->entries[actors::index_of(e.target())])(b, *this, e.message());
  }
  finish<false>(e);
  give_up(c, true);
  waits_ended_.add(1);

  // relaxed: hint, for reports of what still runs; read back by its owner.
  handling.store(s.target, std::memory_order_relaxed);
  transactions::journal::begin(*this);
  if (s.debt != 0) owe(s.debt);
  enter_context(s.context);
  resumed_ = &s;
  enter_user_code(true);
  dispatching_stack().switch_to(s.fiber, exceptions_);
  enter_user_code(false);
  resumed_ = nullptr;
  if (s.how == lane_stack::outcome::waits) return commit_segment();
  if (s.how == lane_stack::outcome::returned) commit_last_segment(s);
  clear_away(s);
}

// While the handler waited, a parallel actor may have become something else, or have ended. So this run cannot become
// any more, but it can still end the actor.
void transactor::commit_last_segment(lane_stack& s) {
  sync::may_switch();
  note_parked(s, sync::event::committed);
  if (s.is_exclusive()) {
    s.where().word.go_on(s.seen);
    // No other thread changes the word, so the run cannot collide.
    static_cast<void>(settle(*s.message, s.where(), s.seen));
    return;
  }
  const bool stops = journal_.stops();
  const ending how = journal_.how();
  settle_rest(*s.message);
  if (!stops || s.is_for_once()) return;
  end_from_elsewhere(s.where(), s.target, how, nullptr);
  settle_run();
}

// Frees all that a handler has left behind when it is over. Other threads may still count on some of it: a pinned
// behaviour, the chunk of the message, and the messages that were put aside.
void transactor::clear_away(lane_stack& s) noexcept {
  if (s.is_for_once()) {
    give_up(s.where(), true);
    if (s.type->destroy != nullptr) actors::end_closure(*s.behavior, allocation::delete_);
  }
  if (s.pin != nullptr) {
    const actors::this_thread::callback outside;
    engine_->pins().unpin(*std::exchange(s.pin, nullptr));
  }
  if (s.page->pins.unpin()) worker_->chunks().give(s.page);
  if (!s.put_aside.empty()) {
    back_.begin_with(s.put_aside.take());
    pace_.look_up_next();  // what was put aside is older than anything in the lane
  }
  stacks_.end(s);
}

// Called in a catch block. True: the handler has waited, and its failure was dealt with here.
[[gnu::noinline]] bool transactor::failed_behind_wait() {
  transactor& here = of(*actors::this_thread::handler());
  if (here.resumed_ == nullptr) return false;
  lane_stack& s = *here.resumed_;
  here.note_parked(s, sync::event::failed);
  if (s.is_exclusive()) s.where().word.go_on(s.seen);
  here.failed(*s.message, s.where(), *s.type);
  return true;
}

// The last thing that is done on this stack. The worker that goes on clears it away.
[[noreturn]] void transactor::leave_stack(lane_stack::outcome how) noexcept {
  lane_stack& s = *resumed_;
  s.how = how;
  s.fiber.leave(dispatching_stack(), exceptions_);
}

// -- the end of the engine

// Resumes a handler that waits, and tells it that the engine has ended. Messages that it leaves in the lane are moved
// to `left`. REQUIRES: no worker runs.
void transactor::end_wait(cell& waiting, mailbox::copy_queue& left) noexcept {
  run* const was = actors::this_thread::worker();
  actors::this_thread::set_worker(this);
  mailbox::shard office;
  office.number = waiting.where().shard();
  const unsigned slots = failure_message.slot_count();
  {
    const base::may_use_reserve sure;
    void* const place = office.lane.reserve(slots, worker_->chunks());
    new ((new (place) envelope(failure_message, actors::port_of(waiting)))->payload())
        failure(actors::notice_of(failure_reason::engine_ended));
  }
  ++sent;
  ending_ = true;
  worker_->held().begin(office);
  run_lane(office);
  worker_->held().end();
  ending_ = false;
  flush();
  publish_counters(true);
  if (!office.lane.empty()) {
    const base::may_use_reserve sure;
    office.lane.move_to(left, worker_->chunks());
  }
  office.lane.recycle(worker_->chunks());
  actors::this_thread::set_worker(was);
}

// Ends an actor that was made on a loop which has ended since: its handlers must not run on this thread. The order to
// end is run from a lane of its own, as in end_wait.
void transactor::end_receiver(mailbox::shard& held) noexcept {
  const envelope& e = held.lane.front();
  cell& c = cell_of(e.target());
  const auto seen = c.word.load();
  if (!actors::is_current(e.target()) || seen.is_ended() || actors::is_pill(e) || c.where().shard() != held.number)
    return;
  if (c.where().is_one_shot()) {
    if (!c.word.claim(seen)) return;
    give_up(c, true);
    return actors::end_closure(*seen.closure(), allocation::delete_);
  }
  const base::may_use_reserve sure;
  mailbox::shard apart;
  apart.number = held.number;
  void* const place = apart.lane.reserve(actors::pill_message.slot_count(), worker_->chunks());
  auto* const pill = new (place) envelope(actors::pill_message, e.target());
  ::new (pill->payload()) actors::end_order({allocation::finished, end_reason::loop_ended}, nullptr);
  ++sent;
  run_lane(apart);
  apart.lane.recycle(worker_->chunks());
}

void core::resume_waiters() noexcept {
  // They are collected first, because a handler that goes on may do anything. No thread withdraws them meanwhile.
  cell* waiting = nullptr;
  cell** end_of_list = &waiting;
  cells_.for_each([&](cell& c) {
    if (c.word.load().is_ended() || c.type()->kind != actor_kind::waiter) return;
    *end_of_list = &c;
    c.next_withdrawn = nullptr;
    end_of_list = &c.next_withdrawn;
  });
  auto& first = static_cast<transactor&>(dispatcher_.workers().front()->running());
  mailbox::chunk_store chunks(dispatcher_.spare_chunks());
  while (waiting != nullptr) {
    cell& c = *std::exchange(waiting, waiting->next_withdrawn);
    mailbox::copy_queue left;
    first.end_wait(c, left);
    bury_all(left, chunks);
  }
}

}  // namespace tact::detail
