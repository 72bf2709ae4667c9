#include "dispatch/dispatcher.hpp"

#include <mutex>
#include <utility>

namespace tact::dispatch {

dispatcher::dispatcher(bool is_pumped, placement_plan&& plan, extent size, victim_policy victims, unsigned running,
                       bool rests, base::page_binder bind)
    : exchange(is_pumped ? placement_plan{.seats = {{}}} : std::move(plan), size, std::move(victims), running, bind),
      is_pumped_(is_pumped),
      running_workers_(*this),
      crew_(*this, running_workers_, rests && !is_pumped && worker_count() > 1 && stealing().victims() != nullptr),
      helpers_(*this, size.helpers_max),
      homes_(*this, size, make_runner_),
      workforce_(*this, running_workers_, crew_, workers_) {
  waker().call_visitors_by(calls_, is_pumped);
  workers_.reserve(worker_count());
  for (unsigned i = 0; i < worker_count(); ++i) {
    workers_.push_back(std::make_unique<worker>(*this, crew_, i, is_pumped));
  }
}

void dispatcher::start(std::function<std::unique_ptr<runner>(worker_context&)> make_runner,
                       std::function<void()> wake) {
  make_runner_ = std::move(make_runner);
  // All runners are made before any worker starts, because a worker may wake any other.
  std::vector<std::unique_ptr<runner>> runners;
  helpers_.prepare(make_runner_);
  for (auto& w : workers_) runners.push_back(make_runner_(*w));
  for (unsigned i = 0; i < workers_.size(); ++i) workers_[i]->prepare(std::move(runners[i]));
  if (is_pumped_) {
    pump_ = std::make_unique<dispatch::pump>(*this, *workers_.front(), std::move(wake));
    return;
  }
  try {
    workforce_.start();
  } catch (...) {
    // The system gave fewer threads than asked for; those that run are ended before the error is passed on.
    stop();
    workforce_.join();
    throw;
  }
  crew_.begin_again();
}

void dispatcher::stop() noexcept {
  threads().stop();
  for (unsigned i = 0; i < worker_count(); ++i) status_of(i).wake();
  quiet_event().notify();  // a thread that pumps may sleep there
  // From here on no thread is started, because a thread that wants to start one looks whether they stop under this
  // lock.
  const std::lock_guard lock(threads().starting());
  homes_.wake_all();
}

bool dispatcher::wait_stopped(sync::deadline until) noexcept {
  if (is_pumped_ && !pump_->close(until)) return false;
  const std::uint32_t all = threads().started();
  for (;;) {
    const auto ticket = quiet_event().prepare();
    if (has_stopped(all)) {
      quiet_event().cancel();
      return true;
    }
    if (!quiet_event().wait(ticket, until)) return has_stopped(all);
  }
}

bool dispatcher::has_stopped(std::uint32_t all) const noexcept { return threads().ended() == all && !has_visitors(); }

void dispatcher::join() noexcept {
  workforce_.join();
  const std::lock_guard lock(threads().starting());
  homes_.wait_for_ends();
}

void dispatcher::wait_for_others(sync::deadline until) noexcept {
  const std::uint32_t all = threads().started();
  for (;;) {
    const auto ticket = quiet_event().prepare();
    if (threads().ended() + 1 >= all || !quiet_event().wait(ticket, until)) return;
  }
}

void dispatcher::leave_behind() noexcept {
  threads().leave_behind();
  mail().leave_behind();
}

std::uint64_t dispatcher::depth(std::uint32_t shard) const noexcept {
  return mail().depth(shard, [this](std::uint32_t number) {
    std::uint64_t sum = 0;
    for (const auto& w : workers_) sum += w->outboxes().published(number);
    for (const auto& h : helpers()) sum += h->outboxes().published(number);
    homes_.for_each_blocking([&](const blocking_thread& t) { sum += t.outboxes().published(number); });
    return sum;
  });
}

void dispatcher::retire_outside(void* object, epochs::finalizer fin, void* context) noexcept {
  const std::lock_guard lock(retiring_mutex_);
  const unsigned record = worker_count();  // a record that is always offline: no thread reads under it
  reclamation().retire(record, object, fin, context);
  reclamation().offline(record);
}

}  // namespace tact::dispatch
