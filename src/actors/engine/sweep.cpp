#include "actors/engine/sweep.hpp"

#include <utility>

#include "actors/cells/metadata.hpp"
#include "actors/cells/resting.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/pressure/limited_mailbox.hpp"
#include "base/block_queue.hpp"
#include "base/reserve.hpp"

namespace tact::actors {

using mailbox::envelope;

namespace {

// A list, by next_withdrawn, of the cells that hold an actor of this kind. They are collected before anything is done
// with them, because the user's code may call the engine, which needs the cells' lock. The link is free: no thread
// withdraws a cell that holds an actor.
template <class Wanted>
cell* collect(cell_store& cells, Wanted wanted) noexcept {
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

void sweep::run(bool reports_left) noexcept {
  reports_left_ = reports_left;
  resume_waiters();
  tell_continuations();
  bury_put_aside();
  bury_messages();
  end_actors();
}

void sweep::report(const engine_options& options) noexcept {
  left_.report(options);
  alive_.report(options);
  cells_.tear_up_papers();
}

void sweep::resume_waiters() noexcept {
  cell* waiting = collect(cells_, [](const cell& c) { return c.type()->kind == actor_kind::waiter; });
  mailbox::chunk_store chunks(workers_.mail().spare_chunks());
  while (waiting != nullptr) {
    cell& c = *std::exchange(waiting, waiting->next_withdrawn());
    mailbox::copy_queue left;
    end_wait_(c, left);
    bury_all(left, chunks);
  }
}

// Continuations that hear of failures are told that no answer will come, so that they can tell those to whom they owe
// one, who may live elsewhere. Those that they make meanwhile are not told: else one that asks again would go on for
// ever. One on a loop must run on no other thread.
void sweep::tell_continuations() noexcept {
  base::block_queue<port> waiting;
  cells_.for_each([&](const cell& c) {
    const bool hears = !c.word.load().is_ended() && c.where().is_one_shot() && c.type()->kind == actor_kind::once &&
                       c.type()->on_failure != nullptr;
    if (hears && !workers_.homes().is_loop(c.where().shard())) waiting.push_back(port_of(c));
  });
  mailbox::chunk_store chunks(workers_.mail().spare_chunks());
  for (; !waiting.empty(); waiting.pop_front()) {
    mailbox::copy_queue left;
    end_wait_(cell_of(waiting.front()), left);
    bury_all(left, chunks);
  }
}

// What waits for actors that rest.
void sweep::bury_put_aside() noexcept {
  mailbox::chunk_store chunks(workers_.mail().spare_chunks());
  cell* rests = collect(cells_, [](const cell& c) { return resting::is_behind(c.word.load()); });
  while (rests != nullptr) {
    cell& c = *std::exchange(rests, rests->next_withdrawn());
    bury_all(resting::behind(c.word.load()).put_aside, chunks);
  }
}

void sweep::bury_all(mailbox::copy_queue& queue, mailbox::chunk_store& chunks) noexcept {
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
void sweep::bury_messages() noexcept {
  mailbox::chunk_store chunks(workers_.mail().spare_chunks());
  do {
    for (auto& s : workers_.mail().shards()) bury_in(*s, s->lane, chunks);
    for (auto& o : workers_.mail().offices()) bury_in(*o, o->waiting, chunks);
    sync::real::pause();
  } while (!census_.is_quiet());
}

// `at`: a shard or an office. `into`: its queue of messages that were taken from its word.
template <class Place>
void sweep::bury_in(Place& at, mailbox::copy_queue& into, mailbox::chunk_store& chunks) noexcept {
  mailbox::gulped<mailbox::chunk> taken;
  if (!at.word.try_gulp(taken)) return;
  at.accept(taken, chunks);
  bury_all(into, chunks);
  at.word.hand_over();
}

void sweep::bury_left(envelope& e) noexcept {
  if (is_token(e)) {
    const auto oldest = mailbox_of(cell_of(e.target())).kept.redeem(e.target());
    if (!oldest) return;
    if (reports_left_) left_.add(oldest->to, *oldest->type);
    return burial_.bury(*oldest, failure_reason::engine_ended);
  }
  if (reports_left_) left_.add(e.target(), e.type());
  burial_.bury_left(e);
}

void sweep::end_actors() noexcept {
  const base::may_use_reserve sure;
  tell_askers();
  // Before they are collected, because the link of the list takes the place of what is known of those who asked.
  if (reports_alive_) {
    cells_.for_each([&](cell& c) {
      if (!c.word.load().is_ended() && !c.where().is_one_shot()) alive_.add(c);
    });
  }
  cell* const alive = collect(cells_, [](const cell& c) { return c.type()->kind != actor_kind::asker; });
  for (cell* c = alive; c != nullptr; c = c->next_withdrawn()) end_actor(*c);
  classic_.end_all();
  workers_.reclamation().drain_all();
  for (cell* c = alive; c != nullptr; c = c->next_withdrawn()) {
    if (scope_of(*c) != nullptr) leave_scope(*c);
  }
  workers_.quiet_event().notify();
}

void sweep::end_actor(cell& c) noexcept {
  const auto seen = c.word.load();
  closure* const last = resting::is_behind(seen) ? resting::behind(seen).end() : seen.closure();
  c.word.end_home(mark_of(c, end_reason::engine_ended));
  if (!c.where().is_one_shot()) counted_.ended.fetch_add(1);
  // The user may have destroyed an attached actor before the engine, so its type is read from the cell.
  if (last != nullptr) {
    if (c.type()->may_owe) burial_.tell_owed(static_cast<const owing&>(*last).owed);
    const behavior_type& type = c.type()->kind == actor_kind::classic ? *c.type() : *last->type;
    if (type.destroy != nullptr) type.destroy(*last, allocation::finished);
  }
  farewell all = take_leave(c);
  while (watcher* const w = all.watchers.take_first()) burial_.tell_watcher(*w, port_of(c), end_reason::engine_ended);
  if (all.about != nullptr && all.about->limit) burial_.close_mailbox(c);
}

// Each asker is told outside of the cells' lock, because what it does then may need that lock.
void sweep::tell_askers() noexcept {
  const auto is_waiting = [](const cell& c) {
    return !c.word.load().is_ended() && c.type()->kind == actor_kind::asker;
  };
  cell_store::place next;
  while (cell* const c = cells_.find(next, is_waiting)) burial_.tell_asker(*c, notice_of(failure_reason::engine_ended));
}

}  // namespace tact::actors
