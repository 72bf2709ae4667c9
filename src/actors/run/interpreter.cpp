#include "actors/run/interpreter.hpp"

#include "actors/cells/closures.hpp"
#include "actors/cells/look_ahead.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/figures/run_report.hpp"
#include "actors/life/idle_watch.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

using mailbox::envelope;

namespace {

// While one lives, the simulation knows that this thread runs the code of a handler.
class user_code {
 public:
  explicit user_code(bool inside) noexcept : was_(flag()) { flag() = inside; }
  ~user_code() { flag() = was_; }
  user_code(const user_code&) = delete;
  user_code& operator=(const user_code&) = delete;

 private:
  static bool& flag() noexcept { return sync::thread_state::of_this_thread().in_user_code; }
  const bool was_;
};

// Does the actor's word, as it was seen, allow this thread to run the actor? The compiler is told that a thread which
// meets an actor at home holds that home, because a self-send of a classic actor takes a tenth longer otherwise.
bool may_run_here(const run_state& run, const cell& c, cell::word_value seen) noexcept {
  return seen.is_untagged() || __builtin_expect(seen.is_home() && run.holds_route(c.where().bits()), 1) != 0;
}

}  // namespace

interpreter::interpreter(run_state& r, committer& c, const committer::parts& p, parker& waits, rehearser& twice,
                         bool rehearses)
    : run_(r), committer_(c), parts_(p), parker_(waits), rehearser_(twice), rehearses_(rehearses) {}

bool interpreter::run_some(mailbox::copy_queue& from) {
  return run_.watched().is_on() ? run_observed(from) : run_chunk<false>(from);
}

[[gnu::noinline]] bool interpreter::run_observed(mailbox::copy_queue& from) {
  detail::trace_track* const to = track();
  if (to != nullptr && run_.watched().shows_all()) return run_told(from, to);
  const auto next = to == nullptr ? sampling::next::stretch : next_of_samples(*to);
  if (next == sampling::next::sample) return run_told(from, to);
  if (run_.simulation() != nullptr) return run_told(from, nullptr);
  if (next == sampling::next::one) return run_one(from);
  return rehearses_ ? run_chunk<true>(from) : run_chunk<false>(from);
}

sampling::next interpreter::next_of_samples(detail::trace_track& to) noexcept {
  const tally& now = run_.counts().now;
  const std::uint64_t handled = now.committed + now.failed + now.dead;
  const std::uint64_t begun = handled + run_.counts().rare.waits_begun.read();
  sampling& samples = run_.watched().samples();
  const auto next = samples.decide(begun, run_.meter().ns_per_message());
  if (next == sampling::next::sample) to.sample_next(samples.take(begun, handled));
  return next;
}

bool interpreter::run_one(mailbox::copy_queue& from) {
  envelope& e = from.front();
  from.skip_to(rehearses_ ? dispatch_next<true>(run_, e) : dispatch_next<false>(run_, e));
  return run_.meter().step();
}

// Runs messages until the chunk that is read is at its end, or until it is time to look up. True: the latter.
template <bool Observed>
[[gnu::always_inline]] inline bool interpreter::run_chunk(mailbox::copy_queue& from) {
  run_state& run = run_;  // kept in a register
  envelope* e = &from.front();
  look_ahead ahead(from, fetches_behaviors_);
  bool look_up;
  do {
    ahead.prepare(e);
    e = dispatch_next<Observed>(run, *e);
    from.skip_to(e);
    look_up = run.meter().step();
  } while (e != from.end_of_head() && !look_up);
  return look_up;
}

void interpreter::run_effects() {
  mailbox::copy_queue& waiting = run_.journal().effects();
  run_.at().read_from(&waiting);
  while (waiting.more(run_.worker().chunks())) {
    envelope& e = waiting.front();
    const auto dispatches = [&] { observe(e, [&] { dispatch_other(e, cell_of(e.target())); }); };
    detail::trace_track* const to = run_.watched().is_on() ? track() : nullptr;
    to != nullptr ? trace(*to, e, dispatches) : dispatches();
    waiting.skip_to(e.after());
  }
  run_.at().read_from(nullptr);
}

template <bool Observed>
inline envelope* interpreter::dispatch_next(run_state& run, envelope& e) {
  return e.is_plain() ? dispatch<true, Observed>(run, e) : dispatch<false, Observed>(run, e);
}

template <bool Plain, bool Observed>
inline envelope* interpreter::dispatch(run_state& run, envelope& e) {
  const port to = e.target();  // read once: the compiler may not keep what it read before an atomic load
  cell& c = cell_of(to);
  const auto seen = c.word.load();
  // Until this is decided the closure is not looked at: that of a one-shot may have been freed, and that of an
  // exclusive actor belongs to the holder of its shard.
  const bool runs_here = may_run_here(run, c, seen);
  if (!runs_here || !detail::same_actor(c.name(), to) || (!Plain && (e.is_forwarded() || e.is_special())))
      [[unlikely]] {
    const bool at_home = seen.is_home() && is_current(to) && run.holds_route(c.where().exclusive().bits());
    at_home && !e.is_special() ? dispatch_at_home<Plain, Observed>(e, c, seen) : dispatch_other(e, c);
    return e.after();
  }
  closure& b = *seen.closure();
  if (call_behavior<Plain, Observed>(run, e, c, b)) [[likely]] {
    if constexpr (Observed) committer_.note_changes(e.target());
    if (!run.journal().plain()) [[unlikely]] {
      if (const run_outcome o = committer_.conclude(run, e, c, seen); o != run_outcome::done) [[unlikely]]
        run_again(e, c, o);
    } else {
      run.finish<Plain>(e);
    }
  }
  return Plain ? &e + 1 : e.after();
}

// Runs a message of a parallel actor that is at home, and whose home shard this worker holds.
template <bool Plain, bool Observed>
void interpreter::dispatch_at_home(envelope& e, cell& c, cell::word_value seen) {
  closure& b = *seen.closure();
  const unsigned index = index_of(e.target());
  if (!call_behavior<Plain, Observed>(run_, e, c, b)) return;
  if constexpr (Observed) committer_.note_changes(e.target());
  if (run_.journal().plain()) {
    run_.finish<Plain>(e);
  } else if (const run_outcome o = committer_.conclude(run_, e, c, seen); o != run_outcome::done) {
    return run_again(e, c, o);
  }
  parts_.homes.note_run_at_home(index, c, seen);
}

void interpreter::run_again(envelope& e, cell& c, run_outcome o) {
  o == run_outcome::again ? dispatch_other(e, c) : parts_.sends.forward(e, c);
}

void interpreter::dispatch_other(envelope& e, cell& c) {
  if (e.is_special() && is_token(e) && !redeem(e, c)) return;
  for (;;) {
    const auto seen = c.word.load();
    if (dispatch_without_run(e, c, seen)) return;
    const run_outcome o = dispatch_seen(e, c, seen);
    if (o == run_outcome::done) return;
    if (o == run_outcome::forward) return parts_.sends.forward(e, c);
  }
}

bool interpreter::redeem(envelope& token, cell& c) {
  const auto seen = c.word.load();
  const bool waits = seen.is_waiting() && is_current(token.target());
  if (!waits) return admission::redeem(token);
  // An actor that rests ends at once. If it waits, the token is put aside, and not the message for which it stands:
  // that message may still be dropped before the handler goes on.
  if (resting::is_behind(seen)) static_cast<void>(admission::redeem_end(token));
  return true;
}

bool interpreter::dispatch_without_run(envelope& e, cell& c, cell::word_value seen) {
  const bool is_gone = seen.is_ended() || !is_current(e.target());
  if (is_gone || (c.where().is_one_shot() && is_watch(e))) {
    parts_.leaving.drop(e, why_gone(e.target()));
  } else if (e.is_special() && is_forget(e)) {
    parts_.ends.forget(e, c);
  } else if (resting::is_behind(seen)) {
    parts_.restarts.take_at_rest(e, c, resting::behind(seen));
  } else if (seen.is_waiting()) {
    parker_.keep_for_later(e, *static_cast<lane_stack*>(seen.closure()));
  } else {
    return false;
  }
  return true;
}

run_outcome interpreter::dispatch_seen(envelope& e, cell& c, cell::word_value seen) {
  const bool runs_here = !c.where().is_one_shot() && (seen.is_home() ? run_.is_home(c) : !e.is_forwarded());
  const bool runs_away = !runs_here && seen.is_open_home() && parts_.homes.may_run_away(e, c);
  if (!runs_here && !runs_away) return divert(e, c, seen);
  if (e.is_special() && is_watch(e)) return parts_.ends.watch(e, c, seen);
  if (is_restart_order(e)) return parts_.restarts.take_order(e, c, seen);
  closure& b = *seen.closure();
  const bool is_run = e.is_special() ? call_special(e, c, b) : call_behavior<false, true>(run_, e, c, b);
  if (!is_run) return run_outcome::done;
  committer_.note_changes(e.target());
  if (runs_away) return committer_.conclude_away(e, c);
  const run_outcome o = committer_.conclude(run_, e, c, seen);
  if (seen.is_home() && !c.where().is_exclusive()) parts_.homes.note_run_at_home(index_of(e.target()), c, seen);
  return o;
}

template <bool Plain, class Handler>
inline bool interpreter::call(run_state& run, envelope& e, cell& c, closure& b, Handler handler) {
  // relaxed: hint, for reports of what still runs; read back by its owner; and the next line publishes it.
  run.handling.store(e.target(), std::memory_order_relaxed);
  run.hazard_slot().hold(&b);
  transactions::journal::begin(run);
  if (!Plain && e.is_laden()) [[unlikely]]
    unload(e, *b.type);
  try {
    handler(b, run, Plain ? e.plain_payload() : e.message());
    run.hazard_slot().let_go();
    return true;
  } catch (...) {
    // If the handler has waited, this frame belongs to another worker, which goes on with other messages meanwhile.
    if (!parker::failed_behind_wait()) {
      run.hazard_slot().let_go();
      committer_.fail(e, c, *b.type);
      return false;
    }
  }
  parker::behind_wait().leave_stack(lane_stack::outcome::failed);
}

void interpreter::unload(envelope& e, const behavior_type& at) noexcept {
  parts_.limits.unload(e);
  const bool is_first = e.collisions() == 0 && e.attempts() == 0;
  if (!is_first || !run_.watched().is_on() || e.id() == 0) return;
  if (detail::trace_track* const to = track()) to->arrive(e.id(), at);
}

template <bool Plain, bool Observed>
inline bool interpreter::call_behavior(run_state& run, envelope& e, cell& c, closure& b) {
  if constexpr (!Observed) return call<Plain>(run, e, c, b, b.type->entries[index_of(e.target())]);
  const entry handler = handler_of(b, e);
  const bool twice = rehearses_ && b.type->kind == actor_kind::transactional;
  return twice ? call_twice(e, c, b, handler) : call<Plain>(run, e, c, b, handler);
}

// A handler that waits does not return to this frame, and leaves it as it is: hence nothing in it must be destroyed.
bool interpreter::call_twice(envelope& e, cell& c, closure& b, entry handler) {
  const behavior_type& type = real_type(b);
  rehearser_.rehearse(e, b, handler);
  const bool ran = call<false>(run_, e, c, b, handler);
  rehearser_.compare(ran, type, e);
  return ran;
}

bool interpreter::call_special(envelope& e, cell& c, closure& b) {
  if (is_pill(e)) {
    transactions::journal::begin(run_);
    run_.journal().stop(ending_of_pill(e));
    return true;
  }
  if (is_own_answer(e)) return call_own_answer(e, c, b);
  const bool looks = is_idle_look(e);
  if (!looks && b.type->on_failure == nullptr) {
    parts_.leaving.drop(e, failure_reason::failure_not_heard);
    return false;
  }
  run_.note_special(&e.type());
  const auto look = [this](closure& its, run&, void* order) { idle_watch::take_order(parts_.idle, its, order); };
  const bool committed = looks ? call<false>(run_, e, c, b, look) : call<false>(run_, e, c, b, failure_handler_of(b));
  run_.note_special(nullptr);
  return committed;
}

// What the answer is for belongs to the object that has asked; one that was made anew in its place knows nothing of it.
bool interpreter::call_own_answer(envelope& e, cell& c, closure& b) {
  const own_answer& answer = *static_cast<const own_answer*>(e.message());
  if (answer.restarts != times_restarted(c)) {
    parts_.leaving.drop(e, failure_reason::target_ended);
    return false;
  }
  const entry handler = run_.simulation() == nullptr ? &idle_watch::take_answer : &call_simulated_answer;
  run_.note_special(&e.type());
  const bool twice = rehearses_ && b.type->kind == actor_kind::transactional;
  const bool committed = twice ? call_twice(e, c, b, handler) : call<false>(run_, e, c, b, handler);
  run_.note_special(nullptr);
  return committed;
}

run_outcome interpreter::divert(envelope& e, cell& c, cell::word_value seen) {
  if (c.where().is_one_shot()) {
    // False: another worker has claimed the one-shot first, and the word says ended now.
    if (!c.word.claim(seen)) return run_outcome::again;
    run_once(e, c, *seen.closure());
    return run_outcome::done;
  }
  if (seen.is_home()) return run_outcome::forward;
  // The message was sent home by a collision, and must not collide again.
  if (!run_.is_home(c)) return run_outcome::forward;
  parts_.homes.go_home(c);
  return run_outcome::again;
}

void interpreter::run_once(envelope& e, cell& c, closure& b) {
  // The closure of an asker is gone as soon as its thread has been told.
  const behavior_type& type = *b.type;
  if (type.kind == actor_kind::waiter) return parker_.resume(e, c, b);
  if (type.kind == actor_kind::asker) run_.counts().rare.askers_told.add(1);
  if (e.is_special()) run_.watched().note_given_up(e.target());
  if (e.is_special() ? call_special(e, c, b) : call<false>(run_, e, c, b, handler_of(b, e))) {
    committer_.note_changes(e.target());
    committer_.conclude_rest(e);
  }
  parts_.frees.give_up_served(c);
  if (type.destroy != nullptr) {
    end_closure(b, allocation::delete_);
  } else if (run_.workers().pump() != nullptr) {
    // In an engine without workers a thread that asks sleeps there.
    run_.workers().quiet_event().notify();
  }
}

bool interpreter::run_told(mailbox::copy_queue& from, detail::trace_track* to) {
  sync::may_switch();
  envelope& e = from.front();
  // What is recorded is the message for which a token stands.
  if (to != nullptr && e.is_special() && is_token(e) && !redeem(e, cell_of(e.target()))) {
    from.skip_to(e.after());
    return run_.meter().step();
  }
  const auto dispatches = [&] { observe(e, [&] { from.skip_to(dispatch_next<true>(run_, e)); }); };
  to != nullptr ? trace(*to, e, dispatches) : dispatches();
  return run_.meter().step();
}

detail::trace_track* interpreter::track() noexcept {
  return run_.watched().track([this] { return name_of(run_); });
}

// A handler that waits does not return here, and leaves this frame as it is.
template <class F>
void interpreter::trace(detail::trace_track& to, envelope& e, F dispatches) {
  using detail::trace_outcome;
  const port actor = e.target();
  // A token that is put aside stands for a message that is recorded when it comes.
  const bool is_shown = e.id() != 0 || !e.is_special() || !is_token(e);
  const std::uint64_t id = !is_shown ? 0
                                     : to.begin({.step = detail::trace_step::begun,
                                                 .id = e.id(),
                                                 .actor = actor,
                                                 .message = &e.type(),
                                                 .actor_type = last_type(actor),
                                                 .customer = open_customer_of(e)});
  if (id == 0) {
    run_.trace_by(nullptr);
    return dispatches();
  }
  run_.trace_by(&to, id);
  const tally before = run_.counts().now;
  dispatches();
  const tally& now = run_.counts().now;
  run_.trace_by(nullptr);
  // First: an answer is taken, whatever then becomes of the handler that has waited for it.
  const trace_outcome how = now.committed != before.committed   ? trace_outcome::committed
                            : now.failed != before.failed       ? trace_outcome::failed
                            : now.dead != before.dead           ? trace_outcome::dead
                            : now.forwarded != before.forwarded ? trace_outcome::forwarded
                                                                : trace_outcome::put_aside;
  to.write({.step = detail::trace_step::over, .outcome = how, .id = id, .actor = actor});
}

template <class F>
void interpreter::observe(envelope& e, F dispatches) {
  if (run_.simulation() == nullptr) return dispatches();
  using sync::event;
  const port to = e.target() & ~index_mask;
  sync::noted_message message{e.type().name, e.type().key, e.message()};
  const std::string_view name = type_name_of(e.target());
  const auto note = [&](event what) { run_.simulation()->note(what, to, name, message); };
  cell& c = cell_of(e.target());
  const bool is_put_aside = c.word.load().is_waiting() && is_current(e.target());
  note(is_put_aside ? event::put_aside : event::handling);
  message.message = nullptr;
  const tally before = run_.counts().now;
  dispatches();
  for (auto n = before.collisions; n != run_.counts().now.collisions; ++n) note(event::collided);
  if (run_.counts().now.committed != before.committed) note(event::committed);
  if (run_.counts().now.failed != before.failed) note(event::failed);
  if (run_.counts().now.forwarded != before.forwarded) note(event::forwarded);
  if (run_.counts().now.dead != before.dead) note(event::dead);
}

// These stand in the place of each handler.
void interpreter::call_simulated(closure& b, run& r, void* message) {
  // relaxed: owner-only write, read back by its owner.
  call_step(b, r, message, b.type->entries[index_of(r.handling.load(std::memory_order_relaxed))]);
}
void interpreter::call_simulated_failure(closure& b, run& r, void* message) {
  call_step(b, r, message, b.type->on_failure);
}
void interpreter::call_simulated_answer(closure& b, run& r, void* message) {
  call_step(b, r, message, &idle_watch::take_answer);
}
// Between the return of a handler and its commit other threads may go first.
void interpreter::call_step(closure& b, run& r, void* message, entry handler) {
  run_state& here = run_state::of(r);
  const bool is_asker = b.type->kind == actor_kind::asker;  // an asker is gone when it has run
  {
    const user_code inside(!is_asker);
    handler(b, r, message);
    if (!is_asker && !b.type->cannot_fail) rehearser::end_step(here);
  }
  here.simulation()->may_switch();
}

}  // namespace tact::actors
