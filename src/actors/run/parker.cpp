#include "actors/run/parker.hpp"

#include <new>
#include <utility>
#include <vector>

#include "actors/cells/closures.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/life/idle_watch.hpp"
#include "actors/time/cancelled_asks.hpp"
#include "base/reserve.hpp"
#include "fiber/faults.hpp"
#include "fiber/no_stack.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

using mailbox::envelope;

namespace {

// Set once, as a rule before main: see note_parking.
constinit sync::atomic<bool> handlers_may_wait{false};

// What a segment has sent to its own actor in front comes before what was put aside while the handler waited.
void put_before_what_was_put_aside(run_state& run, lane_stack& s) noexcept {
  mailbox::copy_queue& own = run.journal().front();
  if (own.empty() || s.put_aside.empty()) return;
  const base::may_use_reserve sure;
  s.put_aside.put_back(own, run.worker().chunks());
}

}  // namespace

void parker::note_parking() noexcept { handlers_may_wait.store(true); }

parker::parker(run_state& r, lane_runner& lane, committer& c, const committer::parts& p, rehearser& twice,
               parking& shared, const phase& reached)
    : run_(r),
      lane_(lane),
      committer_(c),
      parts_(p),
      rehearser_(twice),
      pins_(shared.pins),
      circles_(shared.circles),
      phase_(reached),
      stacks_(shared.stacks, &run_on) {}

inline void parker::enter_user_code() noexcept {
  if (run_.simulation() != nullptr) sync::thread_state::of_this_thread().in_user_code = true;
}
inline void parker::leave_user_code() noexcept {
  if (run_.simulation() != nullptr) sync::thread_state::of_this_thread().in_user_code = false;
}

inline void parker::note_parked(const lane_stack& s, sync::event what) noexcept {
  if (run_.simulation() == nullptr) return;
  run_.simulation()->note(what, s.target & ~index_mask, type_name_of(s.target), {s.message->type().name});
}

void parker::note_wait(lane_stack& s) noexcept {
  if (s.how != lane_stack::outcome::waits || run_.watched().tracer() == nullptr) return;
  committer_.note_changes(s.target);
  if (s.traced_as == 0) return;  // it began unrecorded; what it does now comes of the answer
  run_.watched().tracer()->write({.step = detail::trace_step::waits, .id = s.traced_as, .actor = s.target});
}

void parker::note_over(const lane_stack& s, detail::trace_outcome how) noexcept {
  if (run_.watched().tracer() == nullptr || s.traced_as == 0) return;
  run_.watched().tracer()->write(
      {.step = detail::trace_step::over, .outcome = how, .id = s.traced_as, .actor = s.target});
}

// -- the lane

// relaxed: hint; a handler that was begun without a stack of its own is told so when it asks.
bool parker::may_park() noexcept { return handlers_may_wait.load(std::memory_order_relaxed); }

// The function that runs on the stack of a lane.
void parker::run_on(void* stack) {
  auto& own = *static_cast<lane_stack*>(stack);
  auto& here = *static_cast<parker*>(own.runs_for);
  for (;;) {
    if (here.parked_ == nullptr || here.goes_on_behind_wait()) here.lane_.run_messages();
    own.fiber.switch_to(here.thread_, here.exceptions_);
  }
}

// Called on the thread's own stack, which is never put aside: whatever the thread has begun there goes on when the hold
// is over.
void parker::run_on_stacks() {
  try {
    stacks_.prepare(this);
  } catch (const std::bad_alloc&) {
    return lane_.run_messages();  // a handler that asks is told that memory is exhausted
  }
  exceptions_ = fiber::exception_place::of_this_thread();
  thread_.switch_to(stacks_.current()->fiber, exceptions_);
}

// A handler has been left waiting on another stack, and its segment is committed here. From the commit on another
// worker may handle the answer, and the handler may go on there and return. Then that stack and the message are gone,
// so they are not touched after the commit.
bool parker::goes_on_behind_wait() {
  leave_user_code();
  envelope* const next = std::exchange(parked_, nullptr)->message->after();
  run_.hazard_slot().let_go();
  run_.note_special(nullptr);
  committer_.commit_segment();
  run_.trace_by(nullptr);
  run_.at().queue().skip_to(next);
  const bool was_effect = &run_.at().queue() != &run_.at().shard().lane;
  run_.at().read_from(nullptr);
  return lane_.goes_on(was_effect || run_.meter().step());
}

// The stack on which this thread dispatches messages.
inline fiber::fiber& parker::dispatching_stack() noexcept {
  return stacks_.current() != nullptr ? stacks_.current()->fiber : thread_;
}

// -- asking

// Throws usage_error where a handler must not wait. `call`: the name of the user's call.
void parker::look_whether_may_wait(const char* call) const {
  const auto refuse = [&](const char* why) { throw usage_error(std::string(call) + ": " + why); };
  if (run_.worker().is_loop()) {
    refuse(
        "a handler on a tact::loop does not wait, because its thread has one stack, which is that of the event loop; "
        "give it a continuation, self.ask(to, query, then), or let it send itself a message and return");
  }
  if (stacks_.current() == nullptr) {
    throw fiber::no_stack(call, "when the handler began there was no memory for a stack on which it could wait");
  }
  if (run_.journal().changes_actor()) {
    refuse("the handler has called become or stop; wait before, what comes meanwhile may change it");
  }
  if (committer_.passes_on()) refuse("the message was passed on; wait before");
  // An exception that is being handled belongs to the frames on this stack, which are left behind.
  if (exceptions_.holds_any()) refuse("not in a catch block; leave it first");
  if (phase_.has_ended()) throw ask_error(notice_of(failure_reason::engine_ended));
}

port parker::reserve_waiter(port asked) {
  rehearser_.end_at_wait();
  look_whether_may_wait("self.ask");
  const port self = self_port(run_);
  if (cell_of(self).where().is_exclusive() && same_actor(asked, self)) {
    throw usage_error("self.ask: the actor asks itself, and handles one message at a time: it would wait forever");
  }
  if (run_.context != nullptr) {
    if (const auto over = why_over(*run_.context)) throw ask_error(*over);
  }
  const port customer = reserve(self);
  asked_ = asked;
  if (run_.simulation() != nullptr)
    run_.simulation()->say(describe(self) + " waits for an answer of " + describe(asked));
  return customer;
}

// The handler waits for no other actor, so no circle of waits goes through it.
port parker::reserve_commit() {
  rehearser_.end_at_wait();
  look_whether_may_wait("self.commit");
  asked_ = 0;
  return reserve(self_port(run_));
}

port parker::reserve(port self) {
  rehearser::end_step(run_);
  if (run_.at().resumed() == nullptr) {
    stacks_.reserve();
    base::look_for_memory();
    if (spare_pin_ == nullptr) spare_pin_ = std::make_unique<pinned_closures::entry>();
  }
  // The answer for an exclusive actor's handler must come to the actor's home; others may be handled anywhere.
  const bool is_exclusive = cell_of(self).where().is_exclusive();
  const auto home = is_exclusive ? cell_of(self).where().shard() : run_.worker().next_shard();
  const auto kind = is_exclusive ? mailbox::route::kind::exclusive : mailbox::route::kind::one_shot;
  return parts_.made.create_waiter(home, kind);
}

[[gnu::noinline]] void parker::park(port reserved, waiter& w) noexcept {
  const bool is_first = run_.at().resumed() == nullptr;
  lane_stack& s = is_first ? *stacks_.current() : *run_.at().resumed();
  if (is_first) put_aside(s);
  w.parked = &s;
  static_cast<void>(run_.journal().install(reserved, w));
  s.how = lane_stack::outcome::waits;
  s.debt = run_.debt().take();
  s.deferred = run_.debt().deferred();
  s.context = run_.context;
  s.customer = reserved;
  s.asked = asked_;
  if (wait_circles::are_known()) circles_.begin(s);
  run_.counts().rare.waits_begun.add(1);
  note_wait(s);
  if (is_first) {
    parked_ = &stacks_.leave();
    stacks_.prepare(this);  // the stack was reserved
  }
  s.fiber.switch_to(dispatching_stack(), exceptions_);
}

void parker::put_aside(lane_stack& s) noexcept {
  s.message = &run_.at().message();
  s.page = &run_.at().queue().pin_front();
  // relaxed: owner-only write, read back by its owner.
  s.target = run_.handling.load(std::memory_order_relaxed);
  s.behavior = static_cast<closure*>(const_cast<void*>(run_.hazard_slot().look().object));
  s.type = s.behavior->type;
  s.traced_as = sync::thread_state::of_this_thread().recorded;
  if (s.is_exclusive()) {
    s.seen = s.where().word.load();
    s.where().word.wait(&s);
  } else if (!s.is_for_once()) {
    s.pin = &pins_.pin(*s.behavior, spare_pin_);
  }
}

// -- going on

void parker::keep_for_later(envelope& e, lane_stack& s) noexcept {
  if (wait_circles::are_known() && closes_circle(e, s)) return;
  try {
    e.relocate(s.put_aside.reserve(e.slots(), run_.worker().chunks()));
  } catch (const std::bad_alloc&) {
    // This memory does not come from the reserve: any number of actors may wait, each with a chunk of its own.
    lose(e, s);
  }
}

// There is no memory to put the message aside. If it is a token, this is said of the message for which the token
// stands. An order to end the actor must not be lost, so the handler that waits has room for one.
void parker::lose(envelope& e, lane_stack& s) noexcept {
  if (is_token(e) && !admission::redeem(e)) return;
  if (is_idle_look(e)) {
    idle_watch::put_off(parts_.idle, s, e.message());
    return run_.finish<false>(e);
  }
  if (!is_pill(e)) return parts_.leaving.drop(e, failure_reason::out_of_memory);
  if (!s.ends_then) s.ends_then.emplace(ending_of_pill(e), text_of_pill(e));
  run_.finish<false>(e);
}

// Circles are found to help debugging; without memory one is not found, and the text is empty.
std::string parker::circle_closed_by(port customer, const lane_stack& s) noexcept {
  try {
    return circles_.put_off(customer, s);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

// True: the request of `e` closes a circle of handlers that wait for each other. It was dropped, and its customer told.
bool parker::closes_circle(envelope& e, const lane_stack& s) noexcept {
  if (is_token(e)) {
    look_for_circles(e.target(), s);
    return false;
  }
  std::string circle = circle_closed_by(customer_of(e), s);
  if (circle.empty()) return false;
  parts_.leaving.drop(e, failure_reason::waits_in_circle, std::move(circle));
  return true;
}

// Drops the requests that close a circle among those that lie in the mailbox itself, for which the token stands. The
// token stays.
void parker::look_for_circles(port token, const lane_stack& s) noexcept {
  kept_messages& kept = mailbox_of(cell_of(token)).kept;
  std::vector<port> customers;
  try {
    customers = kept.customers_that_wait(token);
  } catch (const std::bad_alloc&) {
    return;  // as in circle_closed_by
  }
  for (const port customer : customers) {
    std::string circle = circle_closed_by(customer, s);
    if (circle.empty()) continue;
    if (const auto request = kept.take_request(token, customer)) {
      parts_.notices.lose(*request, failure_reason::waits_in_circle, std::move(circle));
      parts_.leaving.conclude();
    }
  }
}

void parker::resume(envelope& e, cell& c, closure& b) {
  auto& w = static_cast<waiter&>(b);
  lane_stack& s = *static_cast<lane_stack*>(w.parked);
  // The lane runs on the thread's own stack: it was begun before any handler waited, or had no memory for another one.
  if (stacks_.current() == nullptr) exceptions_ = fiber::exception_place::of_this_thread();
  if (wait_circles::are_known()) circles_.end(s);
  if (e.is_special()) run_.watched().note_given_up(e.target());
  {
    const this_thread::callback outside;
    (e.is_special() ? b.type->on_failure : b.type->entries[index_of(e.target())])(b, run_, e.message());
  }
  run_.finish<false>(e);
  parts_.frees.give_up_served(c);
  run_.counts().rare.waits_ended.add(1);

  // relaxed: hint, for reports of what still runs; read back by its owner.
  run_.handling.store(s.target, std::memory_order_relaxed);
  transactions::journal::begin(run_);
  if (s.debt != 0) run_.owe(s.debt);
  if (s.deferred != 0) run_.inherit(s.deferred);
  run_.enter_context(s.context);
  run_.at().go_on_with(&s);
  s.runs_for = this;
  std::uint64_t& recorded = sync::thread_state::of_this_thread().recorded;
  const std::uint64_t answer = recorded;
  if (run_.watched().tracer() != nullptr && s.traced_as != 0) {
    recorded = s.traced_as;
    run_.watched().tracer()->write({.step = detail::trace_step::goes_on,
                                    .id = s.traced_as,
                                    .actor = s.target,
                                    .message = &s.message->type(),
                                    .actor_type = s.type});
  }
  enter_user_code();
  dispatching_stack().switch_to(s.fiber, exceptions_);
  leave_user_code();
  recorded = answer;
  run_.at().go_on_with(nullptr);
  put_before_what_was_put_aside(run_, s);
  if (s.how == lane_stack::outcome::waits) return committer_.commit_segment();
  if (s.how == lane_stack::outcome::returned) {
    commit_last_segment(s);
    note_over(s, detail::trace_outcome::committed);
  }
  clear_away(s);
}

// While the handler waited, a parallel actor may have become something else, or have ended. So this run cannot become
// any more, but it can still end the actor.
void parker::commit_last_segment(lane_stack& s) {
  sync::may_switch();
  committer_.note_changes(s.target);
  note_parked(s, sync::event::committed);
  if (s.is_exclusive()) {
    s.where().word.go_on(s.seen);
    // No other thread changes the word, so the run cannot collide.
    static_cast<void>(committer_.conclude(run_, *s.message, s.where(), s.seen));
    return;
  }
  const bool stops = run_.journal().stops();
  const ending how = run_.journal().how();
  committer_.commit_segment();
  if (stops && !s.is_for_once()) {
    const port self = s.target & ~index_mask;
    if (is_current(s.target) && restarter::is_permanent(s.where(), self, how)) {
      parts_.restarts.end_or_restart(s.where(), self, how);
    } else {
      parts_.ends.end_from_elsewhere(s.where(), s.target, how, nullptr);
      parts_.leaving.conclude();
    }
  }
  run_.finish<false>(*s.message);
}

// Frees all that a handler has left behind when it is over. Other threads may still count on some of it: a pinned
// behaviour, the chunk of the message, and the messages that were put aside.
void parker::clear_away(lane_stack& s) noexcept {
  if (s.is_for_once()) {
    parts_.frees.give_up_served(s.where());
    if (s.type->destroy != nullptr) end_closure(*s.behavior, allocation::delete_);
  }
  if (s.pin != nullptr) {
    const this_thread::callback outside;
    pins_.unpin(*std::exchange(s.pin, nullptr));
  }
  if (s.page->pins.unpin()) run_.worker().chunks().give(s.page);
  if (!s.put_aside.empty()) parts_.front.begin_with(s.put_aside);
  if (s.ends_then) end_then(s);
  stacks_.end(s);
}

// The order to end came while the handler waited.
void parker::end_then(lane_stack& s) noexcept {
  parts_.ends.end_from_elsewhere(s.where(), s.target, s.ends_then->how, s.ends_then->what.get());
  parts_.leaving.conclude();
  s.ends_then.reset();
}

[[gnu::noinline]] bool parker::failed_behind_wait() {
  if (run_state::of(*this_thread::handler()).at().resumed() == nullptr) return false;
  parker& here = behind_wait();
  lane_stack& s = *here.run_.at().resumed();
  const std::string_view actor = type_name_of(s.target);  // read now: with the failure its actor, and the message, end
  const std::string_view message = s.message->type().name;
  idle_watch::end_behind_wait(here.run_, s);
  if (s.is_exclusive()) s.where().word.go_on(s.seen);
  here.committer_.fail(*s.message, s.where(), *s.type);
  if (sync::director* const told = here.run_.simulation())
    told->note(sync::event::failed, s.target & ~index_mask, actor, {message});
  here.note_over(s, detail::trace_outcome::failed);
  return true;
}

parker& parker::behind_wait() noexcept {
  return *static_cast<parker*>(run_state::of(*this_thread::handler()).at().resumed()->runs_for);
}

[[noreturn]] void parker::leave_stack(lane_stack::outcome how) noexcept {
  lane_stack& s = *run_.at().resumed();
  s.how = how;
  s.fiber.leave(dispatching_stack(), exceptions_);
}

const lane_stack* parker::stack_in_use(const void* address) const noexcept {
  const lane_stack* const s = run_.at().resumed();
  return s != nullptr && s->memory.overflows_at(address) ? s : stacks_.current();
}

}  // namespace tact::actors
