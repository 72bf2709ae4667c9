#include "dispatch/workforce.hpp"

#include <algorithm>

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

workforce::workforce(dispatcher& owner, unsigned running)
    : owner_(&owner), threads_(running), running_(running), mover_(owner.stealing().table()) {
  for (unsigned i = running; i < owner.worker_count(); ++i) owner.announcer().idle().remove(i);
  set_running(running);
}

void workforce::start() {
  unsigned started = 0;
  try {
    for (; started < threads(); ++started) static_cast<void>(owner_->start_worker(started));
  } catch (...) {
    // The system gave fewer threads than asked for; those that run are ended before the error is passed on.
    owner_->stop();
    while (started != 0) owner_->workers()[--started]->wait_for_end();
    throw;
  }
}

void workforce::join() noexcept {
  const sync::locked lock(one_at_a_time_);
  for (const auto& w : owner_->workers()) w->wait_for_end();
}

bool workforce::change(unsigned wanted) {
  const sync::rundown<sync::real>::guest inside(guests_);
  const sync::locked lock(one_at_a_time_);
  if (owner_->stopping()) return false;
  bool goes_on = true;
  if (wanted < threads()) {
    shrink(wanted);
  } else {
    let_run(threads());
    if (wanted > threads()) goes_on = grow(wanted);
  }
  owner_->crew().begin_again();
  return goes_on;
}

bool workforce::grow(unsigned wanted) {
  bool goes_on = true;
  try {
    while (goes_on && threads() < wanted) {
      goes_on = owner_->start_worker(threads());
      if (!goes_on) break;
      threads_.store(threads() + 1);
      set_running(threads());
      owner_->workers()[threads() - 1]->wake();  // it may have begun before it was counted, and then it rests
    }
  } catch (...) {
    share();
    owner_->crew().begin_again();
    throw;
  }
  share();
  return goes_on;
}

bool workforce::run_only(unsigned wanted) noexcept {
  if (!one_at_a_time_.try_enter()) return false;
  const bool changes = !owner_->stopping() && wanted <= threads();
  if (changes) let_run(wanted);
  one_at_a_time_.leave();
  return changes;
}

// Those that rest no more look for something to do; those that rest from now on leave the idle ones.
void workforce::let_run(unsigned wanted) noexcept {
  const unsigned before = running();
  if (wanted == before) return;
  set_running(wanted);
  share();
  for (unsigned i = std::min(before, wanted); i < std::max(before, wanted); ++i) owner_->workers()[i]->wake();
}

void workforce::shrink(unsigned wanted) {
  const auto& workers = owner_->workers();
  const unsigned before = threads();
  let_run(wanted);
  threads_.store(wanted);
  for (unsigned i = wanted; i < before; ++i) workers[i]->tell_to_go();
  share();  // what waits in their shards need not wait for the messages that they run
  for (unsigned i = wanted; i < before; ++i) workers[i]->wait_for_end();
  share();  // moves what they have left behind since
}

void workforce::show_idle(unsigned first, unsigned end) noexcept {
  idle_set& idle = owner_->announcer().idle();
  for (unsigned i = first; i < end; ++i) {
    if (owner_->stealing().is_idle(i) && !idle.has(i)) idle.add(i);
  }
}

void workforce::set_running(unsigned count) noexcept {
  // Those that rest no more and have nothing to do are idle from now on, though they may sleep. If they showed this
  // themselves, no worker would be known as idle for a moment, and a thread outside could send its message to a worker
  // that is busy.
  const unsigned before = running();
  show_idle(before, count);
  running_.store(count);
  show_idle(before, count);  // one of them may have taken itself out meanwhile, because it was to rest until now
  owner_->stealing().searching().set_max(std::max(1U, std::min(count / 2, 4U)));
}

// The shards that are reserved for heavy actors are at home anywhere.
std::optional<unsigned> workforce::home_of(const mailbox::shard& s) const noexcept {
  if (!owner_->mail().is_ordinary(s.number)) return std::nullopt;
  return owner_->announcer().owner_of_office(s.office);
}

void workforce::share() noexcept {
  mover_.level(
      running(), [this](const mailbox::shard& s) { return home_of(s); },
      [this](unsigned told) { owner_->workers()[told]->wake(); });
  owner_->announcer().announce_offices();
}

}  // namespace tact::dispatch
