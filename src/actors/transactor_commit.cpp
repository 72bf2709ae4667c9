// How a run ends: commit, abort, failure; and what the core itself sends then.
#include <new>
#include <utility>

#include "actors/failures.hpp"
#include "actors/notices.hpp"
#include "actors/papers.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

namespace {

void destroy_behavior(void* behavior, void*) noexcept {
  auto& ended = *static_cast<closure*>(behavior);
  ended.type->destroy(ended, allocation::delete_);
}

}  // namespace

inline void transactor::end_behavior(closure& old) noexcept {
  if (!engine_->pins().put_off(old, &destroy_behavior, nullptr)) actors::end_closure(old, allocation::delete_);
}

inline void transactor::retire(closure& old) noexcept { alone_ ? end_behavior(old) : retire_shared(old); }

inline void transactor::retire(cell& c) noexcept { alone_ ? cells_.give(c) : retire_shared(c); }

// Ends an actor whose word says ended already, so its closure is this run's to end.
inline void transactor::end_actor(cell& c, closure& last, ending how, const std::string* what) noexcept {
  c.next_generation(false);
  ++tally_.ended;
  // Only the holder ever saw the state of a classic or ordered actor; that of a parallel one may still be in use by
  // other workers.
  c.where().is_exclusive() ? actors::end_closure(last, how.how) : retire(last);
  engine_->workers().home_is_left(c.where().shard());
  if (c.has_papers()) [[unlikely]]
    return bid_farewell(c, how, what);
  retire(c);
}

inline void transactor::replaced(cell& c, cell::word_value seen) noexcept {
  closure& old = *seen.closure();
  // The behaviours of an ordered actor are seen by the holder of its shard only.
  const bool at_once = alone_ || seen.is_sole() || c.where().is_exclusive();
  if (at_once) return end_behavior(old);
  c.has_papers() ? retire_of_member(c, old) : retire_shared(old);
}

// Publishes at once what was staged for a worker that sleeps.
inline void transactor::flush_if_due() {
  if (flush_soon_) [[unlikely]]
    flush();
}

// Makes the become or the end take effect. False: the run has collided with another one.
inline bool transactor::change(cell& c, cell::word_value seen) noexcept {
  closure& old = *seen.closure();
  if (journal_.stops()) {
    if (nobody_else_changes(seen)) {
      c.word.end_home();
    } else if (!c.word.try_end(seen)) {
      return false;
    }
    end_actor(c, old, journal_.how());
  } else {
    if (nobody_else_changes(seen)) {
      c.word.replace(seen, journal_.next());
    } else if (!c.word.commit(seen, journal_.next())) {
      return false;
    } else if (becomes_alone(c)) {
      go_home(c);
    }
    replaced(c, seen);
  }
  return true;
}

transactor::outcome transactor::settle(envelope& e, cell& c, cell::word_value seen) {
  if (journal_.only_becomes() && nobody_else_changes(seen)) {
    c.word.replace(seen, journal_.next());
    journal_.settle_become();
    finish<false>(e);
    replaced(c, seen);
    return outcome::done;
  }
  if (journal_.creates()) install_created();
  if (journal_.changes_actor() && !change(c, seen)) [[unlikely]]
    return collided(e, c);
  commit_rest();
  finish<false>(e);
  return outcome::done;
}

// REQUIRES: no become and no end was staged.
void transactor::commit_segment() {
  if (journal_.creates()) install_created();
  commit_rest();
}

void transactor::settle_rest(envelope& e) {
  commit_segment();
  finish<false>(e);
}

[[gnu::noinline]] transactor::outcome transactor::collided(envelope& e, cell& c) {
  abort(true);
  settle_run();
  ++tally_.collisions;
  types_.of(*c.type()).collisions.add(1);
  e.add_collision();
  if (e.collisions() < engine_->options().collisions_max) return outcome::again;
  go_home(c);
  return is_home(c) ? outcome::again : outcome::forward;
}

// Resets what this class itself keeps of the run.
void transactor::forget_run() noexcept {
  if (looks_at_all_) {
    looks_at_all_ = false;
    debt_ = 0;
    owed_ = 0;
    context = nullptr;
    keep_all();
    if (idle_->any()) look_at_parallel();
  }
  sent_in_run_ = 0;
}

void transactor::settle_run() noexcept {
  forget_run();
  journal_.settle();
}

// From now on every send is looked at, because it may be the answer.
void transactor::owe(port customer) noexcept {
  debt_ = customer;
  owed_ = customer;
  look_at_all();
}

const context_node* transactor::enter_context(const context_node* next) noexcept {
  if (next != nullptr) look_at_all();
  return std::exchange(context, next);
}

void transactor::look_at_all() noexcept {
  looks_at_all_ = true;
  journal_.note_other();
  look_at_every_send();
}

void transactor::look_at_every_send() noexcept {
  base = nobodys;
  parallel_key = nobodys;
}

void transactor::end_message(envelope& e) noexcept {
  const base::may_use_reserve sure;  // the message's destructor may send
  const actors::this_thread::callback outside;
  e.destroy(true);
}

// Comes before the become: once that is in, another worker may run the new behaviour at once, and send to the actors
// that were created. An actor that is installed may have run and ended by the next instruction, so it is counted
// before, and not looked at again.
inline void transactor::install_created() noexcept {
  for (const auto& made : journal_.creations()) {
    if (made.behavior == nullptr) {
      journal_.note_other();
      continue;
    }
    cell& c = cell_of(made.address);
    tally_.created += !c.where().is_one_shot();
    c.install(*made.behavior);
  }
}

inline void transactor::commit_rest() {
  if (journal_.has_rare()) [[unlikely]]
    commit_rare();
  const bool to_others = journal_.has_marks();
  journal_.settle();
  if (to_others) flush_if_due();
}

[[gnu::noinline]] void transactor::commit_rare() noexcept {
  const base::may_use_reserve sure;
  if (passed_on_ != nullptr) handled().hand_over(*std::exchange(passed_on_, nullptr));
  if (timers_ != nullptr) commit_timers();
  if (debt_ != 0) pay_debt();
  // The run has staged a become, and then an end, which replaces it.
  if (journal_.stops() && journal_.next() != nullptr) actors::end_closure(*journal_.next(), allocation::delete_);
  for (const auto& made : journal_.creations()) {
    if (made.behavior != nullptr) continue;
    tear_up(cell_of(made.address));
    give_up(cell_of(made.address));
  }
  for (const std::uint32_t home : blocking_homes_) engine_->workers().home_is_used(home);
  blocking_homes_.clear();
  for (; !made_in_scopes_.empty(); made_in_scopes_.pop_front()) {
    cell& made = cell_of(made_in_scopes_.front());
    if (made.has_papers()) actors::exist_in_scope(made, [] {});
  }
  forget_run();
  if (!journal_.abroad().empty()) send_abroad();
}

void transactor::send_abroad() noexcept {
  const actors::this_thread::callback outside;
  mailbox::copy_queue& abroad = journal_.abroad();
  while (!abroad.empty()) {
    envelope& e = abroad.front();
    const unsigned slots = e.slots();
    if (is_counted_here(e.target())) {
      let_in(e);
      abroad.pop(slots, worker_->chunks());
      continue;
    }
    const context_scope in(e.has_parcel() ? e.its_parcel().context : nullptr);
    send(e.target(), e.type(), e.payload());
    e.end_parcel();
    abroad.pop(slots, worker_->chunks());
  }
  sent_in_run_ = 0;
}

void transactor::abort(bool installed) noexcept {
  const base::may_use_reserve sure;
  const actors::this_thread::callback outside;
  if (closure* next = journal_.next()) actors::end_closure(*next, allocation::finished);
  journal_.cut();
  passed_on_ = nullptr;
  if (timers_ != nullptr) abort_timers();
  for (const auto& made : journal_.creations()) {
    cell& c = cell_of(made.address);
    if (installed && made.behavior != nullptr && !engine_->workers().waits_for_commit(c.where().shard())) {
      end_installed(c, made.address);
      continue;
    }
    // No worker has run this actor: it was not installed, or it is a blocking one, whose thread waits for the commit.
    c.word.end_home();
    if (installed && made.behavior != nullptr) --tally_.created;
    if (made.behavior != nullptr) actors::end_closure(*made.behavior, allocation::finished);
    if (c.has_papers()) tear_up(c);
    give_up(c);
  }
  blocking_homes_.clear();
  made_in_scopes_.clear();
  journal_.settle();
}

void transactor::discard() noexcept {
  abort();
  sent_in_run_ = 0;
  debt_ = owed_;
  if (looks_at_all_) look_at_all();
}

// Ends an actor that was installed for a moment by a run that then collided. If a side effect has given its address
// away, the actor may be running now, on any worker, and may have become something else or have ended. So it is ended
// like any other actor.
void transactor::end_installed(cell& c, port at) noexcept {
  if (!c.where().is_one_shot()) return end_from_elsewhere(c, at, {allocation::finished, end_reason::gone}, nullptr);
  const auto seen = c.word.load();
  if (seen.is_ended() || !c.word.claim(seen)) return;
  retire(*seen.closure());
  give_up(c);
}

void transactor::failed(envelope& e, cell& c, const behavior_type& type) noexcept {
  const base::may_use_reserve sure;
  actors::caught thrown = actors::describe_exception();
  const port self = self_port(*this);
  abort();
  debt_ = 0;
  ++tally_.failed;
  const bool is_one_shot = type.kind == actor_kind::once || type.kind == actor_kind::asker;
  failure_report report = actors::report_of(thrown, self, type.name, e.type().name);
  report.actor_ends = is_one_shot;
  if (!is_one_shot)
    report.actor_ends = actors::decide(self, type.kind, engine_->options(), report) == failure_policy::end;
  engine_->reports().failed(report);
  if (report.actor_ends && !is_one_shot) {
    end_from_elsewhere(c, self, {allocation::finished, end_reason::failed}, &thrown.what);
  }
  // If the request was answered before the handler waited, its customer needs no failure notice.
  const bool is_answered = resumed_ != nullptr && owed_ == 0;
  if (const port customer = owed_ != 0 ? owed_ : actors::customer_of(e); customer != 0 && !is_answered) {
    tell(customer, {failure_reason::handler_threw, std::move(thrown.what), std::move(thrown.causes)});
  }
  settle_run();
  end_message(e);
}

// REQUIRES: no run is going on.
void transactor::end_from_elsewhere(cell& c, port at, ending how, const std::string* what) noexcept {
  const base::may_use_reserve sure;
  for (;;) {
    const auto seen = c.word.load();
    // A port that is not current belongs to an actor that ended while one of its handlers waited.
    if (seen.is_ended() || !actors::is_current(at)) return;
    if (seen.is_waiting()) {
      new (stage_for_core(at, actors::pill_message)) actors::end_order{how, what};
      return;
    }
    if (!seen.is_home()) {
      if (!c.word.try_end(seen)) continue;
    } else if (is_home(c)) {
      c.word.end_home();
    } else {
      // The actor is at home, but its home is not held here: only the holder of that shard may end it.
      void* place = journal_.to_outbox(outbox_for(c.where().shard()), actors::pill_message.slot_count());
      new ((new (place) envelope(actors::pill_message, at))->payload()) actors::end_order{how, what};
      return;
    }
    return end_actor(c, *seen.closure(), how, what);
  }
}

void transactor::retire_shared(void* object, dispatch::epochs::finalizer fin, void* with) noexcept {
  auto& workers = engine_->workers();
  if (!worker_->is_blocking()) return workers.reclamation().retire(worker_->index(), object, fin, with);
  const actors::this_thread::callback outside;
  workers.retire_outside(object, fin, with);
}

void transactor::retire_shared(closure& old) noexcept {
  retire_shared(
      &old,
      [](void* object, void* engine) {
        auto& pins = static_cast<core*>(engine)->pins();
        if (!pins.put_off(*static_cast<closure*>(object), &destroy_behavior, nullptr))
          destroy_behavior(object, nullptr);
      },
      engine_);
}

void transactor::retire_shared(cell& c) noexcept {
  retire_shared(
      &c,
      [](void* object, void* engine) {
        cell* const free = static_cast<cell*>(object);
        // Whichever worker frees the cell keeps it for the next actor that it creates.
        run* r = actors::this_thread::worker();
        r != nullptr ? transactor::of(*r).cells().give(*free) : static_cast<core*>(engine)->cells().give({&free, 1});
      },
      engine_);
}

// Gives up a cell that holds no actor any more, or never did. `served`: see cell::was_served.
void transactor::give_up(cell& c, bool served) noexcept {
  // The waiter's cell of a handler has the home of that handler's actor, which may be a shard kept for the actor: it is
  // still in use.
  if (!c.where().is_one_shot()) engine_->workers().home_is_unused(c.where().shard());
  c.next_generation(served);
  retire(c);
}

}  // namespace tact::detail
