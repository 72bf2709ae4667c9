#include "actors/life/lifecycle.hpp"

#include <new>
#include <utility>

#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"

namespace tact::actors {

using mailbox::envelope;

void lifecycle::end_from_elsewhere(cell& c, port at, ending how, const std::string* what) noexcept {
  const base::may_use_reserve sure;
  for (;;) {
    const auto seen = c.word.load();
    // A port that is not current belongs to an actor that ended while one of its handlers waited.
    if (seen.is_ended() || !is_current(at)) return;
    if (seen.is_waiting()) {
      new (router_.stage_for_core(at, pill_message)) end_order{how, what};
      return;
    }
    if (!seen.is_home()) {
      if (!c.word.try_end(seen, mark_of(c, how.why))) continue;
    } else if (run_.is_home(c)) {
      c.word.end_home(mark_of(c, how.why));
    } else {
      // The actor is at home, but its home is not held here: only the holder of that shard may end it.
      void* place =
          run_.journal().to_outbox(run_.workers().mail().outbox_for(c.where().shard()), pill_message.slot_count());
      new ((new (place) envelope(pill_message, at))->payload()) end_order{how, what};
      return;
    }
    return end_actor(run_, c, *seen.closure(), how, what);
  }
}

// Ends an actor that was installed for a moment by a run that then collided. If a side effect has given its address
// away, the actor may be running now, on any worker, and may have become something else or have ended. So it is ended
// like any other actor.
void lifecycle::end_installed(cell& c, port at) noexcept {
  if (!c.where().is_one_shot()) return end_from_elsewhere(c, at, {allocation::finished, end_reason::gone}, nullptr);
  const auto seen = c.word.load();
  if (seen.is_ended() || !c.word.claim(seen)) return;
  reclaimer_.retire(run_, *seen.closure());
  reclaimer_.give_up(c);
}

// Carries out an order to watch. Where another thread may end the actor meanwhile, the word is committed to what it
// was: a thread that ends the actor after that looks into its metadata. If this commit fails, the watcher is taken
// back, and the order is carried out once more; unless the end was quicker and has told the watcher already.
run_outcome lifecycle::watch(envelope& e, cell& c, cell::word_value seen) {
  // The holder of its home may be ending the actor.
  if (seen.is_home() && !run_.is_home(c)) return run_outcome::forward;
  const base::may_use_reserve sure;
  watcher& w = take_watcher(e);
  add_watcher(c, w);
  if (!run_.is_sole_writer(seen) && !c.word.commit(seen, seen.closure()) && remove_watcher(c, w)) {
    put_watcher(e, w);
    return run_outcome::again;
  }
  run_.finish<false>(e);
  return run_outcome::done;
}

void lifecycle::forget(envelope& e, cell& c) noexcept {
  forget_watcher(c, e.target(), watcher_to_forget(e));
  const this_thread::callback outside;  // the last share may go
  run_.finish<false>(e);
}

void lifecycle::bid_farewell(cell& c, ending how, const std::string* what) noexcept {
  const base::may_use_reserve sure;
  if (gives_reason(how, what)) remember_reason(c, *what);
  farewell all = take_leave(c);
  while (watcher* const w = all.watchers.take_first())
    core_sender_.tell_watcher(*w, notice_of_end(last_port_of(c), how.why, what));
  if (all.about != nullptr && all.about->has_mailbox()) admission_.close_mailbox(c);
  const bool in_scope = all.about != nullptr && all.about->scope != nullptr;
  // Other workers may still run a parallel actor, and see its behaviour.
  const bool later = in_scope && !run_.is_alone() && !c.where().is_exclusive();
  if (in_scope && !later) leave_scope(c);
  reclaimer_.retire_with_metadata(c, later);
}

bool lifecycle::end_later(port p) noexcept {
  const base::may_use_reserve sure;
  if (run_.at().runs_lane()) {
    without_owner_.push_back(p);
    return true;
  }
  if (!run_.lives_here(p) || router_.is_limited_here(p)) return false;
  // The order takes the same way as what was sent from here, so that it comes behind that.
  mailbox::copy_queue& to =
      run_.worker().outboxes().open(run_.workers().mail().outbox_for(mailbox::route_of(p).shard())).queue;
  void* const place = to.reserve(pill_message.slot_count(), run_.worker().chunks());
  auto* const pill = new (place) mailbox::envelope(pill_message, p);
  ::new (pill->payload()) end_order({allocation::finished, end_reason::owner_gone}, nullptr);
  ++run_.sent_before;
  run_.worker().flush();
  return true;
}

void lifecycle::order_ends() noexcept {
  const base::may_use_reserve sure;
  for (; !without_owner_.empty(); without_owner_.pop_front()) {
    const port p = without_owner_.front();
    if (!run_.lives_here(p) || admission_.keeps_ends(p)) {
      order_end(p, end_reason::owner_gone);
      continue;
    }
    transactions::journal::begin(run_);
    ::new (router_.stage_for_core(p, pill_message)) end_order({allocation::finished, end_reason::owner_gone}, nullptr);
    run_.conclude();
  }
}

}  // namespace tact::actors
