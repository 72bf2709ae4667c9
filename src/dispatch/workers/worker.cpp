#include "dispatch/workers/worker.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "dispatch/holding/trim_after.hpp"
#include "dispatch/policy/prices.hpp"

namespace tact::dispatch {
namespace {

constexpr int spin_rounds = 64;  // a microsecond or two: less than a sleep and a wake

constexpr std::chrono::nanoseconds patience{prices::long_ns};
constexpr unsigned chunks_kept_idle = 1;      // per worker, after a trim
constexpr unsigned pieces_while_driven = 32;  // of what the engine gives back, at a time: a millisecond or two

}  // namespace

worker::worker(dispatch::exchange& between, dispatch::crew& crew, unsigned index, bool is_driven)
    : holder(between, kind::worker, index),
      status_(between.status_of(index)),
      crew_(crew),
      is_driven_(is_driven),
      slots_(&between.stealing().table().of(index)),
      idleness_(between, index),
      thief_(between, index),
      home_shards_(between, index),
      homes_(between, index) {}

inline bool worker::is_over() const noexcept { return exchange_.stopping() || goes(); }

void worker::loop() noexcept {
  runner_->on_start();
  exchange_.reclamation().online(index_);
  trim_at_ = sync::clock::now() + trim_after;
  while (!is_over()) idling::take_turn(*this);
  flush();
  runner_->publish_exactly();
  exchange_.reclamation().offline(index_);
  if (!exchange_.stopping()) {
    // The other workers go on. This one takes itself out of the idle set and out of the victims, so that none of them
    // relies on it, and gives its spare memory back for them.
    idleness_.end();
    give_back(0);
  }
  exchange_.on_thread_end();
}

void worker::say_busy() noexcept {
  if (idleness_.say_busy()) watch_for_.begin_anew();
}

void worker::say_idle() noexcept {
  if (!idleness_.say_idle()) return;
  trim_at_ = sync::clock::now() + trim_after;
  help_.rest();
}

// -- holding

void worker::takes_up() noexcept {
  status_.takes_up(exchange_.stealing().ticks());
  if (idleness_.ends()) idleness_.call_watch(sharing().is_quick());
}

void worker::has_run() noexcept {
  status_.show_pace(sharing().is_worth_moving(), sharing().is_slow());
  exchange_.reclamation().quiesce(index_);
  runner_->publish_counters();
  if (sharing().was_measured()) look_at_crew();
}

// A worker that holds its shards together goes on for as long as messages come, so it never has nothing to do.
bool worker::parts() noexcept {
  const bool is_asked = status_.take_parting();
  if (!exchange_.stealing().steals() || !sharing().is_quick() || !returns_.is_due(sharing().handled())) return is_asked;
  const bool some = home_shards_.bring_all_home(counters_);
  // To part costs some ten nanoseconds for each message that waits, and a shard that came home may be stolen again,
  // where the load is uneven.
  some ? returns_.was_in_vain(sharing().handled()) : returns_.was_of_use(sharing().handled());
  return some || is_asked;
}

void worker::look_at_crew() noexcept {
  const std::uint64_t waiting = held_.is_any() ? held_.first().lane.slots_waiting() : 0;
  status_.show_work(runner_->count_handled(), sharing().kept_ns(), waiting);
  crew_.look(sharing().measured_at());
}

void worker::pause() const noexcept {
  for (int i = sync::rounds_of_spin(spin_rounds); i != 0; --i) sync::real::pause();
}

bool worker::stops() const noexcept { return is_over() || rests() || limit_.is_reached(); }

bool worker::looks_on() const noexcept { return !is_over() && !limit_.is_reached(); }

// -- helping each other

void worker::after_hold(unsigned held_in_round) noexcept {
  if (held_in_round > 1 && help_.hold_ended()) call_help(holds::brief);
}

// -- nothing to do

bool worker::steals() const noexcept { return exchange_.stealing().steals(); }

bool worker::is_patient() const noexcept { return idleness_.has_lasted(patience); }

bool worker::may_deal_out_for(unsigned other, bool patient) const noexcept {
  return exchange_.stealing().is_behind(other) && thief_.may_take_from(other, patient);
}

bool worker::bring_home() { return steals() && home_shards_.bring_home(counters_); }

bool worker::spin() const noexcept {
  for (int i = sync::rounds_of_spin(spin_rounds); i != 0; --i) {
    if (anything_eligible() || is_over()) return true;
    sync::real::pause();
  }
  return false;
}

void worker::park() {
  runner_->publish_exactly();
  exchange_.reclamation().offline(index_);
  const bool watches = exchange_.waker().take_watch();
  const sync::deadline watch_until =
      watches ? sync::deadline(sync::clock::now() + std::chrono::nanoseconds(watch_for_.wait())) : sync::deadline();
  while (idling::sleep(*this, watches ? watch_until : trim_at_) == idling::sleep_end::late && !watches) {
    if (exchange_.waker().all_idle()) crew_.all_run();
    static_cast<void>(trim());
    trim_at_.reset();
  }
  if (watches) {
    exchange_.waker().leave_watch();
    watch_for_.was_in_vain(0);
    if (rests()) crew_.watch();
  }
  exchange_.reclamation().online(index_);
}

void worker::before_sleep() noexcept {
  idleness_.show();
  // A thread that waits for quiet either looks at the counters after this; or it looked before, and waits for the quiet
  // event already. The counters of all are read by the last worker, and not by each that parks.
  exchange_.quiet_event().notify_if([this] { return idleness_.is_of_all() && runner_->sees_quiet(); });
}

bool worker::trim() noexcept {
  for (std::size_t i = 0; i < slots_->size(); ++i) {
    mailbox::shard* const s = (*slots_)[i].load();
    mailbox::chunk* const spare = s == nullptr ? nullptr : s->outside.take_spare();
    if (spare != nullptr) chunks_.give(spare);
  }
  give_back(chunks_kept_idle);
  if (!is_driven_ && !exchange_.waker().all_idle()) return false;
  exchange_.waker().visitors().trim_places();
  exchange_.mail().spare_chunks().trim();
  return trim_shared();
}

// A worker goes on until a message comes. A thread that drives the engine's only worker has other things to do.
bool worker::trim_shared() noexcept {
  unsigned left = !is_driven_ ? std::numeric_limits<unsigned>::max() : pieces_while_driven;
  while (!is_over()) {
    if (anything_eligible() || left-- == 0) return true;
    if (!runner_->trim_shared()) return false;
  }
  return false;
}

}  // namespace tact::dispatch
