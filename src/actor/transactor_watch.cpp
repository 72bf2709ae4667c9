// Who watches an actor, and what happens when one with papers ends: docs/protocols/lifetime.md.
#include <utility>

#include "actor/failures.hpp"
#include "actor/notices.hpp"
#include "actor/papers.hpp"
#include "actor/this_thread.hpp"
#include "actor/transactor.hpp"

namespace tact::detail {

using actor::cell;
using mailbox::envelope;

// Where others may end the actor meanwhile, the word is committed to what it was: whoever ends it after that looks into
// its papers. If somebody was quicker, the watcher is taken back, unless it was told already.
transactor::outcome transactor::watch(envelope& e, cell& c, cell::word_value seen) {
  if (seen.is_home() && !is_home(c)) return outcome::forward;  // its holder may be ending it
  const base::may_use_reserve sure;
  watcher& w = actor::take_watcher(e);
  actor::add_watcher(c, w);
  if (!nobody_else_changes(seen) && !c.word.commit(seen, seen.closure()) && actor::remove_watcher(c, w)) {
    actor::put_watcher(e, w);
    return outcome::again;
  }
  finish<false>(e);
  return outcome::done;
}

// Notices are staged behind what the run has sent, and leave with it.
void transactor::tell_watcher(watcher& w, ended&& notice) noexcept {
  const base::may_use_reserve sure;
  const bool is_elsewhere = !lives_in(w.to, *engine_) || is_counted_here(w.to);
  const actor::this_thread::callback outside;
  const port debt = std::exchange(debt_, 0);  // a notice is no answer
  actor::tell(w, is_elsewhere ? nullptr : this, std::move(notice));
  debt_ = debt;
}

void transactor::bid_farewell(cell& c, ending how, const std::string* what) noexcept {
  const base::may_use_reserve sure;
  if (what == nullptr && how.why == end_reason::failed) what = pill_text_;
  actor::farewell all = actor::take_leave(c);
  while (watcher* const w = all.watchers.take_first())
    tell_watcher(*w, actor::notice_of_end(actor::last_port_of(c), how.why, what));
  if (all.about != nullptr && all.about->limit) close_mailbox(c);
  const bool in_scope = all.about != nullptr && all.about->scope != nullptr;
  // Others may still run a parallel actor, and see its behaviour.
  const bool later = in_scope && !alone_ && !c.where().is_exclusive();
  if (in_scope && !later) actor::leave_scope(c);
  retire_with_papers(c, later);
}

namespace {

void leave_for_good(cell& c) noexcept {
  actor::leave_scope(c);
  actor::cell_slab::of(c).gate.load()->engine().cells().give_later(c);
}

void end_of_member(void* behavior, void* member) noexcept {
  auto& replaced = *static_cast<closure*>(behavior);
  replaced.type->destroy(replaced, allocation::delete_);
  if (cell& of = *static_cast<cell*>(member); actor::nothing_owed(of)) leave_for_good(of);
}

}  // namespace

// What a member of a scope was before. Who waits for the scope waits for that too.
void transactor::retire_of_member(cell& c, closure& old) noexcept {
  if (actor::scope_of(c) == nullptr) return retire_shared(old);
  actor::owe_behavior(c);
  retire_shared(
      &old,
      [](void* object, void* member) {
        auto& pins = actor::cell_slab::of(*static_cast<cell*>(member)).gate.load()->engine().pins();
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
        if (cell& of = *static_cast<cell*>(object); actor::nothing_owed(of)) leave_for_good(of);
      },
      nullptr);
  hasten();
}

// Somebody may wait for what was retired.
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
  // Behind what was sent from here, so on the same way.
  mailbox::copy_queue& to = worker_->outboxes().open(outbox_for(actor::route_of(p).shard())).queue;
  void* const place = to.reserve(actor::pill_message.slot_count(), worker_->chunks());
  auto* const pill = new (place) mailbox::envelope(actor::pill_message, p);
  ::new (pill->payload()) actor::end_order({allocation::finished, end_reason::owner_gone}, nullptr);
  ++sent;
  worker_->flush();
  return true;
}

// Behind everything that the runs before have sent, whether they have committed or not.
void transactor::end_owned() noexcept {
  const base::may_use_reserve sure;
  for (; !without_owner_.empty(); without_owner_.pop_front()) {
    const port p = without_owner_.front();
    if (!lives_in(p, *engine_)) {
      order_end(p, end_reason::owner_gone);
      continue;
    }
    transaction::journal::begin(*this);
    ::new (stage_for_core(p, actor::pill_message))
        actor::end_order({allocation::finished, end_reason::owner_gone}, nullptr);
    settle_run();
  }
}

void watch(run& r, port target, watcher& w) {
  try {
    ::new (stage(r, target, actor::watch_message)) watcher*(&w);
  } catch (...) {
    w.drop(w);
    throw;
  }
}

void watch(core& engine, port target, watcher& w) {
  target = actor::or_nobody(target);
  if (!actor::is_current(target)) return actor::tell(w, nullptr, actor::gone(target));
  watcher* payload[2] = {&w, nullptr};  // an inbox copies so much at once
  send(engine, target, actor::watch_message, payload);
}

}  // namespace tact::detail
