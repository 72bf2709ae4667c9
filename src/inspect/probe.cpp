#include "inspect/probe.hpp"

#include <new>
#include <utility>

#include "tact/detail/access.hpp"

namespace tact::inspect {

using detail::trace_note;
using detail::trace_step;

namespace {

// Numbers the threads that are observed in this process.
std::uint64_t next_thread() noexcept {
  static sync::atomic<std::uint64_t> threads{0};
  return threads.fetch_add(1);
}

}  // namespace

std::shared_ptr<probe> probe::of(engine& e) {
  detail::core& core = detail::access::core_of(e);
  for (;;) {
    if (detail::trace_sink* const there = detail::recorded_by(core)) {
      if (auto* const known = dynamic_cast<probe*>(there)) return known->shared_from_this();
      throw usage_error(
          "tact::inspect: this engine is recorded for the page of its run, and by nothing else meanwhile");
    }
    auto made = std::make_shared<probe>();
    if (detail::record_steps(core, made)) return made;
  }
}

probe::outside::outside() : numbers(next_thread()) {}

probe::probe() : settings_(detail::is_simulated() ? tick_clock::source::simulation : tick_clock::best()) {}

// -- recording

bool probe::prepare_recording(const recorder_options& options) {
  const std::lock_guard lock(mutex_);
  if (has_recorder_) return false;
  const std::size_t events = options.bytes_per_thread / sizeof(event_words) * 2 / outside_places;
  for (outside& o : outside_) {
    const std::lock_guard alone(o.mutex);
    o.steps = std::make_unique<thread_steps>(events, settings_.names);
  }
  settings_.events_per_thread.store(options.bytes_per_thread / sizeof(event_words));
  settings_.one_of.store(options.one_of);
  return has_recorder_ = true;
}

probe::contents probe::read() {
  contents all;
  const auto add = [&all](std::string name, const thread_steps* s) {
    if (s == nullptr) return;
    all.threads.push_back(std::move(name));
    all.steps.push_back(s->ring().read());
  };
  {
    const std::lock_guard lock(mutex_);
    for (const auto& t : threads_) add(t->name(), t->steps());
  }
  for (std::size_t i = 0; i < outside_.size(); ++i)
    add("threads outside " + std::to_string(i + 1), outside_[i].steps.get());
  // After the steps, so that every number in them is known.
  all.names = settings_.names.read();
  all.scale = settings_.clock.measure();
  all.unrecorded = settings_.unrecorded.load();
  return all;
}

// -- measuring

void probe::measure(bool whether) noexcept {
  const std::lock_guard lock(mutex_);
  measured_by_ += whether ? 1U : ~0U;
  see_samples(measured_by_ != 0);
  if (measured_by_ == 0) settings_.requests.clear();
}

// -- what the engine tells

detail::trace_track* probe::open(std::string_view thread) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    threads_.push_back(std::make_unique<thread_probe>(std::string(thread), next_thread(), *this, settings_));
    return threads_.back().get();
  } catch (const std::bad_alloc&) {
    settings_.unrecorded.fetch_add(1);
    return nullptr;
  }
}

probe::outside& probe::of_this_thread() noexcept {
  static sync::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1);
  return outside_[number % outside_places];
}

std::uint64_t probe::send(detail::port to, const detail::message_type& message, const detail::behavior_type* actor_type,
                          std::uint64_t cause) noexcept {
  outside& here = of_this_thread();
  const std::lock_guard lock(here.mutex);
  cause = message_number::recorded(cause);
  const std::uint64_t ticks = settings_.clock.now();
  if (!is_wanted(here, to, actor_type, cause))
    return sees_samples() ? here.numbers.next(ticks) | message_number::sample_bit : 0;
  const std::uint64_t id = here.numbers.next(ticks);
  if (cause != 0) here.steps->write({.step = trace_step::caused, .id = cause}, ticks);
  here.steps->write({.id = id, .actor = to, .message = &message, .actor_type = actor_type}, ticks);
  return id;
}

bool probe::is_wanted(outside& here, detail::port to, const detail::behavior_type* actor_type,
                      std::uint64_t cause) noexcept {
  if (!sees_all() || !here.focus.has(settings_.focused(), to, actor_type)) return false;
  if (cause != 0) return true;
  if (++here.passed_over < settings_.one_of.load()) return false;
  here.passed_over = 0;
  return true;
}

void probe::bury(const trace_note& n) noexcept {
  if (!sees_all()) return;
  outside& here = of_this_thread();
  const std::lock_guard lock(here.mutex);
  here.steps->write(n, settings_.clock.now());
}

void probe::give_up(detail::port customer) noexcept {
  if (sees_samples()) settings_.requests.give_up(customer);
}

}  // namespace tact::inspect
