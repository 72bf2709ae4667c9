// Operations of the simulated policy, in terms of the scheduler.
#include "tools/explorer/simulated.hpp"

namespace tact::explorer {

void atomic_cell::look() const noexcept {
  if (!alive_) scheduler::current()->fail("an atomic was used after its end");
}

std::uint64_t atomic_cell::read() const noexcept {
  scheduler* const s = scheduler::current();
  if (s == nullptr) return cell_.bits;
  s->step();
  look();
  const std::uint64_t seen = s->read(cell_);
  s->note("load", &cell_, seen);
  return seen;
}

void atomic_cell::write(std::uint64_t bits) noexcept {
  scheduler* const s = scheduler::current();
  if (s == nullptr) {
    cell_.bits = bits;
    return;
  }
  s->step();
  look();
  s->write(cell_, bits);
}

void atomic_cell::write_at_once(std::uint64_t bits) noexcept {
  if (scheduler* const s = scheduler::current()) {
    s->step();
    look();
    s->drain();
    s->note("store", &cell_, bits);
  }
  cell_.bits = bits;
}

void atomic_cell::begin_update() noexcept {
  scheduler* const s = scheduler::current();
  if (s == nullptr) return;
  s->step();
  look();
  s->drain();
}

void atomic_cell::note(const char* what) const noexcept {
  if (scheduler* const s = scheduler::current()) s->note(what, &cell_, cell_.bits);
}

void atomic_cell::note(const char* what, std::uint64_t before) const noexcept {
  if (scheduler* const s = scheduler::current()) s->note(what, &cell_, before, cell_.bits);
}

bool atomic_cell::fails_spuriously() noexcept {
  scheduler* const s = scheduler::current();
  return s != nullptr && s->fails_spuriously();
}

void mutex::lock() noexcept {
  if (scheduler* const s = scheduler::current()) {
    s->step();
    s->drain();
    while (locked_) static_cast<void>(s->sleep(this, sleep_limit::none));
    s->note("lock", this);
  }
  locked_ = true;
}

bool mutex::try_lock() noexcept {
  if (scheduler* const s = scheduler::current()) {
    s->step();
    s->drain();
    s->note(locked_ ? "try_lock (failed)" : "try_lock", this);
    if (locked_) return false;
  }
  return locked_ = true;
}

void mutex::unlock() noexcept {
  scheduler* const s = scheduler::current();
  if (s != nullptr) {
    s->step();
    s->drain();
    s->note("unlock", this);
  }
  locked_ = false;
  if (s != nullptr) s->wake(this, threads_max);
}

void simulated::pause() noexcept {
  if (scheduler* const s = scheduler::current()) s->give_way();
}

bool simulated::futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected, sync::deadline until) noexcept {
  scheduler* const s = scheduler::current();
  if (s == nullptr) return true;  // no other thread runs that could wake the caller
  const std::uint32_t seen = word.load();
  s->drain();
  // The kernel compares and enqueues in one step; here no other thread has run since the load.
  return seen != expected || s->sleep(&word, until ? sleep_limit::deadline : sleep_limit::none);
}

void simulated::futex_wake(const atomic<std::uint32_t>& word, int threads) noexcept {
  scheduler* const s = scheduler::current();
  if (s == nullptr) return;
  s->step();
  s->drain();
  s->note("wake", &word);
  s->wake(&word, static_cast<unsigned>(threads));
}

bool simulated::barrier_for_all() noexcept {
  scheduler* const s = scheduler::current();
  if (s == nullptr) return true;
  s->step();
  s->drain_all();
  return true;
}

}  // namespace tact::explorer
