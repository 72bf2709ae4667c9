#include "dispatch/workers/running_workers.hpp"

#include <algorithm>

namespace tact::dispatch {

running_workers::running_workers(exchange& between) : exchange_(between), mover_(between.stealing().table()) {
  const unsigned running = exchange_.running();
  for (unsigned i = running; i < exchange_.worker_count(); ++i) exchange_.waker().idle().remove(i);
  set_running(running);
}

bool running_workers::run_only(unsigned wanted) noexcept {
  if (!one_at_a_time_.try_enter()) return false;
  const bool changes = !exchange_.stopping() && wanted <= exchange_.threads_of_workers();
  if (changes) let_run(wanted);
  one_at_a_time_.leave();
  return changes;
}

// Workers that rest no more look for something to do. Workers that rest from now on leave the set of idle workers.
void running_workers::let_run(unsigned wanted) noexcept {
  const unsigned before = exchange_.running();
  if (wanted == before) return;
  set_running(wanted);
  share();
  for (unsigned i = std::min(before, wanted); i < std::max(before, wanted); ++i) exchange_.status_of(i).wake();
}

void running_workers::show_idle(unsigned first, unsigned end) noexcept {
  idle_set& idle = exchange_.waker().idle();
  for (unsigned i = first; i < end; ++i) {
    if (exchange_.status_of(i).has_nothing() && !idle.has(i)) idle.add(i);
  }
}

void running_workers::set_running(unsigned count) noexcept {
  // Workers that rest no more and have nothing to do are idle from now on, though they may sleep. If they showed this
  // themselves, no worker would be known as idle for a moment, and a thread outside could send its message to a worker
  // that is busy.
  const unsigned before = exchange_.running();
  show_idle(before, count);
  exchange_.numbers().set_running(count);
  show_idle(before, count);  // one of them may have taken itself out meanwhile, because it was to rest until now
  exchange_.stealing().searching().set_max(std::max(1U, std::min(count / 2, 4U)));
}

// The shards that are reserved for heavy actors are at home anywhere.
std::optional<unsigned> running_workers::home_of(const mailbox::shard& s) const noexcept {
  if (!exchange_.mail().is_ordinary(s.number)) return std::nullopt;
  return exchange_.waker().owner_of_office(s.office);
}

void running_workers::share() noexcept {
  mover_.level(
      exchange_.running(), [this](const mailbox::shard& s) { return home_of(s); },
      [this](unsigned told) { exchange_.status_of(told).wake(); });
  exchange_.waker().announce_offices();
}

}  // namespace tact::dispatch
