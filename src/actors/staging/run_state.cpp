#include "actors/staging/run_state.hpp"

#include "actors/common/this_thread.hpp"
#include "base/blocks.hpp"
#include "sync/thread_state.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {

namespace {

// The idle set of a thread that hands no messages to sleeping workers.
const dispatch::idle_set& none_idle() {
  static const dispatch::idle_set none(0);
  return none;
}

}  // namespace

run_state::run_state(std::uint16_t engine, const engine_options& options, dispatch::dispatcher& workers,
                     cell_store& cells, dispatch::worker_context& d, const actors::tracing& recorded)
    // The thread of a blocking actor runs only messages for actors of its own shard.
    : staging_filter(engine, d.is_blocking()),
      workers_(&workers),
      worker_(&d),
      simulation_(sync::director::current()),
      alone_(options.workers_max <= 1 && options.helpers_max == 0 && !d.is_blocking()),
      is_pumped_(options.workers == 0 && !d.is_blocking()),
      engine_number_(engine),
      journal_(*this, d.outboxes(), d.chunks(), workers.mail().outboxes() - workers.mail().ordinary_shards()),
      sleepers_(d.is_blocking() ? none_idle() : workers.waker().idle(), d.index()),
      hazard_slot_(handling, cell_mask),
      watched_(recorded, simulation_ != nullptr || options.rehearse),
      cells_(cells, workers.mail().ordinary_shards()) {
  held_shards = d.held().table().data();
  tails = d.held().tails();
  shards = d.held().table().size();
  if (!d.is_blocking()) workers.reclamation().set_hazard_slot(d.index(), hazard_slot_);
}

void run_state::enter_lane(mailbox::shard& held) noexcept {
  at_.enter(held);
  hazard_slot_.let_go();
  journal_.enter(held.lane);
  look_at_traffic();
  this_thread::set_handler(this);
  keep_all();
}

// A branch that is nearly always predicted saves the wait for three loads, one behind the other; but where one that is
// not predicted costs about as much, it must not be wrong more often than that.
void run_state::look_at_traffic() noexcept {
  const std::uint64_t now = sent();
  const std::uint64_t away = worker_->outboxes().all_published().messages.read();
  if (now - sent_at_look_ >= looks_after) {
    sends_stay_ = (away - away_at_look_) * stays_most_of <= now - sent_at_look_;
    sent_at_look_ = now;
    away_at_look_ = away;
  }
  expected = sends_stay_ ? lane : nullptr;
}

void run_state::leave_lane() noexcept {
  at_.leave();
  this_thread::set_handler(nullptr);
  // relaxed: hint, for reports of what still runs.
  handling.store(0, std::memory_order_relaxed);
  look_at_every_send();
  hazard_slot_.rest();
}

// While no lane is run, every send is looked at, so every send comes here.
void run_state::look_whether_in_handler() const {
  if (!at_.runs_lane()) [[unlikely]]
    throw usage_error(
        "tact::self, or a tact::transaction, was kept, and is used when its handler has returned: send with `ref | "
        "message` or engine.send");
}

void run_state::look_at_all_sends() noexcept {
  journal_.note_other();
  look_at_all();
}

void run_state::owe(port customer) noexcept {
  debt_.begin(customer);
  look_at_all_sends();
}

void run_state::inherit(port customer) noexcept {
  debt_.inherit(customer);
  look_at_all_sends();
}

const context_node* run_state::enter_context(const context_node* next) noexcept {
  if (next != nullptr) look_at_all_sends();
  send_apart(next != nullptr || watched_.tracer() != nullptr);
  return std::exchange(context, next);
}

// What is recorded is looked at, as what has a context is.
void run_state::trace_by(detail::trace_track* by, std::uint64_t id) noexcept {
  if (by != nullptr) {
    look_at_all();
  } else if (watched_.tracer() != nullptr) {
    watched_.set_tracer(nullptr);
    forget();
  }
  watched_.set_tracer(by);
  sync::thread_state::of_this_thread().recorded = id;
  send_apart(by != nullptr || context != nullptr);
}

void run_state::begin_again() noexcept {
  sleepers_.begin_run();
  debt_.renew();
  if (looks_at_all()) look_at_all_sends();
}

void end_message(mailbox::envelope& e) noexcept {
  const base::may_use_reserve sure;  // the message's destructor may send
  const this_thread::callback outside;
  e.end_handled();
}

// While it is recorded, a message that has collided and is run again is looked at as before.
void run_state::forget() noexcept {
  if (looks_at_all()) {
    debt_ = {};
    context = nullptr;
    send_apart(watched_.tracer() != nullptr);
    if (watched_.tracer() == nullptr) {
      look_at_all_no_more();
      if (may_spread()) look_at_parallel();
    }
  }
  sleepers_.begin_run();
}

}  // namespace tact::actors
