#include "store/disk/snapshots.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "sync/reports.hpp"

namespace tact::lmdb {

namespace {

constexpr std::chrono::milliseconds age_limit_most = std::chrono::hours(24 * 365);
constexpr auto patience_without_limit = std::chrono::seconds(10);
// How long the gate is closed at most, while the threads that read at once are waited for.
constexpr auto gate_patience = std::chrono::seconds(2);

std::string age_text(steady::duration age) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(age).count()) + " ms";
}

}  // namespace

unsigned snapshots::own_stripe() noexcept {
  static sync::atomic<unsigned> threads{0};
  thread_local const unsigned own = threads.fetch_add(1) % read_gate<sync::real>::stripe_count;
  return own;
}

std::unique_ptr<snapshot_state> snapshots::take_spare(unsigned stripe) noexcept {
  for (unsigned n = 0; n < spare_.size(); ++n) {
    spare_place& place = spare_[(stripe + n) % spare_.size()];
    if (place.one.load() == nullptr) continue;
    if (snapshot_state* const s = place.one.exchange(nullptr)) return std::unique_ptr<snapshot_state>(s);
  }
  return nullptr;
}

void snapshots::put_spare(std::unique_ptr<snapshot_state> s) noexcept {
  for (unsigned n = 0; n < spare_.size(); ++n) {
    spare_place& place = spare_[(s->stripe + n) % spare_.size()];
    snapshot_state* none = nullptr;
    if (place.one.load() == nullptr && place.one.compare_exchange_strong(none, s.get())) {
      static_cast<void>(s.release());
      return;
    }
  }
  mdb_txn_abort(s->txn);
}

void snapshots::forget_spare() noexcept {
  for (spare_place& place : spare_) {
    const std::unique_ptr<snapshot_state> s(place.one.exchange(nullptr));
    if (s != nullptr && !file_.health.is_forked()) mdb_txn_abort(s->txn);
  }
}

int snapshots::begin(snapshot_state& s) {
  if (s.txn != nullptr) return mdb_txn_renew(s.txn);
  int code = mdb_txn_begin(file_.env.get(), nullptr, MDB_RDONLY, &s.txn);
  if (code == MDB_READERS_FULL) {
    // A process that was killed leaves its places.
    int cleared = 0;
    if (mdb_reader_check(file_.env.get(), &cleared) == 0 && cleared > 0) {
      code = mdb_txn_begin(file_.env.get(), nullptr, MDB_RDONLY, &s.txn);
    }
  }
  if (code != 0) s.txn = nullptr;
  return code;
}

// Returns null if the map must be changed first.
std::unique_ptr<snapshot_state> snapshots::enter() {
  const unsigned stripe = own_stripe();
  while (!gate_.try_enter(stripe)) wait_open();
  std::unique_ptr<snapshot_state> s;
  int code = 0;
  try {
    file_.health.check();
    s = take_spare(stripe);
    if (s == nullptr) s = std::make_unique<snapshot_state>();
    s->home = this;
    s->stripe = stripe;
    code = begin(*s);
    if (code == 0) s->version = file_.version_of(s->txn);
  } catch (...) {
    gate_.leave(stripe);
    throw;
  }
  if (code == 0) return s;
  if (s->txn != nullptr) mdb_txn_abort(s->txn);
  gate_.leave(stripe);
  if (code == MDB_READERS_FULL)
    throw store_error(store_problem::refused, failure_text(file_.path, "begin a snapshot", code));
  if (code != MDB_MAP_RESIZED) throw_failure(file_.path, "begin a snapshot", code);
  return nullptr;
}

std::unique_ptr<snapshot_state> snapshots::take() {
  for (;;) {
    if (auto s = enter()) return s;
    std::string why;
    if (change_map(0, why) != map_change::done) throw store_error(store_problem::refused, why);
  }
}

std::unique_ptr<snapshot_state> snapshots::hold(std::string name, std::shared_ptr<detail::disk> keeps, too_old what) {
  look_at_old();
  auto mark = std::make_unique<held_mark>();
  mark->name = std::move(name);
  mark->can_end = file_.options.end_old_snapshots && what == too_old::as_options_say;
  mark->thread = ::gettid();
  mark->since = steady::now();
  mark->keeps = std::move(keeps);
  std::list<snapshot_state*> place(1);
  auto s = take();
  place.front() = s.get();
  mark->at = place.begin();
  s->held = std::move(mark);
  const std::lock_guard lock(mutex_);
  held_.splice(held_.end(), place);
  return s;
}

void snapshots::give_back(std::unique_ptr<snapshot_state> s) noexcept {
  if (file_.health.is_forked()) {
    static_cast<void>(s.release());  // LMDB's part of it is the parent's
    return;
  }
  if (s->held != nullptr) {
    const std::lock_guard lock(mutex_);
    held_.erase(s->held->at);
    changed_.notify_all();
  }
  const std::unique_ptr<held_mark> mark = std::move(s->held);
  const bool is_ended = mark != nullptr && mark->is_ended;
  const unsigned stripe = s->stripe;
  if (!is_ended) mdb_txn_reset(s->txn);
  put_spare(std::move(s));
  if (!is_ended) gate_.leave(stripe);
  // What keeps the file is let go last, with the mark.
}

std::vector<detail::held_snapshot> snapshots::held() const {
  std::vector<detail::held_snapshot> all;
  const std::lock_guard lock(mutex_);
  const auto now = steady::now();
  for (const snapshot_state* s : held_)
    all.push_back({s->held->name, s->held->thread, now - s->held->since, s->version});
  return all;
}

void snapshots::look_at_old() {
  const steady::duration limit = age_limit();
  if (limit == steady::duration::zero()) return;
  const std::lock_guard lock(mutex_);
  if (held_.empty()) return;
  const auto now = steady::now();
  for (snapshot_state* s : held_) {
    held_mark& mark = *s->held;
    if (now - mark.since < limit) break;  // the others are younger
    const std::lock_guard reads(mark.mutex);
    if (!mark.is_told) {
      mark.is_told = true;
      sync::report("tact-store: " + file_.path.string() + ": the snapshot \"" + mark.name + "\" of thread " +
                   std::to_string(mark.thread) + " is held for " + age_text(now - mark.since) +
                   (mark.can_end ? ", and was ended\n" : "; the file grows as long as that goes on\n"));
    }
    if (mark.can_end && !mark.is_ended) {
      mark.is_ended = true;
      mdb_txn_reset(s->txn);
      gate_.leave(s->stripe);
    }
  }
}

// -- the map

void snapshots::wait_open() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !gate_.is_closed(); });
}

void snapshots::open_again() {
  const std::lock_guard lock(mutex_);
  gate_.open();
  changed_.notify_all();
}

steady::duration snapshots::age_limit() const noexcept {
  return std::clamp(file_.options.snapshot_limit, std::chrono::milliseconds(0), age_limit_most);
}

steady::duration snapshots::patience() const noexcept {
  const steady::duration limit = age_limit();
  return limit == steady::duration::zero() ? steady::duration(patience_without_limit) : limit;
}

std::string snapshots::block_names() const {
  std::string names;
  for (const detail::held_snapshot& h : held()) {
    names += (names.empty() ? " \"" : ", \"") + h.name + "\" of thread " + std::to_string(h.thread) + " for " +
             age_text(h.age);
  }
  return names.empty() ? " a thread that reads" : names;
}

bool snapshots::wait_for_held(steady::time_point until) {
  constexpr auto look_each = std::chrono::milliseconds(10);
  for (;;) {
    look_at_old();
    std::unique_lock lock(mutex_);
    const auto is_over = [this] {
      return std::all_of(held_.begin(), held_.end(), [](const snapshot_state* s) { return s->held->is_ended; });
    };
    if (is_over()) return true;
    if (steady::now() >= until) return false;
    changed_.wait_for(lock, look_each, is_over);
  }
}

bool snapshots::shut(steady::time_point until) {
  return gate_.shut([until] {
    std::this_thread::yield();
    return steady::now() < until;
  });
}

map_change snapshots::change_map(std::size_t bytes, std::string& why) {
  const std::lock_guard alone(change_mutex_);
  file_.health.check();
  const auto until = steady::now() + patience();
  if (!wait_for_held(until) || !shut(steady::now() + gate_patience)) {
    open_again();
    why = file_.path.string() +
          ": the map of the file must grow, and the store has waited for these snapshots in vain:" + block_names() +
          ". Give snapshots back sooner, or raise store_options::map_bytes";
    return map_change::blocked;
  }
  const int code = mdb_env_set_mapsize(file_.env.get(), bytes);
  if (code != 0) {
    // LMDB has given up the old map, so nothing can be read any more.
    why = failure_text(file_.path, "enlarge the map of the file", code);
    file_.health.stop(why);
  }
  open_again();
  return code == 0 ? map_change::done : map_change::failed;
}

}  // namespace tact::lmdb
