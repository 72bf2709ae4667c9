#include "inspect/thread_probe.hpp"

#include <new>
#include <utility>

namespace tact::inspect {

using detail::trace_note;
using detail::trace_step;

namespace {

// While every message is told, one of so many is a sample: each message takes some 90 ns then, and a sample one more
// reading of the clock.
constexpr unsigned told_per_sample = 16;

}  // namespace

thread_probe::thread_probe(std::string name, std::uint64_t number, const detail::trace_sink& all,
                           probe_settings& settings)
    : name_(std::move(name)), all_(all), settings_(settings), numbers_(number) {}

// -- a message

// The end of a message and the beginning of one that follows at once are one reading of the clock. In a simulation
// other threads may have run between the two.
std::uint64_t thread_probe::begin(const trace_note& n) noexcept {
  const bool is_same = std::exchange(nothing_since_, false) && !settings_.clock.is_simulated();
  begun_ticks_ = is_same ? ticks_ : look_at_clock();
  std::uint64_t id = message_number::recorded(n.id);
  what_ = decide(n, id);
  if (what_ != telling::nothing && id == 0) id = numbers_.next(begun_ticks_);
  if (is_sample()) {
    if (id == 0) id = numbers_.next(begun_ticks_) | message_number::sample_bit;
    begin_sample(id, n);
  }
  begun_id_ = id;
  begun_is_recorded_ = what_ == telling::all;
  if (begun_is_recorded_) record(n, id, begun_ticks_);
  if (what_ == telling::sends_to_focus || sample_.message != 0) begun_ = n;
  return id;
}

thread_probe::telling thread_probe::decide(const trace_note& n, std::uint64_t id) noexcept {
  if (!all_.sees_all()) return telling::nothing;
  if (!focus_.has(settings_.focused(), n.actor, n.actor_type)) return telling::sends_to_focus;
  return id != 0 || takes_root() ? telling::all : telling::nothing;
}

bool thread_probe::takes_root() noexcept {
  if (++passed_over_ < settings_.one_of.load()) return false;
  passed_over_ = 0;
  return true;
}

std::uint64_t thread_probe::send(const trace_note& n) noexcept {
  if (sample_.message != 0) count_sent(n);
  const bool is_recorded = what_ == telling::all ||
                           (what_ == telling::sends_to_focus && focus_.has(settings_.focused(), n.actor, n.actor_type));
  if (!is_recorded) return sample_.message == 0 ? 0 : numbers_.next(look_at_clock()) | message_number::sample_bit;
  if (!std::exchange(begun_is_recorded_, true)) record(begun_, begun_id_, begun_ticks_);
  const std::uint64_t id = numbers_.next(look_at_clock());
  record(n, id, ticks_);
  return id;
}

void thread_probe::write(const trace_note& n) noexcept {
  const bool is_end = n.step == trace_step::over || n.step == trace_step::waits;
  if (n.step == trace_step::goes_on) sample_.of = n.actor_type;
  if (n.step == trace_step::undone) sample_.customer_is_told = told::nothing, sample_.sent = 0;
  if (is_end && sample_.message != 0 && n.id == sample_.message) end_sample(n);
  if (!is_told(n)) return;
  record(n, n.id, look_at_clock());
  nothing_since_ = n.step == trace_step::over;
}

// A step is told if its message is: that which it names, or that which is handled.
bool thread_probe::is_told(const trace_note& n) const noexcept {
  if (n.step == trace_step::parked || n.step == trace_step::woke || n.step == trace_step::stole) return true;
  if (n.id == 0 || n.id == begun_id_) return begun_is_recorded_;
  return !message_number::is_sample(n.id);
}

void thread_probe::record(const trace_note& n, std::uint64_t id, std::uint64_t ticks) noexcept {
  if (thread_steps* const to = open_steps()) to->write(n, id, ticks);
}

thread_steps* thread_probe::open_steps() noexcept {
  // relaxed: owner-only read of its own last store.
  thread_steps* made = steps_.load(std::memory_order_relaxed);
  if (made != nullptr) [[likely]]
    return made;
  kept_steps_ = settings_.make_steps();
  steps_.store(kept_steps_.get());
  return kept_steps_.get();
}

// -- samples

void thread_probe::sample_next(std::uint64_t stands_for) noexcept { stands_for_ = stands_for; }

bool thread_probe::is_sample() noexcept {
  if (sample_.message != 0) sample_ = {};
  if (!all_.sees_samples()) return false;
  if (all_.sees_all() && ++told_ >= told_per_sample) stands_for_ = std::exchange(told_, 0);
  return stands_for_ != 0;
}

void thread_probe::begin_sample(std::uint64_t id, const trace_note& n) noexcept {
  sample_ = {id, begun_ticks_, std::exchange(stands_for_, 0), n.actor_type, n.customer};
}

void thread_probe::count_sent(const trace_note& n) noexcept {
  ++sample_.sent;
  if (sample_.customer == 0 || !detail::same_actor(n.actor, sample_.customer)) return;
  const bool is_failure = n.message->role == detail::message_type::failure_notice;
  sample_.customer_is_told = is_failure ? told::failure : told::answer;
}

void thread_probe::defer(detail::port customer) noexcept {
  if (sample_.customer != 0 && detail::same_actor(customer, sample_.customer)) keep_request();
}

void thread_probe::keep_request() noexcept {
  if (sample_.of == nullptr) return;
  settings_.requests.keep({sample_.customer, begun_.actor, sample_.of->name, begun_.message->name});
}

void thread_probe::end_sample(const trace_note& n) noexcept {
  if (n.step == trace_step::waits && sample_.customer != 0 && sample_.customer_is_told == told::nothing) keep_request();
  const sample s = std::exchange(sample_, {});
  if (s.of == nullptr || n.outcome == detail::trace_outcome::forwarded ||
      n.outcome == detail::trace_outcome::put_aside || n.outcome == detail::trace_outcome::dead)
    return;
  type_meters::row* const row = meters_.of(*s.of);
  if (row == nullptr) return;
  const std::uint64_t took = settings_.clock.between(s.since, look_at_clock());
  row->handling.add(took);
  row->messages.add(s.stands_for);
  row->ticks.add(s.stands_for * took);
  row->sent.add(s.stands_for * s.sent);
  if (s.customer_is_told == told::answer) row->answered.add(1);
  if (s.customer_is_told == told::failure) row->unanswered.add(1);
}

void thread_probe::arrive(std::uint64_t id, const detail::behavior_type& at) noexcept {
  if (!all_.sees_samples()) return;
  type_meters::row* const row = meters_.of(at);
  if (row == nullptr) return;
  const std::uint64_t now = all_.sees_all() ? begun_ticks_ : look_at_clock();
  row->waiting.add(settings_.clock.since(id, now));
}

}  // namespace tact::inspect
