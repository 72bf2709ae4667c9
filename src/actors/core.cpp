#include "actors/core.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

#include "actors/ends.hpp"
#include "actors/failures.hpp"
#include "actors/notices.hpp"
#include "actors/options.hpp"
#include "actors/papers.hpp"
#include "actors/stay.hpp"
#include "actors/transactor.hpp"
#include "base/reserve.hpp"
#include "mailbox/chunk_memory.hpp"
#include "sync/system.hpp"
#include "topology/plan.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

namespace {

// In a simulation nothing depends on the machine: each worker has a core for itself, and all share a cache.
placement_plan plan_for(const engine_options& options) {
  placement_plan made;
  if (options.workers == 0) return made;  // it runs on threads of the user, which need no seats
  if (sync::system::current() == nullptr)
    return topology::plan(options.workers, options.workers_max, options.pin_workers);
  for (unsigned i = 0; i < options.workers_max; ++i) made.seats.push_back({.processing_unit = i, .core = i});
  return made;
}

}  // namespace

core::core(const engine_options& options)
    : options_(actors::completed(options)),
      plan_(plan_for(options_)),
      cells_(identity_.gate()),
      letters_(options_.dead_letters_kept, options_.on_dead_letter),
      reports_(options_),
      stacks_(options_.ask_stack_bytes, actors::lane_stacks::shared_spare_kept),
      timed_(*this, dispatcher_, identity_.gate()),
      dispatcher_(plan_, {options_.shards, options_.heavy_shards, options_.blocking_max, options_.helpers_max},
                  options_.victims, options_.workers) {
  base::fill_block_reserve();
  mailbox::fill_chunk_reserve();
  actors::note_engine(*this);
  try {
    dispatcher_.start([this](dispatch::desk& d) { return std::make_unique<transactor>(*this, d); },
                      [this] { call_loop(options_.on_wake); });
  } catch (...) {
    actors::forget_engine(*this);
    throw;
  }
  open_limits();
  identity_.gate().open(*this);
}

core::~core() { actors::forget_engine(*this); }

void core::seat_worker(unsigned worker) noexcept {
  if (!plan_.pinned || topology::pin_this_thread(plan_.seats[worker]) || pinning_refused_.exchange(true)) return;
  std::fputs(
      "tact: the system does not let a worker stay on its processing unit (engine_options.pin_workers); the engine "
      "goes "
      "on with workers that move\n",
      stderr);
}

void core::seat_nowhere() const noexcept {
  if (plan_.pinned) topology::unpin_this_thread();
}

// -- actors

std::optional<std::uint32_t> core::kept_home(placement where, const loop_place& loop) {
  if (where == placement::on_loop) return home_on(loop);
  if (where == placement::heavy) return dispatcher_.take_heavy();
  if (where != placement::blocking) return {};
  if (const auto home = dispatcher_.take_blocking()) return home;
  throw usage_error(
      "tact::blocking: this engine has engine_options.blocking_max = " + std::to_string(options_.blocking_max) +
      " blocking actors already; let some of them end before, or allow more");
}

port core::reserve(actors::route::kind kind, placement where, const loop_place& loop, bool has_limit) {
  cell* one;
  cells_.take({&one, 1});
  cell& c = *one;
  try {
    if (has_limit) actors::prepare_mailbox(c);
    const auto home = kept_home(where, loop);
    const actors::route r(home ? *home : dispatcher_.next_shard_outside(), id(), kind);
    c.set_where(where == placement::returning ? r.which_returns_at_once() : r);
  } catch (...) {
    cells_.give({&one, 1});
    throw;
  }
  return actors::port_of(c);
}

void core::create(cell& c, closure& first) noexcept {
  if (!c.where().is_one_shot()) outside_.created.fetch_add(1);
  const std::uint32_t home = c.where().shard();  // read before: once installed, the actor may end at any moment
  c.install(first);
  dispatcher_.home_is_used(home);
}

bool core::withdraw(port asker) noexcept {
  cell& c = cell_of(asker);
  const auto seen = c.word.load();
  if (!actors::is_current(asker) || seen.is_ended() || !c.word.try_end(seen)) return false;
  abandon(c, true);
  return true;
}

void core::abandon(cell& c, bool served) noexcept {
  c.next_generation(served);
  // relaxed: re-checked by the next CAS.
  cell* head = withdrawn_.load(std::memory_order_relaxed);
  do {
    c.next_withdrawn = head;
    // release: publishes next_withdrawn. pairs: core.withdrawn
    // relaxed on failure: re-checked by the next CAS.
  } while (!withdrawn_.compare_exchange_weak(head, &c, std::memory_order_release, std::memory_order_relaxed));
  dispatcher_.quiet_event().notify();  // a thread may wait for a scope whose last actor this was
}

cell* core::take_withdrawn() noexcept {
  // relaxed: hint; a worker that misses a cell finds it the next time.
  if (withdrawn_.load(std::memory_order_relaxed) == nullptr) return nullptr;
  // acquire: observes next_withdrawn. pairs: core.withdrawn
  return withdrawn_.exchange(nullptr, std::memory_order_acquire);
}

// -- waiting

bool core::is_quiet() const noexcept {
  // Reads every `done` before any `sent`: see actors::published_tally.
  std::uint64_t done = outside_.dead.load() + outside_.orders.load() + outside_.tokens.load();
  for_each_run([&](const transactor& r, auto&) { done += r.counters().done(); });
  std::uint64_t sent = outside_.sent.load() + dispatcher_.sent_outside();
  for_each_run([&](const transactor& r, auto&) { sent += r.counters().sent(); });
  return sent == done;
}

std::uint64_t core::actors_alive() const noexcept {
  std::uint64_t ended = 0;
  for_each_run([&](const transactor& r, auto&) { ended += r.counters().ended.read(); });
  ended += outside_.ended.load();
  std::uint64_t created = outside_.created.load();
  for_each_run([&](const transactor& r, auto&) { created += r.counters().created.read(); });
  return created > ended ? created - ended : 0;  // while actors come and go, the two sums are of different moments
}

// -- the end

bool core::drain(deadline until) noexcept {
  look_whether_left_behind("engine.drain");
  const dispatch::lobby::guest inside(guests_);
  if (!dispatcher_.stopping()) {
    if (!wait_quiet(until, false, "engine.drain")) return false;
    close();
    // Messages that came in between are handled as well.
    if (!wait_quiet(until, false, "engine.drain")) return false;
  }
  return cancel(until);
}

void core::close() noexcept {
  closed_.exchange(true);
  tell_of_room();  // threads that wait for room look again, and see closed_
  timed_.close();
  dispatcher_.close();
}

bool core::cancel(deadline until) noexcept {
  look_whether_left_behind("engine.cancel");
  if (actors::stay::is_ending(*this)) return true;  // such as in the destructor of an actor that this end destroys
  close();
  dispatcher_.stop();
  if (!dispatcher_.wait_stopped(until)) return false;
  // The engine's threads have left their handlers. So of several threads that end the engine, those that wait for the
  // lock wait for a short time only.
  const sync::locked lock(end_lock_);
  const actors::staying here(*this, actors::stay::why::ends);
  if (!swept_) sweep();
  swept_ = true;
  reports_.tell_left_out();
  return true;
}

void core::sweep() noexcept {
  const base::may_use_reserve sure;
  dispatcher_.join();
  no_workers_.exchange(true);
  // A thread that asked and found no_workers_ false had counted its request before. So reading the counters after the
  // exchange makes its asker visible to the sweep below.
  static_cast<void>(outside_.late.load());
  timed_.end(tells_timers_ ? &left_ : nullptr);
  resume_waiters();
  sweep_messages();
  sweep_actors();
}

void core::bury_all(mailbox::copy_queue& queue, mailbox::chunk_store& chunks) noexcept {
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
void core::sweep_messages() noexcept {
  mailbox::chunk_store chunks(dispatcher_.spare_chunks());
  do {
    for (auto& s : dispatcher_.shards()) {
      mailbox::gulped<mailbox::chunk> taken;
      if (!s->word.try_gulp(taken)) continue;
      s->accept(taken, chunks);
      bury_all(s->lane, chunks);
      s->word.hand_over();
    }
    for (auto& o : dispatcher_.offices()) {
      mailbox::gulped<mailbox::chunk> taken;
      if (!o->word.try_gulp(taken)) continue;
      o->accept(taken, chunks);
      bury_all(o->waiting, chunks);
      o->word.hand_over();
    }
    sync::real::pause();
  } while (!is_quiet());
}

void core::bury_left(envelope& e) noexcept {
  if (actors::is_token(e)) {
    const auto oldest = actors::mailbox_of(cell_of(e.target())).kept.redeem(e.target());
    if (!oldest) return;
    if (overdue_) left_.add(oldest->to, *oldest->type);
    return bury_kept(*oldest, failure_reason::engine_ended);
  }
  if (overdue_) left_.add(e.target(), e.type());
  if (e.marks() != 0) leave_rooms(e);
  bury_outside(e.target(), e.type(), e.payload(), failure_reason::engine_ended);
  e.end_parcel();
}

void core::sweep_actors() noexcept {
  const base::may_use_reserve sure;
  tell_askers();
  // The cells are collected first, because the user's destructors may call the engine, which needs the cells' lock. The
  // list uses next_withdrawn, which is free: no thread withdraws a cell that holds an actor.
  cell* alive = nullptr;
  cell** end_of_list = &alive;
  cells_.for_each([&](cell& c) {
    if (c.word.load().is_ended() || c.type()->kind == actor_kind::asker) return;
    *end_of_list = &c;
    c.next_withdrawn = nullptr;
    end_of_list = &c.next_withdrawn;
  });
  for (cell* c = alive; c != nullptr; c = c->next_withdrawn) {
    if (options_.report_alive && !c->where().is_one_shot()) alive_.add(*c);
    closure& last = *c->word.load().closure();
    c->word.end_home();
    if (!c->where().is_one_shot()) outside_.ended.fetch_add(1);
    // The user may have destroyed an attached actor before the engine, so its type is read from the cell.
    const behavior_type& type = c->type()->kind == actor_kind::classic ? *c->type() : *last.type;
    if (type.destroy != nullptr) type.destroy(last, allocation::finished);
    actors::farewell all = actors::take_leave(*c);
    while (watcher* const w = all.watchers.take_first())
      tell_watcher(*w, actors::port_of(*c), end_reason::engine_ended);
    if (all.about != nullptr && all.about->limit) close_mailbox(*c);
  }
  dispatcher_.reclamation().drain_all();
  for (cell* c = alive; c != nullptr; c = c->next_withdrawn) {
    if (actors::scope_of(*c) != nullptr) actors::leave_scope(*c);
  }
  dispatcher_.quiet_event().notify();
}

// Each asker is told outside of the cells' lock, because what it does then may need that lock.
void core::tell_askers() noexcept {
  const auto is_waiting = [](const cell& c) {
    return !c.word.load().is_ended() && c.type()->kind == actor_kind::asker;
  };
  actors::cell_store::place next;
  while (cell* const c = cells_.find(next, is_waiting)) tell_asker(*c, actors::notice_of(failure_reason::engine_ended));
}

void core::sweep_late() noexcept {
  if (!no_workers_.load()) return;
  if (!end_lock_.try_enter()) return;
  {
    const actors::staying here(*this, actors::stay::why::ends);
    if (swept_) sweep_actors();
  }
  end_lock_.leave();
}

}  // namespace tact::detail
