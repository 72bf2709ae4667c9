// How actors are watched, and what happens when an actor with papers ends: docs/protocols/lifetime.md.
#include <utility>

#include "actors/failures.hpp"
#include "actors/notices.hpp"
#include "actors/papers.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"

namespace tact::detail {

using actors::cell;
using mailbox::envelope;

// Carries out an order to watch. Where another thread may end the actor meanwhile, the word is committed to what it
// was: a thread that ends the actor after that looks into its papers. If this commit fails, the watcher is taken back,
// and the order is carried out once more; unless the end was quicker and has told the watcher already.
transactor::outcome transactor::watch(envelope& e, cell& c, cell::word_value seen) {
  // The holder of its home may be ending the actor.
  if (seen.is_home() && !is_home(c)) return outcome::forward;
  const base::may_use_reserve sure;
  watcher& w = actors::take_watcher(e);
  actors::add_watcher(c, w);
  if (!nobody_else_changes(seen) && !c.word.commit(seen, seen.closure()) && actors::remove_watcher(c, w)) {
    actors::put_watcher(e, w);
    return outcome::again;
  }
  finish<false>(e);
  return outcome::done;
}

// The notice is staged behind what the run has sent, and leaves with it. One for another engine, or for a mailbox with
// a limit, is sent at once.
void transactor::tell_watcher(watcher& w, ended&& notice) noexcept {
  const base::may_use_reserve sure;
  const bool is_elsewhere = !lives_in(w.to, *engine_) || is_counted_here(w.to);
  const actors::this_thread::callback outside;
  const port debt = std::exchange(debt_, 0);  // a notice is no answer
  actors::tell(w, is_elsewhere ? nullptr : this, std::move(notice));
  debt_ = debt;
}

void transactor::bid_farewell(cell& c, ending how, const std::string* what) noexcept {
  const base::may_use_reserve sure;
  if (what == nullptr && how.why == end_reason::failed) what = pill_text_;
  actors::farewell all = actors::take_leave(c);
  while (watcher* const w = all.watchers.take_first())
    tell_watcher(*w, actors::notice_of_end(actors::last_port_of(c), how.why, what));
  if (all.about != nullptr && all.about->limit) close_mailbox(c);
  const bool in_scope = all.about != nullptr && all.about->scope != nullptr;
  // Other workers may still run a parallel actor, and see its behaviour.
  const bool later = in_scope && !alone_ && !c.where().is_exclusive();
  if (in_scope && !later) actors::leave_scope(c);
  retire_with_papers(c, later);
}

namespace {

void leave_for_good(cell& c) noexcept {
  actors::leave_scope(c);
  actors::cell_slab::of(c).gate.load()->engine().cells().give_later(c);
}

void end_of_member(void* behavior, void* member) noexcept {
  auto& replaced = *static_cast<closure*>(behavior);
  replaced.type->destroy(replaced, allocation::delete_);
  if (cell& of = *static_cast<cell*>(member); actors::nothing_owed(of)) leave_for_good(of);
}

}  // namespace

// Retires what a member of a scope was before. A thread that waits for the scope waits for that too.
void transactor::retire_of_member(cell& c, closure& old) noexcept {
  if (actors::scope_of(c) == nullptr) return retire_shared(old);
  actors::owe_behavior(c);
  retire_shared(
      &old,
      [](void* object, void* member) {
        auto& pins = actors::cell_slab::of(*static_cast<cell*>(member)).gate.load()->engine().pins();
        if (!pins.put_off(*static_cast<closure*>(object), &end_of_member, member)) end_of_member(object, member);
      },
      &c);
  hasten();
}

void transactor::retire_with_papers(cell& c, bool leaves_scope) noexcept {
  if (alone_) return engine_->cells().give_later(c);
  if (!leaves_scope) {
    return retire_shared(
        &c,
        [](void* object, void* engine) { static_cast<core*>(engine)->cells().give_later(*static_cast<cell*>(object)); },
        engine_);
  }
  retire_shared(
      &c,
      [](void* object, void*) {
        if (cell& of = *static_cast<cell*>(object); actors::nothing_owed(of)) leave_for_good(of);
      },
      nullptr);
  hasten();
}

// A thread may wait for what was retired, so it is to be freed soon.
void transactor::hasten() noexcept {
  if (!worker_->is_blocking()) engine_->workers().reclamation().hasten(worker_->index());
}

bool transactor::end_later(port p) noexcept {
  const base::may_use_reserve sure;
  if (runs_lane_) {
    without_owner_.push_back(p);
    return true;
  }
  if (!lives_in(p, *engine_) || is_counted_here(p)) return false;
  // The order takes the same way as what was sent from here, so that it comes behind that.
  mailbox::copy_queue& to = worker_->outboxes().open(outbox_for(actors::route_of(p).shard())).queue;
  void* const place = to.reserve(actors::pill_message.slot_count(), worker_->chunks());
  auto* const pill = new (place) mailbox::envelope(actors::pill_message, p);
  ::new (pill->payload()) actors::end_order({allocation::finished, end_reason::owner_gone}, nullptr);
  ++sent;
  worker_->flush();
  return true;
}

// Sends the orders to end actors without owner, behind all that the runs before have sent, whether these have committed
// or not.
void transactor::end_owned() noexcept {
  const base::may_use_reserve sure;
  for (; !without_owner_.empty(); without_owner_.pop_front()) {
    const port p = without_owner_.front();
    if (!lives_in(p, *engine_)) {
      order_end(p, end_reason::owner_gone);
      continue;
    }
    transactions::journal::begin(*this);
    ::new (stage_for_core(p, actors::pill_message))
        actors::end_order({allocation::finished, end_reason::owner_gone}, nullptr);
    settle_run();
  }
}

void watch(run& r, port target, watcher& w) {
  try {
    ::new (stage(r, target, actors::watch_message)) watcher*(&w);
  } catch (...) {
    w.drop(w);
    throw;
  }
}

void watch(core& engine, port target, watcher& w) {
  target = actors::or_nobody(target);
  if (!actors::is_current(target)) return actors::tell(w, nullptr, actors::gone(target));
  watcher* payload[2] = {&w, nullptr};  // an inbox copies at least 16 bytes
  send(engine, target, actors::watch_message, payload);
}

}  // namespace tact::detail
