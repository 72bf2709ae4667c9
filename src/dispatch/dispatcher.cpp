#include "dispatch/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace tact::dispatch {

using mailbox::chunk;
using mailbox::shard;

dispatcher::dispatcher(placement_plan plan, unsigned shards, victim_policy victims)
    : plan_(std::move(plan)),
      victims_(std::move(victims)),
      epochs_(worker_count()),
      idle_(worker_count()),
      table_(worker_count(), shards),
      searchers_(std::max(1U, worker_count() / 2)) {
  shards_.reserve(shards);
  for (std::uint32_t i = 0; i < shards; ++i) {
    auto& s = *shards_.emplace_back(std::make_unique<shard>());
    s.number = i;
    table_.deal(i, s);
  }
  workers_.reserve(worker_count());
  for (unsigned i = 0; i < worker_count(); ++i) workers_.push_back(std::make_unique<worker>(*this, i));
}

void dispatcher::start(const std::function<std::unique_ptr<runner>(worker&)>& make_runner) {
  // Every runner first: a worker may wake any other.
  std::vector<std::unique_ptr<runner>> runners;
  for (auto& w : workers_) runners.push_back(make_runner(*w));
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
}

bool dispatcher::wait_stopped(sync::deadline until) noexcept {
  for (;;) {
    const auto ticket = quiet_event_.prepare();
    if (ended_workers_.load() == workers_.size()) {
      quiet_event_.cancel();
      return true;
    }
    if (!quiet_event_.wait(ticket, until)) return ended_workers_.load() == workers_.size();
  }
}

void dispatcher::join() noexcept {
  for (auto& w : workers_) w->join();
}

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
    return shard_of_worker(*sleeping, turn / worker_count());
  }
  return turn % static_cast<std::uint32_t>(shards_.size());
}

std::uint32_t dispatcher::shard_of_worker(unsigned worker, std::uint32_t turn) noexcept {
  auto& slots = table_.of(worker);
  for (std::size_t n = 0; n < slots.size(); ++n) {
    if (const shard* s = slots[(turn + n) % slots.size()].load()) return s->number;
  }
  return worker;  // in a swap of its only one: any will do
}

std::uint64_t dispatcher::depth(std::uint32_t number) const noexcept {
  const shard& s = *shards_[number];
  const std::uint64_t out = s.taken.read();
  std::uint64_t in = s.outside.count_put();
  for (const auto& w : workers_) in += w->outboxes().published(number);
  return in > out ? in - out : 0;  // a running engine: read at different moments
}

std::uint64_t dispatcher::publish(std::uint32_t number, mailbox::copy_queue::chain messages) noexcept {
  std::uint64_t count = 0;
  // The word's list runs newest first.
  chunk* newest = nullptr;
  for (chunk* c = messages.oldest; c != nullptr;) {
    count += c->messages;
    chunk* next = c->next;
    c->next = newest;
    newest = c;
    c = next;
  }
  shard& s = *shards_[number];
  if (s.word.push(newest, messages.oldest)) announce(s);
  return count;
}

}  // namespace tact::dispatch
