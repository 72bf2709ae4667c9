#include "dispatch/workforce.hpp"

#include <algorithm>

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

workforce::workforce(dispatcher& owner, unsigned running)
    : owner_(&owner), running_(running), mover_(owner.stealing().table()) {
  for (unsigned i = running; i < owner.worker_count(); ++i) owner.announcer().idle().remove(i);
  run_only(running);
}

void workforce::start() {
  unsigned started = 0;
  try {
    for (; started < running(); ++started) static_cast<void>(owner_->start_worker(started));
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
  if (wanted > running()) return grow(wanted);
  if (wanted < running()) shrink(wanted);
  return true;
}

bool workforce::grow(unsigned wanted) {
  bool goes_on = true;
  try {
    while (goes_on && running() < wanted) {
      goes_on = owner_->start_worker(running());
      if (goes_on) run_only(running() + 1);
    }
  } catch (...) {
    share();
    throw;
  }
  share();
  return goes_on;
}

void workforce::shrink(unsigned wanted) {
  const auto& workers = owner_->workers();
  const unsigned before = running();
  run_only(wanted);
  for (unsigned i = wanted; i < before; ++i) workers[i]->tell_to_go();
  share();  // what waits in their shards need not wait for the messages that they run
  for (unsigned i = wanted; i < before; ++i) workers[i]->wait_for_end();
  share();  // moves what they have left behind since
}

void workforce::run_only(unsigned count) noexcept {
  running_.store(count);
  owner_->stealing().searching().set_max(std::max(1U, std::min(count / 2, 4U)));
}

void workforce::share() {
  mover_.level(running(), [this](unsigned told) { owner_->workers()[told]->wake(); });
  owner_->announcer().announce_offices();
}

}  // namespace tact::dispatch
