#include "dispatch/dispatcher.hpp"

#include <chrono>

namespace tact::dispatch {

using mailbox::chunk;
using mailbox::shard;

namespace {

// How long a creator waits for the thread of an actor that has ended, when there is no other place.
constexpr auto ending_patience = std::chrono::milliseconds(100);

}  // namespace

dispatcher::dispatcher(extent size)
    : size_(size),
      epochs_(size.workers + 1),
      idle_(size.workers),
      heavy_(size.shards, size.heavy_shards),
      blocking_(std::make_unique<sync::atomic<blocking_thread*>[]>(size.blocking_max)) {
  const std::uint32_t all = first_blocking() + size.blocking_max;
  shards_.reserve(all);
  std::vector<std::vector<shard*>> owned(size.workers);
  for (std::uint32_t i = 0; i < all; ++i) {
    auto& s = *shards_.emplace_back(std::make_unique<shard>());
    s.number = i;
    if (is_blocking(i)) continue;  // no worker's
    s.owner = i % size.workers;
    owned[s.owner].push_back(&s);
  }
  made_.reserve(size.blocking_max);
  workers_.reserve(size.workers);
  for (unsigned i = 0; i < size.workers; ++i) {
    const shard_numbers homes{i, size.workers, (size.shards - i + size.workers - 1) / size.workers};
    workers_.push_back(std::make_unique<worker>(*this, i, homes, std::move(owned[i])));
  }
}

void dispatcher::start(std::function<std::unique_ptr<runner>(desk&)> make_runner) {
  make_runner_ = std::move(make_runner);
  // Every runner first: a worker may wake any other.
  std::vector<std::unique_ptr<runner>> runners;
  for (auto& w : workers_) runners.push_back(make_runner_(*w));
  for (unsigned i = 0; i < workers_.size(); ++i) workers_[i]->prepare(std::move(runners[i]));
  unsigned started = 0;
  try {
    for (; started < workers_.size(); ++started) workers_[started]->start();
  } catch (...) {
    // The system gave fewer threads than asked for; those that run are ended before the error is passed on.
    stop();
    while (started != 0) workers_[--started]->join();
    throw;
  }
}

void dispatcher::stop() noexcept {
  stopping_.exchange(true);
  for (auto& w : workers_) w->wake();
  // No thread is started from here on: who starts one looks at stopping_ under the lock.
  const std::lock_guard lock(blocking_mutex_);
  for (auto& t : made_) t->wake();
}

std::uint32_t dispatcher::threads_started() noexcept {
  const std::lock_guard lock(blocking_mutex_);
  return size_.workers + blocking_started_;
}

bool dispatcher::wait_stopped(sync::deadline until) noexcept {
  const std::uint32_t all = threads_started();
  for (;;) {
    const auto ticket = quiet_event_.prepare();
    if (ended_workers_.load() == all) {
      quiet_event_.cancel();
      return true;
    }
    if (!quiet_event_.wait(ticket, until)) return ended_workers_.load() == all;
  }
}

void dispatcher::join() noexcept {
  for (auto& w : workers_) w->join();
  const std::lock_guard lock(blocking_mutex_);
  for (auto& t : made_) t->join();
}

bool dispatcher::stopping() const noexcept { return stopping_.load(); }

void dispatcher::on_worker_end() noexcept {
  ended_workers_.fetch_add(1);
  quiet_event_.notify();
}

void dispatcher::post(std::uint32_t number, const detail::message_type& type, detail::port target, void* payload) {
  shard& s = *shards_[number];
  if (s.outside.put(type, target, payload, depot_) && s.word.post_mail()) announce(s);
}

std::uint32_t dispatcher::next_shard_outside() noexcept {
  // relaxed: counter; any value will do.
  const std::uint32_t turn = next_shard_.fetch_add(1, std::memory_order_relaxed);
  if (const auto sleeping = idle_.next_after(turn % static_cast<std::uint32_t>(workers_.size()))) {
    return workers_[*sleeping]->homes().at(turn / workers_.size());
  }
  return turn % size_.shards;
}

std::uint32_t dispatcher::next_shard_round() noexcept {
  // relaxed: counter; any value will do.
  return next_in_round_.fetch_add(1, std::memory_order_relaxed) % size_.shards;
}

// -- blocking actors

std::optional<std::uint32_t> dispatcher::take_made() noexcept {
  for (unsigned i = 0; i < size_.blocking_max; ++i) {
    blocking_thread* t = blocking_[i].load();
    if (t == nullptr) return {};
    if (t->slot().take()) return first_blocking() + i;
  }
  return {};
}

bool dispatcher::any_ending() const noexcept {
  bool found = false;
  for (unsigned i = 0; i < size_.blocking_max && !found; ++i) {
    blocking_thread* t = blocking_[i].load();
    if (t == nullptr) break;
    found = t->slot().is_ending();
  }
  return found;
}

std::optional<std::uint32_t> dispatcher::take_blocking() {
  const auto until = std::chrono::steady_clock::now() + ending_patience;
  for (;;) {
    const auto ticket = places_.prepare();
    auto taken = take_made();
    if (!taken) taken = make_blocking();
    // The actor of a place that is ending has ended, as far as anybody can tell.
    if (taken || !any_ending()) {
      places_.cancel();
      return taken;
    }
    if (!places_.wait(ticket, until)) return take_made();
  }
}

std::optional<std::uint32_t> dispatcher::make_blocking() {
  const std::lock_guard lock(blocking_mutex_);
  // Once more: one may have been made or left while this thread waited.
  if (const auto taken = take_made()) return taken;
  const auto place = static_cast<unsigned>(made_.size());
  if (place == size_.blocking_max) return {};
  shard& s = *shards_[first_blocking() + place];
  auto made = std::make_unique<blocking_thread>(*this, s, size_.workers + place, shard_numbers{0, 1, size_.shards});
  auto with = make_runner_(*made);
  static_cast<void>(made->slot().take());  // nobody else knows it yet
  made->prepare(std::move(with));
  if (!stopping()) {  // otherwise nothing runs here any more
    made->start();
    ++blocking_started_;
  }
  blocking_[place].store(made.get());
  made_.push_back(std::move(made));
  return s.number;
}

void dispatcher::retire_outside(void* object, epochs::finalizer fin, void* context) noexcept {
  const std::lock_guard lock(retiring_mutex_);
  const unsigned record = size_.workers;  // always offline: it protects nobody's reading
  epochs_.retire(record, object, fin, context);
  epochs_.offline(record);
}

void dispatcher::publish(std::uint32_t number, mailbox::copy_queue::chain messages) noexcept {
  // The word's list runs newest first.
  chunk* newest = nullptr;
  for (chunk* c = messages.oldest; c != nullptr;) {
    chunk* next = c->next;
    c->next = newest;
    newest = c;
    c = next;
  }
  shard& s = *shards_[number];
  if (s.word.push(newest, messages.oldest)) announce(s);
}

}  // namespace tact::dispatch
