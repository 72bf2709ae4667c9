#include "actors/shutdown.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include "actors/census.hpp"
#include "actors/core.hpp"
#include "actors/end_notices.hpp"
#include "actors/ends.hpp"
#include "actors/failures.hpp"
#include "actors/metadata.hpp"
#include "actors/outside_calls.hpp"
#include "actors/resting.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"
#include "actors/visit.hpp"
#include "base/block_queue.hpp"
#include "base/reserve.hpp"
#include "sync/reports.hpp"
#include "sync/system.hpp"
#include "tact/detail/deadline.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

namespace {

// A list, by next_withdrawn, of the cells that hold an actor of this kind. They are collected before anything is done
// with them, because the user's code may call the engine, which needs the cells' lock. The link is free: no thread
// withdraws a cell that holds an actor.
template <class Wanted>
cell* collect(actors::cell_store& cells, Wanted wanted) noexcept {
  cell* first = nullptr;
  cell* last = nullptr;
  cells.for_each([&](cell& c) {
    if (c.word.load().is_ended() || !wanted(c)) return;
    c.set_next_withdrawn(nullptr);
    last == nullptr ? void(first = &c) : last->set_next_withdrawn(&c);
    last = &c;
  });
  return first;
}

}  // namespace

bool shutdown::drain(deadline until) noexcept {
  engine_.look_whether_left_behind("engine.drain");
  const guest inside(engine_.guests());
  if (!engine_.workers().stopping()) {
    if (!outside_calls(engine_).wait_quiet(until, false, "engine.drain")) return false;
    close();
    // Messages that came in between are handled as well.
    if (!outside_calls(engine_).wait_quiet(until, false, "engine.drain")) {
      go_on_alone();
      return false;
    }
  }
  return cancel(until);
}

void shutdown::close() noexcept {
  engine_.progress().close();
  engine_.limits().tell_of_room();           // threads that wait for room look again, and see that
  engine_.workers().quiet_event().notify();  // and so do those that wait until it is closed
  engine_.timed().close();
  engine_.workers().mail().close();
}

bool shutdown::cancel(deadline until) noexcept {
  const bool has_ended = try_cancel(until);
  if (!has_ended) go_on_alone();
  return has_ended;
}

bool shutdown::try_cancel(deadline until) noexcept {
  engine_.look_whether_left_behind("engine.cancel");
  if (actors::visit::is_ending(engine_)) return true;  // such as in the destructor of an actor that this end destroys
  close();
  engine_.workers().stop();
  if (!engine_.workers().wait_stopped(until)) return false;
  // The engine's threads have left their handlers. So of several threads that end the engine, those that wait for the
  // lock wait for a short time only.
  const sync::locked lock(end_lock_);
  const actors::visiting here(engine_, actors::visit::why::ends);
  if (!swept_) sweep();
  swept_ = true;
  engine_.reports().tell_left_out();
  return true;
}

// If the system gives no thread, the next call of drain or cancel goes on, or the destructor of the engine.
void shutdown::go_on_alone() noexcept {
  const std::lock_guard lock(alone_mutex_);
  if (is_alone_) return;
  try {
    alone_.start("end of an engine", [this] { end_alone(); });
    is_alone_ = true;
  } catch (...) {
    // As above.
  }
}

// Behind a drain what is in flight is still handled, until another thread cancels.
void shutdown::end_alone() noexcept {
  auto& changed = engine_.workers().quiet_event();
  for (;;) {
    const auto ticket = changed.prepare();
    if (engine_.workers().stopping() || census(engine_).is_quiet()) {
      changed.cancel();
      break;
    }
    if (!changed.wait(ticket, {})) break;  // only in a simulation that cannot go on
  }
  static_cast<void>(try_cancel({}));
}

// REQUIRES: the engine has ended, and the calling thread is not that one.
void shutdown::join_alone() noexcept {
  const std::lock_guard lock(alone_mutex_);
  if (std::exchange(is_alone_, false)) alone_.join();
}

void shutdown::sweep() noexcept {
  const base::may_use_reserve sure;
  engine_.workers().join();
  engine_.progress().end();
  // A thread that asked before that had counted its request by then. So reading the counters here makes its asker
  // visible to the sweep below.
  static_cast<void>(engine_.outside().late.load());
  engine_.timed().end(tells_timers_ ? &left_ : nullptr);
  resume_waiters();
  tell_continuations();
  bury_put_aside();
  sweep_messages();
  sweep_actors();
}

void shutdown::resume_waiters() noexcept {
  cell* waiting = collect(engine_.cells(), [](const cell& c) { return c.type()->kind == actor_kind::waiter; });
  auto& first = static_cast<transactor&>(engine_.workers().workers().front()->running());
  mailbox::chunk_store chunks(engine_.workers().mail().spare_chunks());
  while (waiting != nullptr) {
    cell& c = *std::exchange(waiting, waiting->next_withdrawn());
    mailbox::copy_queue left;
    first.end_wait(c, left);
    bury_all(left, chunks);
  }
}

// Continuations that hear of failures are told that no answer will come, so that they can tell those to whom they owe
// one, who may live elsewhere. Those that they make meanwhile are not told: else one that asks again would go on for
// ever. One on a loop must run on no other thread.
void shutdown::tell_continuations() noexcept {
  base::block_queue<port> waiting;
  engine_.cells().for_each([&](const cell& c) {
    const bool hears = !c.word.load().is_ended() && c.where().is_one_shot() && c.type()->kind == actor_kind::once &&
                       c.type()->on_failure != nullptr;
    if (hears && !engine_.workers().homes().is_loop(c.where().shard())) waiting.push_back(actors::port_of(c));
  });
  auto& first = static_cast<transactor&>(engine_.workers().workers().front()->running());
  mailbox::chunk_store chunks(engine_.workers().mail().spare_chunks());
  for (; !waiting.empty(); waiting.pop_front()) {
    mailbox::copy_queue left;
    first.end_wait(cell_of(waiting.front()), left);
    bury_all(left, chunks);
  }
}

// What waits for actors that rest.
void shutdown::bury_put_aside() noexcept {
  mailbox::chunk_store chunks(engine_.workers().mail().spare_chunks());
  cell* rests = collect(engine_.cells(), [](const cell& c) { return actors::resting::is_behind(c.word.load()); });
  while (rests != nullptr) {
    cell& c = *std::exchange(rests, rests->next_withdrawn());
    bury_all(actors::resting::behind(c.word.load()).put_aside, chunks);
  }
}

void shutdown::bury_all(mailbox::copy_queue& queue, mailbox::chunk_store& chunks) noexcept {
  while (!queue.empty()) {
    envelope& e = queue.front();
    const unsigned slots = e.slots();
    bury_left(e);
    queue.pop(slots, chunks);
  }
  queue.recycle(chunks);
}

// REQUIRES: no worker is left. Threads outside that came in before the engine was closed may still bring messages, so
// the sweep repeats until the counters agree.
void shutdown::sweep_messages() noexcept {
  mailbox::chunk_store chunks(engine_.workers().mail().spare_chunks());
  do {
    for (auto& s : engine_.workers().mail().shards()) bury_in(*s, s->lane, chunks);
    for (auto& o : engine_.workers().mail().offices()) bury_in(*o, o->waiting, chunks);
    sync::real::pause();
  } while (!census(engine_).is_quiet());
}

// `at`: a shard or an office. `into`: its queue of messages that were taken from its word.
template <class Place>
void shutdown::bury_in(Place& at, mailbox::copy_queue& into, mailbox::chunk_store& chunks) noexcept {
  mailbox::gulped<mailbox::chunk> taken;
  if (!at.word.try_gulp(taken)) return;
  at.accept(taken, chunks);
  bury_all(into, chunks);
  at.word.hand_over();
}

void shutdown::bury_left(envelope& e) noexcept {
  if (actors::is_token(e)) {
    const auto oldest = actors::mailbox_of(cell_of(e.target())).kept.redeem(e.target());
    if (!oldest) return;
    if (overdue_) left_.add(oldest->to, *oldest->type);
    return engine_.burial().bury(*oldest, failure_reason::engine_ended);
  }
  if (overdue_) left_.add(e.target(), e.type());
  if (e.admissions() != 0) engine_.limits().leave_counters(e);
  engine_.burial().bury_outside(e.target(), e.type(), e.payload(), failure_reason::engine_ended);
  e.free_out_of_line();
}

// What would have brought an answer is destroyed. Customers of this engine are told as what waits here.
void shutdown::tell_owed(const closure& unrun) noexcept {
  const port customer = actors::or_nobody(static_cast<const owing&>(unrun).owed);
  if (actors::is_current(customer) && !lives_in(customer, engine_))
    actors::tell_outside(customer, actors::notice_of(failure_reason::engine_ended));
}

void shutdown::sweep_actors() noexcept {
  const base::may_use_reserve sure;
  tell_askers();
  // Before they are collected, because the link of the list takes the place of what is known of those who asked.
  if (engine_.options().report_alive) {
    engine_.cells().for_each([&](cell& c) {
      if (!c.word.load().is_ended() && !c.where().is_one_shot()) alive_.add(c);
    });
  }
  cell* const alive = collect(engine_.cells(), [](const cell& c) { return c.type()->kind != actor_kind::asker; });
  for (cell* c = alive; c != nullptr; c = c->next_withdrawn()) {
    const auto seen = c->word.load();
    closure* const last = actors::resting::is_behind(seen) ? actors::resting::behind(seen).end() : seen.closure();
    c->word.end_home(actors::mark_of(*c, end_reason::engine_ended));
    if (!c->where().is_one_shot()) engine_.outside().ended.fetch_add(1);
    // The user may have destroyed an attached actor before the engine, so its type is read from the cell.
    if (last != nullptr) {
      if (c->type()->may_owe) tell_owed(*last);
      const behavior_type& type = c->type()->kind == actor_kind::classic ? *c->type() : *last->type;
      if (type.destroy != nullptr) type.destroy(*last, allocation::finished);
    }
    actors::farewell all = actors::take_leave(*c);
    while (watcher* const w = all.watchers.take_first())
      engine_.burial().tell_watcher(*w, actors::port_of(*c), end_reason::engine_ended);
    if (all.about != nullptr && all.about->limit) engine_.limits().close_mailbox(*c);
  }
  engine_.classic_watches().end_all();
  engine_.workers().reclamation().drain_all();
  for (cell* c = alive; c != nullptr; c = c->next_withdrawn()) {
    if (actors::scope_of(*c) != nullptr) actors::leave_scope(*c);
  }
  engine_.workers().quiet_event().notify();
}

// Each asker is told outside of the cells' lock, because what it does then may need that lock.
void shutdown::tell_askers() noexcept {
  const auto is_waiting = [](const cell& c) {
    return !c.word.load().is_ended() && c.type()->kind == actor_kind::asker;
  };
  actors::cell_store::place next;
  while (cell* const c = engine_.cells().find(next, is_waiting))
    engine_.burial().tell_asker(*c, actors::notice_of(failure_reason::engine_ended));
}

void shutdown::sweep_late() noexcept {
  if (!engine_.has_ended()) return;
  if (!end_lock_.try_enter()) return;
  {
    const actors::visiting here(engine_, actors::visit::why::ends);
    if (swept_) sweep_actors();
  }
  end_lock_.leave();
}

// -- the destructor of the engine, also where a thread of the engine calls it, and in a forked process

void finish(core& engine) noexcept {
  if (engine.is_left_behind()) {
    sync::report(
        "tact: a child process destroys an engine that lives in its parent: it is left as it is; after fork or daemon "
        "let the child call exec or _exit, or make its own engine\n");
    return;
  }
  const actors::ending here(engine);
  if (here.is_in_circle()) {
    if (actors::visit::ends_process()) return engine.shutdown().leave_to_process_end();
    engine.shutdown().prepare_end_elsewhere();
    return actors::end_elsewhere(engine);
  }
  engine.shutdown().finish();
  delete &engine;
}

void shutdown::finish() noexcept {
  const actors::this_thread::callback outside;
  bool is_late = is_cut_off_.load();
  const bool was_ended_before = engine_.workers().stopping() && !is_late;
  if (!engine_.workers().stopping() &&
      !outside_calls(engine_).wait_until_quiet(deadline_after(engine_.options().shutdown_timeout), false)) {
    report_overdue("still had work at its end; what is left is dropped");
    is_late = true;
  }
  {
    const sync::locked lock(end_lock_);
    overdue_ = overdue_ || is_late;
    tells_timers_ = !was_ended_before;
  }
  // A handler that returns soon needs no report, so the first wait is one second at least.
  const auto patience =
      std::max<std::chrono::milliseconds>(engine_.options().shutdown_timeout, std::chrono::seconds(1));
  while (!try_cancel(deadline_after(patience))) report_overdue("waits for handlers that do not return");
  join_alone();
  sweep_actors();  // actors that were created since an earlier cancel
  engine_.reports().tell_left_out();
  left_.report(engine_.options());
  alive_.report(engine_.options());
  engine_.cells().tear_up_papers();
  engine_.gate().close();
}

// Another thread will finish the engine. If the engine has no workers, its handlers may run only on the threads of its
// user, so that thread must run none of them: the engine is stopped here, and what is left is dropped.
void shutdown::prepare_end_elsewhere() noexcept {
  if (engine_.workers().pump() == nullptr || engine_.workers().stopping()) return;
  is_cut_off_.exchange(true);
  close();
  engine_.workers().stop();
}

// Behind this call the process destroys static objects, which handlers on other threads may use. So those threads get
// a second to leave their handlers.
void shutdown::leave_to_process_end() noexcept {
  constexpr auto patience = std::chrono::seconds(1);
  close();
  engine_.workers().stop();
  engine_.workers().wait_for_others(sync::clock::now() + patience);
}

void shutdown::tell_of_process_end() noexcept {
  if (engine_.has_ended() || engine_.is_left_behind()) return;
  try {
    const statistics s = census(engine_).read_statistics();
    if (s.in_flight() + s.actors_alive + s.timers_armed == 0) return;
  } catch (...) {
    // Without the counts the engine is reported in any case.
  }
  report_overdue("was not ended before its process (its owner stayed, or is one of its own actors)");
}

void shutdown::leave_behind() noexcept {
  engine_.progress().close();
  engine_.timed().close();
  engine_.workers().leave_behind();
  detail::run* const r = actors::this_thread::worker();
  if (r != nullptr && &transactor::of(*r).engine() == &engine_) transactor::of(*r).look_up_soon();
}

void shutdown::report_overdue(const char* what) noexcept {
  try {
    const std::string text = "tact: an engine " + std::string(what) + ": " + census(engine_).still_running() + "\n";
    if (sync::director* const s = sync::director::current()) return s->say(text);
    sync::report(text);
  } catch (...) {
    sync::report("tact: an engine is late to end, and memory is exhausted\n");
  }
}

}  // namespace tact::detail
