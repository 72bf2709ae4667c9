#include "dispatch/workers/crew.hpp"

#include <algorithm>
#include <utility>

#include "dispatch/policy/prices.hpp"

namespace tact::dispatch {
namespace {

constexpr std::chrono::nanoseconds measurement{crew_size::measurement_ns};

}  // namespace

crew::crew(exchange& between, running_workers& running, bool is_on)
    : exchange_(between), running_workers_(running), is_on_(is_on), size_(1), kept_before_(between.worker_count()) {}

void crew::begin_again() noexcept {
  const sync::locked lock(deciding_);
  size_.set_most(exchange_.threads_of_workers());
  begin_measurement();
}

void crew::begin_measurement() noexcept {
  began_ = {};
  next_.store(clock::now().time_since_epoch().count());
}

std::uint64_t crew::count_handled() const noexcept {
  std::uint64_t all = 0;
  for (unsigned i = 0; i < exchange_.threads_of_workers(); ++i) all += exchange_.status_of(i).handled();
  return all;
}

std::uint64_t crew::take_kept_ns(std::uint64_t ns) noexcept {
  std::uint64_t all = 0;
  for (unsigned i = 0; i < exchange_.threads_of_workers(); ++i) {
    const std::uint64_t kept = exchange_.status_of(i).kept_ns();
    all += std::min(ns, kept - std::exchange(kept_before_[i], kept));
  }
  return all;
}

std::uint64_t crew::count_waiting() const noexcept {
  std::uint64_t all = 0;
  for (unsigned i = 0; i < exchange_.threads_of_workers(); ++i) all += exchange_.status_of(i).waiting();
  return all;
}

unsigned crew::count_slow(unsigned workers) const noexcept {
  unsigned slow = 0;
  for (unsigned i = 0; i < workers; ++i) slow += exchange_.status_of(i).is_slow();
  return slow;
}

void crew::look(clock::time_point at) noexcept {
  if (!is_on_) return;
  const auto now = at.time_since_epoch();
  // relaxed: a hint; the compare-and-swap looks again.
  auto due = next_.load(std::memory_order_relaxed);
  if (now.count() < due) return;
  // All workers come here at about the same time. The first one of them puts the next look off before it begins,
  // because it has to read what all workers write: meanwhile the others would come again and again, and wait for its
  // line.
  const auto put_off = (now + measurement).count();
  if (!next_.compare_exchange_strong(due, put_off) || !deciding_.try_enter()) return;
  if (next_.load() == put_off) decide(clock::time_point(now));
  deciding_.leave();
}

void crew::decide(clock::time_point now) noexcept {
  const std::uint64_t all = count_handled();
  const std::uint64_t handled = all - std::exchange(handled_before_, all);
  const auto began = std::exchange(began_, now);
  const bool is_first = began == clock::time_point{};
  const std::uint64_t ns = is_first ? 0 : static_cast<std::uint64_t>(std::chrono::nanoseconds(now - began).count());
  const std::uint64_t kept_ns = take_kept_ns(ns);
  next_.store((now + measurement).time_since_epoch().count());
  if (is_first) return;
  const unsigned before = size_.workers();
  // If each message takes a worker as long as a wake-up, then what it takes to bring it there counts little.
  const std::uint64_t few = before * ns / prices::wake_up_ns;
  // Workers that handle few messages, although handlers do not take long, are in each other's way, or they sleep after
  // each message or two and have to be woken. Then fewer may handle more.
  const bool handlers_take_long = handled < few && 2 * count_slow(before) >= before;
  if (handlers_take_long) {
    size_.all_run();
  } else {
    size_.measured({handled, ns, kept_ns, count_waiting()});
  }
  if (size_.workers() != before && running_workers_.run_only(size_.workers())) begin_measurement();
}

void crew::watch() noexcept {
  const auto before = clock::now() - 2 * measurement;
  if (before.time_since_epoch().count() > next_.load()) all_run();
}

void crew::all_run() noexcept {
  if (!is_on_ || !deciding_.try_enter()) return;
  size_.begin();
  if (exchange_.some_rest()) static_cast<void>(running_workers_.run_only(size_.workers()));
  begin_measurement();
  deciding_.leave();
}

}  // namespace tact::dispatch
