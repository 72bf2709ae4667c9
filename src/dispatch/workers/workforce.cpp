#include "dispatch/workers/workforce.hpp"

#include <mutex>

namespace tact::dispatch {

void workforce::start() {
  for (unsigned i = 0; i < exchange_.threads_of_workers(); ++i) static_cast<void>(start_worker(i));
}

bool workforce::start_worker(unsigned index) {
  const std::lock_guard lock(exchange_.threads().starting());
  if (exchange_.stopping()) return false;
  workers_[index]->start();
  exchange_.threads().count_started();
  return true;
}

void workforce::join() noexcept {
  const sync::locked lock(running_workers_.changing());
  for (const auto& w : workers_) w->wait_for_end();
}

bool workforce::change(unsigned wanted) {
  const sync::rundown<sync::real>::guest inside(guests_);
  const sync::locked lock(running_workers_.changing());
  if (exchange_.stopping()) return false;
  bool goes_on = true;
  if (wanted < exchange_.threads_of_workers()) {
    shrink(wanted);
  } else {
    running_workers_.let_run(exchange_.threads_of_workers());
    if (wanted > exchange_.threads_of_workers()) goes_on = grow(wanted);
  }
  crew_.begin_again();
  return goes_on;
}

bool workforce::grow(unsigned wanted) {
  bool goes_on = true;
  try {
    while (goes_on && exchange_.threads_of_workers() < wanted) {
      const unsigned next = exchange_.threads_of_workers();
      goes_on = start_worker(next);
      if (!goes_on) break;
      exchange_.numbers().set_threads(next + 1);
      running_workers_.set_running(next + 1);
      exchange_.status_of(next).wake();  // it may have begun before it was counted, and then it rests
    }
  } catch (...) {
    running_workers_.share();
    crew_.begin_again();
    throw;
  }
  running_workers_.share();
  return goes_on;
}

void workforce::shrink(unsigned wanted) {
  const unsigned before = exchange_.threads_of_workers();
  running_workers_.let_run(wanted);
  exchange_.numbers().set_threads(wanted);
  for (unsigned i = wanted; i < before; ++i) workers_[i]->tell_to_go();
  running_workers_.share();  // what waits in their shards need not wait for the messages that they run
  for (unsigned i = wanted; i < before; ++i) workers_[i]->wait_for_end();
  running_workers_.share();  // moves what they have left behind since
}

}  // namespace tact::dispatch
