#include "dispatch/visitors/reserved_homes.hpp"

#include <chrono>
#include <mutex>
#include <system_error>
#include <utility>

#include "sync/reports.hpp"

namespace tact::dispatch {

namespace {

// How long a creator waits for the thread of an actor that has ended to leave its place, when no other place is free.
constexpr auto ending_patience = std::chrono::milliseconds(100);

}  // namespace

reserved_homes::reserved_homes(exchange& between, extent size,
                               const std::function<std::unique_ptr<runner>(worker_context&)>& make_runner)
    : exchange_(between),
      make_runner_(make_runner),
      first_heavy_(size.shards),
      first_blocking_(size.shards + size.heavy_shards),
      blocking_max_(size.blocking_max),
      heavy_(size.shards, size.heavy_shards),
      blocking_(std::make_unique<sync::atomic<blocking_thread*>[]>(size.blocking_max)) {
  made_.reserve(size.blocking_max);
}

void reserved_homes::wake_all() noexcept {
  for (auto& t : made_) t->wake();
}

void reserved_homes::wait_for_ends() noexcept {
  for (auto& t : made_) t->wait_for_end();
}

std::optional<std::uint32_t> reserved_homes::take_made() noexcept {
  for (unsigned i = 0; i < blocking_max_; ++i) {
    blocking_thread* t = blocking_[i].load();
    if (t == nullptr) return {};
    if (t->slot().take()) return first_blocking_ + i;
  }
  return {};
}

bool reserved_homes::any_ending() const noexcept {
  bool found = false;
  for (unsigned i = 0; i < blocking_max_ && !found; ++i) {
    blocking_thread* t = blocking_[i].load();
    if (t == nullptr) break;
    found = t->slot().is_ending();
  }
  return found;
}

std::optional<std::uint32_t> reserved_homes::take_blocking() {
  const auto until = sync::clock::now() + ending_patience;
  for (;;) {
    const auto ticket = places_.prepare();
    auto taken = take_made();
    if (!taken) taken = make_blocking();
    // Users count the actor of an ending place as ended, so they may expect that its place is free.
    if (taken || !any_ending()) {
      places_.cancel();
      return taken;
    }
    if (!places_.wait(ticket, until)) return take_made();
  }
}

std::optional<std::uint32_t> reserved_homes::make_blocking() {
  const std::lock_guard lock(exchange_.threads().starting());
  // Looks once more: while this thread waited for the lock, a place may have been made or left.
  if (const auto taken = take_made()) return taken;
  auto made = new_place({});
  if (made == nullptr) return {};
  start_place(*made);
  return add_place(std::move(made));
}

std::unique_ptr<blocking_thread> reserved_homes::new_place(std::function<void()> call_loop) {
  const auto place = static_cast<unsigned>(made_.size());
  if (place == blocking_max_) return nullptr;
  mailbox::shard& s = exchange_.mail().shard_at(first_blocking_ + place);
  auto made =
      std::make_unique<blocking_thread>(exchange_, s, exchange_.worker_count() + place, places_, std::move(call_loop));
  auto with = make_runner_(*made);
  static_cast<void>(made->slot().take());  // succeeds: no other thread knows this place yet
  made->prepare(std::move(with));
  return made;
}

void reserved_homes::start_place(blocking_thread& made) {
  if (exchange_.stopping()) return;  // no thread is started any more
  made.start();
  exchange_.threads().count_started();
}

std::uint32_t reserved_homes::add_place(std::unique_ptr<blocking_thread> made) noexcept {
  const auto place = static_cast<std::uint32_t>(made_.size());
  blocking_[place].store(made.get());
  made_.push_back(std::move(made));
  return first_blocking_ + place;
}

std::optional<std::uint32_t> reserved_homes::open_loop(std::function<void()> call) {
  const std::lock_guard lock(exchange_.threads().starting());
  auto made = new_place(std::move(call));
  if (made == nullptr) return {};
  made->slot().serve();  // for ever: the actors of a loop come and go, its place stays
  return add_place(std::move(made));
}

void reserved_homes::close_loop(std::uint32_t place) noexcept {
  const std::lock_guard lock(exchange_.threads().starting());
  try {
    start_place(*thread_of(place));
  } catch (const std::system_error&) {
    sync::report("tact: the system gives no thread for a tact::loop that has ended: what comes for its actors waits\n");
  }
}

void reserved_homes::give_home_back(std::uint32_t number) noexcept {
  const bool is_blocking = number >= first_blocking_;
  if (is_blocking && is_of_loop(number)) return;
  is_blocking ? thread_of(number)->slot().end() : heavy_.give(number);
}

}  // namespace tact::dispatch
