#include "inspect/recording.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "inspect/packed_event.hpp"

namespace tact::inspect {

using detail::trace_note;
using detail::trace_step;

namespace {

// Readers lose at most so many events that are whole, because the writer has said that they will be overwritten: a
// thirtieth of the smallest ring. From 8 to 4096 a write takes the same time: docs/inspect/recorder.md.
constexpr std::size_t block = 64;

}  // namespace

// Numbers come again when the process has recorded 4096 more threads.
std::uint64_t numbers_of_one_thread() noexcept {
  static sync::atomic<std::uint64_t> threads{0};
  constexpr std::uint64_t mask = (std::uint64_t{1} << (detail::trace_id_bits - message_count_bits)) - 1;
  return (threads.fetch_add(1) & mask) << message_count_bits;
}

// -- the steps of one thread

thread_steps::thread_steps(std::string name, std::size_t events, unsigned one_of, tick_clock& clock, type_names& names)
    : trace_track(numbers_of_one_thread()),
      name_(std::move(name)),
      clock_(clock),
      types_(names),
      ring_(events, block),
      one_of_(one_of) {}

std::uint64_t thread_steps::ticks_at(const trace_note& n) noexcept {
  const bool is_same = n.follows && last_ == trace_step::over && !clock_.is_simulated();
  last_ = n.step;
  return is_same ? last_ticks_ : last_ticks_ = clock_.now();
}

void thread_steps::write(const trace_note& n) noexcept {
  const std::uint32_t of_actor =
      n.step == trace_step::unserved ? std::uint32_t{n.reason} : types_.number_of(n.actor_type);
  if (n.step == trace_step::marked) [[unlikely]] {
    const auto text = n.text.substr(0, packed_event::text_max);
    ring_.write(packed_event::pack(n, ticks_at(n), static_cast<std::uint32_t>(text.size()), of_actor));
    return write_text(text);
  }
  ring_.write(packed_event::pack(n, ticks_at(n), types_.number_of(n.message), of_actor));
}

void thread_steps::write_text(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); at += packed_event::text_bytes) {
    std::uint64_t bytes[3] = {};
    std::memcpy(bytes, text.data() + at, std::min<std::size_t>(packed_event::text_bytes, text.size() - at));
    ring_.write(packed_event::pack_text(bytes));
  }
}

bool thread_steps::takes_root() noexcept {
  if (++passed_over_ < one_of_) return false;
  passed_over_ = 0;
  return true;
}

// -- all of them

recording::recording(const recorder_options& options)
    : options_(options), clock_(detail::is_simulated() ? tick_clock::source::simulation : tick_clock::best()) {
  const std::size_t events = options.bytes_per_thread / sizeof(event_words) * 2 / outside_rings;
  for (std::size_t i = 0; i < outside_rings; ++i) {
    outside_[i].steps = std::make_unique<thread_steps>("threads outside " + std::to_string(i + 1), events,
                                                       options.one_of, clock_, names_);
  }
}

detail::trace_track* recording::open(std::string_view thread) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    threads_.push_back(std::make_unique<thread_steps>(
        std::string(thread), options_.bytes_per_thread / sizeof(event_words), options_.one_of, clock_, names_));
    return threads_.back().get();
  } catch (const std::bad_alloc&) {
    ++unrecorded_;
    return nullptr;
  }
}

recording::outside& recording::of_this_thread() noexcept {
  static sync::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads.fetch_add(1);
  return outside_[number % outside_rings];
}

std::uint64_t recording::send(detail::port to, const detail::message_type& message,
                              const detail::behavior_type* actor_type, std::uint64_t cause) noexcept {
  outside& here = of_this_thread();
  const std::lock_guard lock(here.mutex);
  if (cause == 0 && !here.steps->takes_root()) return 0;
  const std::uint64_t id = here.steps->next_id();
  if (cause != 0) here.steps->write({.step = trace_step::caused, .id = cause});
  here.steps->write({.id = id, .actor = to, .message = &message, .actor_type = actor_type});
  return id;
}

void recording::bury(const trace_note& n) noexcept {
  outside& here = of_this_thread();
  const std::lock_guard lock(here.mutex);
  here.steps->write(n);
}

recording::contents recording::read() {
  contents all;
  const auto add = [&all](const thread_steps& s) {
    all.threads.push_back(s.name());
    all.steps.push_back(s.ring().read());
  };
  {
    const std::lock_guard lock(mutex_);
    for (const auto& t : threads_) add(*t);
    all.unrecorded = unrecorded_;
  }
  for (const outside& o : outside_) add(*o.steps);
  // After the steps, so that every number in them is known.
  all.names = names_.read();
  all.scale = clock_.measure();
  return all;
}

}  // namespace tact::inspect
