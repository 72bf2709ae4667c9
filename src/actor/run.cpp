#include "actor/run.hpp"

#include <new>
#include <utility>

#include "actor/failures.hpp"
#include "actor/this_thread.hpp"
#include "base/blocks.hpp"

namespace tact::detail {

using actor::cell;
using actor::cell_of;
using mailbox::envelope;

run::run(core& engine, dispatch::worker& w)
    : engine_(&engine), worker_(&w), journal_(w.outboxes(), w.chunks()), cells_(engine.cells()) {}

run::~run() = default;

void run::on_start() noexcept { actor::this_thread::become_worker(*this); }

void run::publish_counters(bool exact) noexcept { published_.publish(tally_, journal_.sent(), exact); }

void run::trim() noexcept {
  auto& epochs = engine_->workers().reclamation();
  epochs.online(worker_->index());
  adopt_withdrawn();
  epochs.offline(worker_->index());
  cells_.trim();
  base::trim_blocks();
}

// -- the lane

void run::run_lane(mailbox::shard& held) {
  shard_ = &held;
  home_route_ = actor::route(held.number, engine_->id(), true).bits();
  journal_.enter(held.lane);
  pace_.begin_hold();
  while (!held.lane.empty()) {
    envelope& e = held.lane.front();
    const unsigned slots = e.slots();
    dispatch(e);
    held.lane.pop(slots, worker_->chunks());
    if (held.lane.empty()) break;
    if (pace_.step() && !housekeep()) break;
  }
  // relaxed: hint, for reports of what still runs.
  running_message_.store(nullptr, std::memory_order_relaxed);
  publish_counters(false);
}

bool run::housekeep() {
  if (engine_->workers().stopping()) return false;
  if (!pace_.only_starts_clock()) {
    publish_counters(false);
    worker_->flush();
    adopt_withdrawn();
    // Between two messages no behaviour is in use; a hold may be long, and what it retired is wanted again.
    engine_->workers().reclamation().quiesce(worker_->index());
  }
  const bool go_on = pace_.next_stretch();
  if (engine_->workers().idle().any()) share();
  return go_on;
}

// Hands messages that may run anywhere to a worker that sleeps: half of what is waiting, from the front, as far as
// nothing among it belongs to this shard.
void run::share() {
  mailbox::copy_queue& lane = shard_->lane;
  const unsigned waiting = lane.messages_in_head();
  const bool long_lane = lane.has_more_chunks();
  if (!pace_.worth_sharing(long_lane ? waiting + mailbox::chunk::capacity_slots : waiting)) return;
  const auto helper = engine_->workers().idle().next_after(worker_->index());
  if (!helper || *helper == worker_->index()) return;
  const auto& shards = engine_->workers().workers()[*helper]->shards();
  const std::uint32_t to = shards[tally_.committed % shards.size()]->number;
  for (unsigned left = long_lane ? waiting - 1 : waiting / 2; left != 0; --left) {
    envelope& e = lane.front();
    if (e.is_forwarded() || e.is_special() || cell_of(e.target()).where().is_exclusive()) break;
    const unsigned slots = e.slots();
    e.relocate(worker_->outboxes().open(to).queue.reserve(slots, worker_->chunks()));
    lane.pop(slots, worker_->chunks());
  }
  worker_->flush();
}

void run::adopt_withdrawn() noexcept {
  for (cell* c = engine_->take_withdrawn(); c != nullptr;) retire(*std::exchange(c, c->next_free));
}

// -- one message

inline void run::dispatch(envelope& e) {
  cell& c = cell_of(e.target());
  if (c.generation() != actor::generation_of(e.target())) [[unlikely]] return drop(e, actor::why_gone(e.target()));
  for (;;) {
    const auto seen = c.word.load();
    if (seen.is_ended()) [[unlikely]] return drop(e, actor::why_gone(e.target()));
    closure& b = *seen.closure();
    const behavior_type& type = *b.type;
    const bool runs_here =
        seen.is_home() ? is_home(c) : type.kind == actor_kind::transactional && !e.is_forwarded();
    outcome o;
    if (!runs_here) [[unlikely]] {
      o = divert(e, c, seen);
    } else if (e.is_special() ? !call_special(e, c, b) : !call(e, c, b, type.entries[actor::index_of(e.target())])) {
      return;
    } else if (journal_.only_sends() && debt_ == 0) [[likely]] {
      return finish(e);
    } else {
      o = settle(e, c, seen);
    }
    if (o == outcome::done) return;
    if (o == outcome::forward) return forward(e, c);
  }
}

inline bool run::is_home(const cell& c) const noexcept { return c.where().shard() == shard_->number; }

inline bool run::call(envelope& e, cell& c, closure& b, entry handler) {
  self_ = e.target();
  debt_ = 0;
  owed_ = 0;
  // relaxed: hint, for reports of what still runs.
  running_message_.store(&e.type(), std::memory_order_relaxed);
  // relaxed: hint, as above.
  running_actor_.store(self_, std::memory_order_relaxed);
  journal_.begin();
  try {
    handler(b, *this, e.message());
    return true;
  } catch (...) {
    failed(e, c, *b.type);
    return false;
  }
}

bool run::call_special(envelope& e, cell& c, closure& b) {
  if (actor::is_pill(e)) {
    debt_ = 0;
    journal_.begin();
    journal_.stop(*static_cast<allocation*>(e.message()));
    return true;
  }
  if (b.type->on_failure != nullptr) return call(e, c, b, b.type->on_failure);
  drop(e, failure_reason::failure_not_heard);
  return false;
}

run::outcome run::divert(envelope& e, cell& c, cell::word_value seen) {
  closure& b = *seen.closure();
  if (seen.is_home()) return outcome::forward;
  if (b.type->kind != actor_kind::transactional) {
    if (!c.word.claim(seen)) return outcome::again;  // somebody else answers first: the word says ended now
    run_once(e, c, b);
    return outcome::done;
  }
  // Sent home by a collision, so nobody may make it collide again.
  if (!is_home(c)) return outcome::forward;
  c.word.go_home();
  return outcome::again;
}

void run::run_once(envelope& e, cell& c, closure& b) {
  const behavior_type& type = *b.type;  // an asker's closure goes when its thread has been told
  if (e.is_special() ? call_special(e, c, b) : call(e, c, b, type.entries[actor::index_of(e.target())])) {
    commit_rest();
    finish(e);
  }
  give_up(c);
  if (type.destroy != nullptr) type.destroy(b, allocation::delete_);
}

run::outcome run::settle(envelope& e, cell& c, cell::word_value seen) {
  if (journal_.changes_actor()) {
    closure& old = *seen.closure();
    const bool stops = journal_.stops();
    if (seen.is_home()) {
      stops ? c.word.end_home() : c.word.commit_home(journal_.next());
    } else if (!(stops ? c.word.try_end(seen) : c.word.commit(seen, journal_.next()))) {
      return collided(e, c);
    }
    stops ? end_actor(c, old, journal_.how()) : replaced(c, old);
  }
  commit_rest();
  finish(e);
  return outcome::done;
}

run::outcome run::collided(envelope& e, cell& c) {
  abort();
  ++tally_.collisions;
  e.add_collision();
  if (e.collisions() < engine_->options().collisions_max) return outcome::again;
  c.word.go_home();
  return is_home(c) ? outcome::again : outcome::forward;
}

// -- how a run ends

void run::commit_rest() {
  if (debt_ != 0) [[unlikely]] pay_debt();
  if (journal_.only_sends()) return;
  // Replaced by the end.
  if (journal_.stops() && journal_.next() != nullptr) journal_.next()->type->destroy(*journal_.next(), allocation::delete_);
  for (const auto& made : journal_.creations()) {
    if (made.behavior == nullptr) {
      give_up(cell_of(made.address));
      continue;
    }
    engine_->install(cell_of(made.address), *made.behavior);
    if (made.behavior->type->kind != actor_kind::once) ++tally_.created;
  }
  journal_.settle();
  if (!journal_.abroad().empty()) [[unlikely]] send_abroad();
}

void run::send_abroad() {
  mailbox::copy_queue& abroad = journal_.abroad();
  while (!abroad.empty()) {
    envelope& e = abroad.front();
    const unsigned slots = e.slots();
    send(e.target(), e.type(), e.payload());
    abroad.pop(slots, worker_->chunks());
  }
}

void run::abort() noexcept {
  if (closure* next = journal_.next()) next->type->destroy(*next, allocation::finished);
  for (const auto& made : journal_.creations()) {
    if (made.behavior != nullptr) made.behavior->type->destroy(*made.behavior, allocation::finished);
    give_up(cell_of(made.address));
  }
  journal_.settle();
  journal_.cut();
}

void run::failed(envelope& e, cell& c, const behavior_type& type) {
  const std::string what = actor::current_exception_text();
  abort();
  debt_ = 0;
  ++tally_.failed;
  const auto policy = type.kind == actor_kind::transactional ? engine_->options().transactional_failure
                                                             : engine_->options().classic_failure;
  const bool ends = type.kind == actor_kind::once || type.kind == actor_kind::asker || policy == failure_policy::end;
  actor::report_failure(engine_->options(), {type.name, e.type().name, what, ends});
  if (ends && type.kind != actor_kind::once && type.kind != actor_kind::asker) end_by_policy(c);
  if (const port customer = actor::customer_of(e)) {
    tell(customer, {failure_reason::handler_threw, what});
  }
  e.destroy(true);
}

void run::end_by_policy(cell& c) {
  for (;;) {
    const auto seen = c.word.load();
    if (seen.is_ended()) return;
    if (!seen.is_home()) {
      if (!c.word.try_end(seen)) continue;
    } else if (is_home(c)) {
      c.word.end_home();
    } else {
      // It went home while this run failed elsewhere: only the holder there may end it.
      const port to = self_ & ~index_mask;
      void* place = journal_.to_outbox(c.where().shard(), actor::pill_message.slots());
      new ((new (place) envelope(actor::pill_message, to))->payload()) allocation(allocation::finished);
      return;
    }
    return end_actor(c, *seen.closure(), allocation::finished);
  }
}

// The word says ended; the closure is this run's to end.
void run::end_actor(cell& c, closure& last, allocation how) noexcept {
  c.next_generation();
  ++tally_.ended;
  // Only the holder ever saw a classic or ordered actor's state; a parallel one's may still be in use elsewhere.
  c.where().is_exclusive() ? last.type->destroy(last, how) : retire(last);
  retire(c);
}

void run::replaced(cell& c, closure& old) noexcept {
  // An ordered actor's behaviours are seen by the holder of its shard alone.
  c.where().is_exclusive() ? old.type->destroy(old, allocation::delete_) : retire(old);
}

void run::retire(closure& old) noexcept {
  engine_->workers().reclamation().retire(
      worker_->index(), &old,
      [](void* object, void*) {
        auto& closed = *static_cast<closure*>(object);
        closed.type->destroy(closed, allocation::delete_);
      },
      nullptr);
}

void run::retire(cell& c) noexcept {
  engine_->workers().reclamation().retire(
      worker_->index(), &c,
      [](void* object, void* engine) {
        cell& free = *static_cast<cell*>(object);
        free.next_free = nullptr;
        // Whichever worker frees it keeps it.
        run* r = actor::this_thread::worker();
        r != nullptr ? r->cells().give(free) : static_cast<core*>(engine)->cells().give(&free);
      },
      engine_);
}

// A cell that holds no actor any more, or never did.
void run::give_up(cell& c) noexcept {
  c.next_generation();
  retire(c);
}

// -- messages of the core itself

void run::pay_debt() {
  const port customer = std::exchange(debt_, 0);
  bool passed_on = false;
  journal_.for_each_staged([&](envelope& e) {
    const port other = actor::customer_of(e);
    passed_on = passed_on || (other != 0 && same_actor(other, customer));
  });
  if (passed_on) return;
  tell(customer, {failure_reason::unanswered,
                  "the request was handled without an answer: reply, pass it on, or call self.defer(request)"});
}

void run::tell(port customer, failure&& f) { new (stage(customer, failure_message)) failure(std::move(f)); }

void run::drop(envelope& e, failure_reason reason) noexcept {
  engine_->bury(e.target(), e.type(), e.payload(), reason,
                [this](port customer, failure&& f) { tell(customer, std::move(f)); });
  ++tally_.dead;
}

void run::forward(envelope& e, const cell& c) {
  e.mark_forwarded();
  e.relocate(worker_->outboxes().open(c.where().shard()).queue.reserve(e.slots(), worker_->chunks()));
  ++tally_.forwarded;
}

// -- for handlers

inline void* run::stage(port to, const message_type& type) {
  if (to <= index_mask) [[unlikely]] to = actor::or_nobody(to);
  if (debt_ != 0 && same_actor(to, debt_)) debt_ = 0;
  const actor::route r = cell_of(to).where();
  void* const place = r.bits() == home_route_ || r.is_parallel_in(engine_->id()) ? journal_.to_lane(type.slots())
                                                                                : stage_elsewhere(to, r, type.slots());
  return (new (place) envelope(type, to))->payload();
}

void* run::stage_elsewhere(port to, actor::route r, unsigned slots) {
  if (r.engine() == engine_->id()) return journal_.to_outbox(r.shard(), slots);
  // Of another engine; or of none that is left, and then a dead letter of this one.
  return actor::is_current(to) ? journal_.to_abroad(slots) : journal_.to_lane(slots);
}

void* stage(run& r, port to, const message_type& type) { return r.stage(to, type); }

void run::stage_become(closure& next) noexcept {
  if (closure* replaced = journal_.become(&next)) replaced->type->destroy(*replaced, allocation::delete_);
}

port run::reserve() {
  cell& c = cells_.take();
  c.set_where({worker_->next_shard(), engine_->id(), false});
  journal_.create({actor::port_of(c), nullptr});
  return actor::port_of(c);
}

void run::abandon(port at) noexcept {
  cell_of(at).next_generation();
  retire(cell_of(at));
}

void run::create(port at, closure& first, placement where) {
  cell& c = cell_of(at);
  const bool exclusive = where == placement::ordered || first.type->kind == actor_kind::classic;
  c.set_where({c.where().shard(), engine_->id(), exclusive});
  journal_.install(at, first);
}

std::string run::running_now() const {
  // relaxed: hint, outdated as soon as it is read.
  const message_type* message = running_message_.load(std::memory_order_relaxed);
  if (message == nullptr) return {};
  // relaxed: hint, may belong to the next message already.
  const port who = running_actor_.load(std::memory_order_relaxed);
  return actor::describe(who) + " handling " + std::string(message->name);
}

}  // namespace tact::detail
