#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

using mailbox::chunk;
using mailbox::shard;

dispatcher::dispatcher(unsigned workers, unsigned shards) : epochs_(workers), idle_(workers) {
  shards_.reserve(shards);
  std::vector<std::vector<shard*>> owned(workers);
  for (std::uint32_t i = 0; i < shards; ++i) {
    auto& s = *shards_.emplace_back(std::make_unique<shard>());
    s.number = i;
    s.owner = i % workers;
    owned[s.owner].push_back(&s);
  }
  workers_.reserve(workers);
  for (unsigned i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<worker>(*this, i, std::move(owned[i])));
  }
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

bool dispatcher::stopping() const noexcept { return stopping_.load(); }

void dispatcher::on_worker_end() noexcept {
  ended_workers_.fetch_add(1);
  quiet_event_.notify();
}

bool dispatcher::post(std::uint32_t number, const detail::message_type& type, detail::port target, void* payload) {
  using entry = mailbox::inbox::entry;
  shard& s = *shards_[number];
  const auto receipt = s.outside.put(type, target, payload, depot_);
  if (receipt.how == entry::first && s.word.post_mail()) announce(s);
  return receipt.how != entry::refused;
}

void dispatcher::close() noexcept {
  for (auto& s : shards_) s->outside.close();
}

std::uint64_t dispatcher::sent_outside() const noexcept {
  std::uint64_t sent = 0;
  for (const auto& s : shards_) sent += s->outside.sent();
  return sent;
}

std::uint32_t dispatcher::next_shard_outside() noexcept {
  // relaxed: counter; any value will do.
  const std::uint32_t turn = next_shard_.fetch_add(1, std::memory_order_relaxed);
  if (const auto sleeping = idle_.next_after(turn % static_cast<std::uint32_t>(workers_.size()))) {
    const auto& own = workers_[*sleeping]->shards();
    return own[turn / workers_.size() % own.size()]->number;
  }
  return turn % static_cast<std::uint32_t>(shards_.size());
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
