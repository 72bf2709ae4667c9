#include "dispatch/dispatcher.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "dispatch/announcements.hpp"
#include "sync/thread_state.hpp"

namespace tact::dispatch {

using mailbox::shard;

namespace {

// How long a creator waits for the thread of an actor that has ended to leave its place, when no other place is free.
constexpr auto ending_patience = std::chrono::milliseconds(100);

}  // namespace

dispatcher::dispatcher(placement_plan plan, extent size, victim_policy victims, unsigned running)
    : is_pumped_(plan.seats.empty()),
      plan_(is_pumped_ ? placement_plan{.seats = {{}}} : std::move(plan)),
      size_(size),
      first_blocking_(size.shards + size.heavy_shards),
      victims_(std::move(victims)),
      epochs_(worker_count() + 1 + size.helpers_max),
      idle_(worker_count()),
      table_(worker_count(), first_blocking_, running == 0 ? worker_count() : running),
      searchers_(1),
      heavy_(size.shards, size.heavy_shards),
      blocking_(std::make_unique<sync::atomic<blocking_thread*>[]>(size.blocking_max)),
      workforce_(*this, running == 0 ? worker_count() : running) {
  const std::uint32_t all = first_blocking_ + size.blocking_max;
  shards_.reserve(all);
  for (std::uint32_t i = 0; i < all; ++i) {
    auto& s = *shards_.emplace_back(std::make_unique<shard>());
    s.number = i;
    if (!is_blocking(i)) table_.deal(i, s);  // no worker looks at the shards of blocking actors
  }
  make_offices();
  made_.reserve(size.blocking_max);
  workers_.reserve(worker_count());
  for (unsigned i = 0; i < worker_count(); ++i) workers_.push_back(std::make_unique<worker>(*this, i));
  for (unsigned i = 0; i < size.helpers_max; ++i) {
    helpers_.push_back(std::make_unique<helper>(*this, worker_count() + 1 + i));
  }
}

void dispatcher::make_offices() {
  for (unsigned i = 0; i < worker_count(); ++i) {
    auto& o = *offices_.emplace_back(std::make_unique<mailbox::office>());
    o.index = i;
    o.number = static_cast<std::uint32_t>(shards_.size() + i);
  }
  for (auto& s : shards_) {
    if (!is_ordinary(s->number)) {
      outbox_for_.push_back(s->number);
      continue;
    }
    s->office = s->number % worker_count();
    ++offices_[s->office]->shards;
    outbox_for_.push_back(offices_[s->office]->number);
  }
}

void dispatcher::start(std::function<std::unique_ptr<runner>(desk&)> make_runner, std::function<void()> wake) {
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
}

bool dispatcher::start_worker(unsigned index) {
  const std::lock_guard lock(threads_mutex_);
  if (stopping()) return false;
  workers_[index]->start();
  ++threads_started_;
  return true;
}

void dispatcher::stop() noexcept {
  stopping_.exchange(true);
  for (auto& w : workers_) w->wake();
  quiet_event_.notify();  // a thread that pumps may sleep there
  // From here on no thread is started, because a thread that wants to start one looks at stopping_ under this lock.
  const std::lock_guard lock(threads_mutex_);
  for (auto& t : made_) t->wake();
}

std::uint32_t dispatcher::threads_started() noexcept {
  const std::lock_guard lock(threads_mutex_);
  return threads_started_;
}

bool dispatcher::wait_stopped(sync::deadline until) noexcept {
  if (is_pumped_ && !pump_->close(until)) return false;
  const std::uint32_t all = threads_started();
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
  return threads_ended_.load() == threads && !helping_.anybody() && !in_loops_.anybody();
}

void dispatcher::join() noexcept {
  workforce_.join();
  const std::lock_guard lock(threads_mutex_);
  for (auto& t : made_) t->wait_for_end();
}

void dispatcher::wait_for_others(sync::deadline until) noexcept {
  const std::uint32_t all = threads_started();
  for (;;) {
    const auto ticket = quiet_event_.prepare();
    if (threads_ended_.load() + 1 >= all || !quiet_event_.wait(ticket, until)) return;
  }
}

void dispatcher::leave_behind() noexcept {
  left_behind_.exchange(true);
  stopping_.exchange(true);
  for (auto& s : shards_) s->outside.leave_behind();
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
  threads_ended_.fetch_add(1);
  quiet_event_.notify();
}

mailbox::inbox::receipt dispatcher::put(shard& s, const detail::message_type& type, detail::port target, void* payload,
                                        mailbox::parcel* with_context) {
  const auto receipt = s.outside.put(type, target, payload, depot_, with_context);
  if (receipt.how == mailbox::inbox::entry::first && s.word.post_mail()) {
    announcements* const later = sync::thread_state::of_this_thread().announcements;
    later != nullptr ? later->add(s) : announce(s);
  }
  return receipt;
}

bool dispatcher::post(std::uint32_t number, const detail::message_type& type, detail::port target, void* payload,
                      mailbox::parcel* with_context) {
  return put(*shards_[number], type, target, payload, with_context).how != mailbox::inbox::entry::refused;
}

bool dispatcher::post_anywhere(const detail::message_type& type, detail::port target, void* payload,
                               mailbox::parcel* with_context) {
  auto& sender = sync::thread_state::of_this_thread().sender;
  const bool is_new = sender.to != this || !is_ordinary(sender.shard);
  if (is_new || (running() > 1 && is_overtaken(*shards_[sender.shard], sender.behind_ns))) {
    sender.to = this;
    sender.shard = next_shard_outside();
  }
  const auto receipt = put(*shards_[sender.shard], type, target, payload, with_context);
  sender.behind_ns = receipt.behind_ns;
  return receipt.how != mailbox::inbox::entry::refused;
}

bool dispatcher::is_overtaken(const shard& s, std::uint64_t behind_ns) const noexcept {
  // While a worker is idle, the message should not go where a handler may take long: to a shard of a busy owner, or to
  // one that is held, because it cannot be known which worker holds it.
  if (idle_.any()) return !idle_.has(s.owner.load()) || s.word.is_held();
  return behind_ns >= mailbox::inbox::slow_ns && !s.word.is_idle();
}

void dispatcher::see_to_it(std::uint32_t owner) noexcept {
  if (!steals() || has_watch() || idle_.has(owner)) return;
  if (const auto other = idle_.next_after(owner)) workers_[*other]->wake();
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
  if (const auto sleeping = idle_.next_after(turn % running())) {
    return shard_of_worker(*sleeping, turn / running());
  }
  // No worker is idle. So the choice is a shard that is not held, which another worker can steal; in a held shard the
  // message that runs may take long.
  for (std::uint32_t i = 0; i < size_.shards; ++i) {
    const std::uint32_t number = (turn + i) % size_.shards;
    if (!shards_[number]->word.is_held()) return number;
  }
  return turn % size_.shards;
}

std::uint32_t dispatcher::next_shard_round() noexcept {
  // relaxed: counter; any value will do.
  return next_in_round_.fetch_add(1, std::memory_order_relaxed) % size_.shards;
}

std::uint32_t dispatcher::shard_of_worker(unsigned worker, std::uint32_t turn) noexcept {
  auto& slots = table_.of(worker);
  const std::size_t size = slots.size();  // 0 a moment later, perhaps, for a worker that goes
  for (std::size_t n = 0; n < size; ++n) {
    const shard* s = slots[(turn + n) % size].load();
    if (s != nullptr && is_ordinary(s->number)) return s->number;
  }
  return turn % size_.shards;  // its only shard is in a swap, or it has heavy actors' shards only: any will do
}

std::uint64_t dispatcher::depth(std::uint32_t number) const noexcept {
  const shard& s = *shards_[number];
  const std::lock_guard lock(settling_mutex_);
  const std::uint64_t out = s.taken.read();
  std::uint64_t in = s.outside.sent() + s.settled;
  for (const auto& w : workers_) in += w->outboxes().published(number);
  for (const auto& h : helpers_) in += h->outboxes().published(number);
  for_each_blocking([&](const blocking_thread& t) { in += t.outboxes().published(number); });
  return in > out ? in - out : 0;  // while the engine runs, these are read at different moments
}

void dispatcher::settle(mailbox::outbox_set& outboxes) noexcept {
  if (!outboxes.was_used()) return;
  const std::lock_guard lock(settling_mutex_);
  outboxes.settle([this](std::uint32_t number, std::uint64_t messages) {
    if (!is_office(number)) shards_[number]->settled += messages;
  });
}

void dispatcher::trim_helpers() noexcept {
  for (const auto& h : helpers_) {
    if (!h->try_enter()) continue;
    h->trim();
    h->leave();
  }
}

// -- blocking actors

std::optional<std::uint32_t> dispatcher::take_made() noexcept {
  for (unsigned i = 0; i < size_.blocking_max; ++i) {
    blocking_thread* t = blocking_[i].load();
    if (t == nullptr) return {};
    if (t->slot().take()) return first_blocking_ + i;
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

std::optional<std::uint32_t> dispatcher::make_blocking() {
  const std::lock_guard lock(threads_mutex_);
  // Looks once more: while this thread waited for the lock, a place may have been made or left.
  if (const auto taken = take_made()) return taken;
  auto made = new_place({});
  if (made == nullptr) return {};
  start_place(*made);
  return add_place(std::move(made));
}

std::unique_ptr<blocking_thread> dispatcher::new_place(std::function<void()> call_loop) {
  const auto place = static_cast<unsigned>(made_.size());
  if (place == size_.blocking_max) return nullptr;
  shard& s = *shards_[first_blocking_ + place];
  auto made = std::make_unique<blocking_thread>(*this, s, worker_count() + place, std::move(call_loop));
  auto with = make_runner_(*made);
  static_cast<void>(made->slot().take());  // succeeds: no other thread knows this place yet
  made->prepare(std::move(with));
  return made;
}

void dispatcher::start_place(blocking_thread& made) {
  if (stopping()) return;  // no thread is started any more
  made.start();
  ++threads_started_;
}

std::uint32_t dispatcher::add_place(std::unique_ptr<blocking_thread> made) noexcept {
  const auto place = static_cast<std::uint32_t>(made_.size());
  blocking_[place].store(made.get());
  made_.push_back(std::move(made));
  return first_blocking_ + place;
}

std::optional<std::uint32_t> dispatcher::open_loop(std::function<void()> call) {
  const std::lock_guard lock(threads_mutex_);
  auto made = new_place(std::move(call));
  if (made == nullptr) return {};
  made->slot().serve();  // for ever: the actors of a loop come and go, its place stays
  return add_place(std::move(made));
}

void dispatcher::close_loop(std::uint32_t place) noexcept {
  const std::lock_guard lock(threads_mutex_);
  try {
    start_place(*thread_of(place));
  } catch (const std::system_error&) {
    std::fputs("tact: the system gives no thread for a tact::loop that has ended: what comes for its actors waits\n",
               stderr);
  }
}

void dispatcher::give_home_back(std::uint32_t number) noexcept {
  if (is_blocking(number) && is_of_loop(number)) return;
  is_blocking(number) ? thread_of(number)->slot().end() : heavy_.give(number);
}

void dispatcher::retire_outside(void* object, epochs::finalizer fin, void* context) noexcept {
  const std::lock_guard lock(retiring_mutex_);
  const unsigned record = worker_count();  // a record that is always offline: no thread reads under it
  epochs_.retire(record, object, fin, context);
  epochs_.offline(record);
}

published dispatcher::publish(std::uint32_t outbox, mailbox::copy_queue::chain messages) noexcept {
  return push(is_office(outbox) ? office_of_outbox(outbox).word : shards_[outbox]->word, messages);
}

}  // namespace tact::dispatch
