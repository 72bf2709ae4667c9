#include "actor/run.hpp"

#include <algorithm>
#include <utility>

#include "actor/failures.hpp"
#include "actor/this_thread.hpp"
#include "base/blocks.hpp"

namespace tact::detail {

using actor::cell;
using actor::cell_of;
using mailbox::envelope;

namespace {

// The idle set of a thread that hands nothing to sleeping workers.
const dispatch::idle_set& nobody_idle() {
  static const dispatch::idle_set none(0);
  return none;
}

constexpr std::uint64_t no_key = ~std::uint64_t{0};  // of no route: a blocking thread runs no parallel actors itself

}  // namespace

run::run(core& engine, dispatch::desk& d)
    : engine_(&engine),
      worker_(&d),
      journal_(d.outboxes(), d.chunks()),
      cells_(engine.cells()),
      idle_(d.is_blocking() ? &nobody_idle() : &engine.workers().idle()),
      parallel_key_(d.is_blocking() ? no_key : engine.id()) {}

run::~run() = default;

void run::on_start() noexcept { actor::this_thread::become_worker(*this); }

void run::publish_counters(bool exact) noexcept { published_.publish(tally_, journal_.sent(), exact); }

void run::trim() noexcept {
  if (!worker_->is_blocking()) {
    auto& epochs = engine_->workers().reclamation();
    epochs.online(worker_->index());
    adopt_withdrawn();
    epochs.offline(worker_->index());
  }
  cells_.trim();
  base::trim_blocks();
}

// -- the lane

void run::run_lane(mailbox::shard& held) {
  shard_ = &held;
  home_route_ = actor::route(held.number, engine_->id(), actor::route::kind::exclusive).bits();
  journal_.enter(held.lane);
  actor::this_thread::set_handler(this);
  pace_.begin_hold();
  if (idle_->any()) share();
  for (bool more = !held.lane.empty(); more;) {
    envelope& e = held.lane.front();
    const unsigned slots = e.slots();
    dispatch(e);
    held.lane.pop(slots, worker_->chunks());
    if (flush_soon_) [[unlikely]]
      flush();
    more = !held.lane.empty() && (!pace_.step() || housekeep());
  }
  actor::this_thread::set_handler(nullptr);
  // relaxed: hint, for reports of what still runs.
  running_message_.store(nullptr, std::memory_order_relaxed);
  publish_counters(false);
}

bool run::housekeep() {
  // What a blocking actor sent goes out before its next message, which may take long.
  if (worker_->is_blocking() || engine_->workers().stopping()) return false;
  if (!pace_.only_starts_clock()) {
    flush();
    adopt_withdrawn();
    // Between two messages no behaviour is in use; a hold may be long, and what it retired is wanted again.
    const actor::this_thread::callback outside;
    engine_->workers().reclamation().quiesce(worker_->index());
  }
  const bool go_on = pace_.next_stretch();
  if (idle_->any()) share();
  return go_on;
}

// Counted first: see actor::published_tally.
void run::flush() {
  publish_counters(false);
  worker_->flush();
  flush_soon_ = false;
}

// Hands messages that may run anywhere to the workers that sleep, so that each of them and this one has its part of
// what is waiting: from the front, as far as nothing among it belongs to this shard.
void run::share() {
  mailbox::copy_queue& lane = shard_->lane;
  const unsigned waiting = lane.messages_in_head();
  const unsigned more = lane.has_more_chunks() ? mailbox::chunk::capacity_slots : 0;
  if (waiting == 0 || !pace_.worth_sharing(waiting - 1 + more)) return;
  const unsigned kept = (waiting + more + idle_->count()) / (idle_->count() + 1);
  for (unsigned left = std::min(waiting - 1, waiting + more - kept); left != 0; --left) {
    envelope& e = lane.front();
    const auto helper = idle_->next_after(last_helper_);
    if (!helper || *helper == worker_->index()) break;
    if (e.is_forwarded() || e.is_special() || cell_of(e.target()).where().is_exclusive()) break;
    last_helper_ = *helper;
    const unsigned slots = e.slots();
    e.relocate(worker_->outboxes().open(shard_of(*helper)).queue.reserve(slots, worker_->chunks()));
    lane.pop(slots, worker_->chunks());
  }
  flush();
}

void run::adopt_withdrawn() noexcept {
  for (cell* c = engine_->take_withdrawn(); c != nullptr;) retire(*std::exchange(c, c->next_free));
}

// -- one message

inline void run::dispatch(envelope& e) {
  cell& c = cell_of(e.target());
  if (c.generation() != actor::generation_of(e.target())) [[unlikely]]
    return drop(e, actor::why_gone(e.target()));
  for (;;) {
    const auto seen = c.word.load();
    if (seen.is_ended()) [[unlikely]]
      return drop(e, actor::why_gone(e.target()));
    // Before this is decided the closure is not looked at: a one-shot's may be gone, and an exclusive actor's is the
    // holder's alone.
    const bool runs_here = seen.is_home() ? is_home(c) : !c.where().is_one_shot() && !e.is_forwarded();
    closure& b = *seen.closure();
    outcome o;
    if (!runs_here) [[unlikely]] {
      o = divert(e, c, seen);
    } else if (e.is_special() ? !call_special(e, c, b) : !call(e, c, b, b.type->entries[actor::index_of(e.target())])) {
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

inline bool run::call(envelope& e, cell& c, closure& b, entry handler) {
  // relaxed: hint, for reports of what still runs.
  running_message_.store(&e.type(), std::memory_order_relaxed);
  // relaxed: hint, as above.
  running_actor_.store(e.target(), std::memory_order_relaxed);
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
    journal_.begin();
    journal_.stop(*static_cast<allocation*>(e.message()));
    return true;
  }
  if (b.type->on_failure != nullptr) return call(e, c, b, b.type->on_failure);
  drop(e, failure_reason::failure_not_heard);
  return false;
}

run::outcome run::divert(envelope& e, cell& c, cell::word_value seen) {
  if (seen.is_home()) return outcome::forward;
  if (c.where().is_one_shot()) {
    if (!c.word.claim(seen)) return outcome::again;  // somebody else answers first: the word says ended now
    run_once(e, c, *seen.closure());
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
    install_created();
    commit_rest();
    finish(e);
  }
  give_up(c);
  if (type.destroy != nullptr) actor::end_closure(b, allocation::delete_);
}

std::string run::name() const {
  if (worker_->is_blocking()) return "the thread of a blocking actor";
  return "worker " + std::to_string(worker_->index());
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
