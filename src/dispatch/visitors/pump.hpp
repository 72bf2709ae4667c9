// Runs an engine that has no worker threads: its one worker is driven by threads that pump, or that wait for something.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/holding/drive_limit.hpp"
#include "dispatch/visitors/pump_word.hpp"
#include "sync/eventcount.hpp"
#include "sync/policy.hpp"
#include "sync/rundown.hpp"

namespace tact::dispatch {

class worker;

// Thread safety: any thread. All threads that wait here wait on one event, the quiet event: for work,
// until another thread lets go of the worker, or for a result such as an answer. Invariant: one thread drives the
// worker at a time, as pump_word says. Protocol page: docs/protocols/pump.md.
class pump {
 public:
  struct amount {
    std::uint64_t handled = 0;
    bool more = false;
  };

  // `wake` is called when the event loop should pump; it must not throw.
  pump(exchange& between, worker& driven, std::function<void()> wake);
  ~pump() = default;
  pump(const pump&) = delete;
  pump& operator=(const pump&) = delete;

  // A shard or an office has messages that a thread must look at: see waker::announce.
  void announce() noexcept;

  // -- for the calls of users. None: another thread pumps.
  [[nodiscard]] std::optional<amount> run_some(std::uint64_t most, sync::deadline until) noexcept;
  // Runs messages until `reached()`, the end of the engine, or quit; sleeps while there is nothing to do. False:
  // another thread pumps.
  template <class Reached>
  [[nodiscard]] bool run_until(Reached reached) noexcept;
  // Makes the run_until that goes on return, or the next one if none does.
  void quit() noexcept;

  // Waits until `reached()`, and drives the worker while no other thread does. False: the deadline passed first.
  template <class Reached>
  [[nodiscard]] bool wait(Reached reached, sync::deadline until) noexcept;

  // Waits until no thread drives; from then on none will. False: the deadline passed first. REQUIRES: the engine
  // stops.
  [[nodiscard]] bool close(sync::deadline until) noexcept;

 private:
  using entry = pump_word<sync::real>::entry;
  static constexpr unsigned all_rounds = std::numeric_limits<unsigned>::max();

  [[nodiscard]] sync::eventcount<sync::real>& changed() const noexcept;
  [[nodiscard]] bool anything() const noexcept;  // is there anything to run?
  [[nodiscard]] bool is_stopping() const noexcept;
  [[nodiscard]] static bool is_late(sync::deadline until) noexcept {
    return (until && sync::clock::now() >= *until) || sync::waits_in_vain();
  }
  // Runs until the limit is reached or nothing is left, at most so many rounds. Returns how many messages were handled.
  std::uint64_t drive(const drive_limit& most, unsigned rounds) noexcept;
  void leave() noexcept;
  [[nodiscard]] entry enter_when_free() noexcept;
  [[nodiscard]] bool sleep(std::uint32_t ticket) noexcept;

  exchange& exchange_;
  worker& driven_;
  const std::function<void()> wake_;
  pump_word<sync::real> word_;
  sync::atomic<bool> quit_{false};
  // These two members are for the thread that drives:
  std::uint64_t untrimmed_ = 0;  // messages handled since memory was given back
  sync::time_point trimmed_{};

  sync::waiting_rundown guests_;  // for threads that drive or wait
};

template <class Reached>
bool pump::run_until(Reached reached) noexcept {
  const sync::rundown<sync::real>::guest inside(guests_);
  const entry e = enter_when_free();
  if (e != entry::entered) return e == entry::is_closed;
  for (;;) {
    drive(drive_limit(drive_limit::unlimited, {}, &quit_), all_rounds);
    changed().notify();
    const auto ticket = changed().prepare();
    if (quit_.load() || is_stopping() || reached() || sync::waits_in_vain()) break;
    if (!anything() && !sleep(ticket)) break;
  }
  quit_.exchange(false);
  leave();
  return true;
}

template <class Reached>
bool pump::wait(Reached reached, sync::deadline until) noexcept {
  const sync::rundown<sync::real>::guest inside(guests_);
  std::uint32_t ticket = 0;
  for (bool may_sleep = false;;) {
    if (reached()) return true;
    if (is_late(until)) return false;
    if (anything() && !is_stopping() && word_.try_lend()) {
      do drive(drive_limit(drive_limit::unlimited, until, nullptr), 1);
      while (anything() && !is_stopping() && !is_late(until) && !reached());
      leave();
      may_sleep = false;
    } else if (!may_sleep) {
      ticket = changed().prepare();  // and looks once more
      may_sleep = true;
    } else {
      if (!changed().wait(ticket, until)) return reached();
      may_sleep = false;
    }
  }
}

}  // namespace tact::dispatch
