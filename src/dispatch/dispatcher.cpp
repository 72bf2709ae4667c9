#include "dispatch/dispatcher.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tact::dispatch {

dispatcher::dispatcher(placement_plan plan, extent size, victim_policy victims, unsigned running, bool rests,
                       base::page_binder bind)
    : is_pumped_(plan.seats.empty()),
      plan_(is_pumped_ ? placement_plan{.seats = {{}}} : std::move(plan)),
      epochs_(worker_count() + 1 + size.helpers_max),
      mail_(size, worker_count(), bind),
      announcer_(*this, worker_count()),
      stealing_(*this, std::move(victims), worker_count(), mail_.first_blocking(),
                running == 0 ? worker_count() : running),
      posting_(*this),
      crew_(*this, rests && !is_pumped_ && worker_count() > 1 && stealing_.victims() != nullptr),
      homes_(*this, size),
      workforce_(*this, running == 0 ? worker_count() : running) {
  // No worker looks at the shards of blocking actors.
  for (std::uint32_t i = 0; i < mail_.first_blocking(); ++i) stealing_.table().deal(i, mail_.shard_at(i));
  workers_.reserve(worker_count());
  for (unsigned i = 0; i < worker_count(); ++i) workers_.push_back(std::make_unique<worker>(*this, i));
  for (unsigned i = 0; i < size.helpers_max; ++i) {
    helpers_.push_back(std::make_unique<helper>(*this, worker_count() + 1 + i));
  }
}

void dispatcher::start(std::function<std::unique_ptr<runner>(worker_context&)> make_runner,
                       std::function<void()> wake) {
  make_runner_ = std::move(make_runner);
  // All runners are made before any worker starts, because a worker may wake any other.
  std::vector<std::unique_ptr<runner>> runners;
  for (auto& h : helpers_) h->prepare(make_runner_(*h));
  for (auto& w : workers_) runners.push_back(make_runner_(*w));
  for (unsigned i = 0; i < workers_.size(); ++i) workers_[i]->prepare(std::move(runners[i]));
  if (is_pumped_) {
    pump_ = std::make_unique<dispatch::pump>(*this, std::move(wake));
    return;
  }
  workforce_.start();
  crew_.begin_again();
}

bool dispatcher::start_worker(unsigned index) {
  const std::lock_guard lock(threads_.starting());
  if (stopping()) return false;
  workers_[index]->start();
  threads_.count_started();
  return true;
}

void dispatcher::stop() noexcept {
  threads_.stop();
  for (auto& w : workers_) w->wake();
  quiet_event_.notify();  // a thread that pumps may sleep there
  // From here on no thread is started, because a thread that wants to start one looks whether they stop under this
  // lock.
  const std::lock_guard lock(threads_.starting());
  homes_.wake_all();
}

bool dispatcher::wait_stopped(sync::deadline until) noexcept {
  if (is_pumped_ && !pump_->close(until)) return false;
  const std::uint32_t all = threads_.started();
  for (;;) {
    const auto ticket = quiet_event_.prepare();
    if (has_stopped(all)) {
      quiet_event_.cancel();
      return true;
    }
    if (!quiet_event_.wait(ticket, until)) return has_stopped(all);
  }
}

bool dispatcher::has_stopped(std::uint32_t threads) const noexcept {
  return threads_.ended() == threads && helping_.is_empty() && in_loops_.is_empty();
}

void dispatcher::join() noexcept {
  workforce_.join();
  const std::lock_guard lock(threads_.starting());
  homes_.wait_for_ends();
}

void dispatcher::wait_for_others(sync::deadline until) noexcept {
  const std::uint32_t all = threads_.started();
  for (;;) {
    const auto ticket = quiet_event_.prepare();
    if (threads_.ended() + 1 >= all || !quiet_event_.wait(ticket, until)) return;
  }
}

void dispatcher::leave_behind() noexcept {
  left_behind_.exchange(true);
  threads_.stop();
  mail_.leave_behind();
}

void dispatcher::look_whether_left_behind(const char* what) const noexcept {
  if (!is_left_behind()) [[likely]]
    return;
  std::fprintf(stderr,
               "tact: %s in a child process: the engine lives in its parent, and its threads are not here; after fork "
               "or daemon let the child call exec or _exit, or make its own engine\n",
               what);
  std::abort();
}

void dispatcher::on_worker_end() noexcept {
  look_whether_left_behind("a handler that has forked returns");
  threads_.count_ended();
  quiet_event_.notify();
}

std::uint64_t dispatcher::depth(std::uint32_t shard) const noexcept {
  return mail_.depth(shard, [this](std::uint32_t number) {
    std::uint64_t sum = 0;
    for (const auto& w : workers_) sum += w->outboxes().published(number);
    for (const auto& h : helpers_) sum += h->outboxes().published(number);
    homes_.for_each_blocking([&](const blocking_thread& t) { sum += t.outboxes().published(number); });
    return sum;
  });
}

void dispatcher::trim_helpers() noexcept {
  for (const auto& h : helpers_) {
    if (!h->try_enter()) continue;
    h->trim();
    h->leave();
  }
}

void dispatcher::retire_outside(void* object, epochs::finalizer fin, void* context) noexcept {
  const std::lock_guard lock(retiring_mutex_);
  const unsigned record = worker_count();  // a record that is always offline: no thread reads under it
  epochs_.retire(record, object, fin, context);
  epochs_.offline(record);
}

}  // namespace tact::dispatch
