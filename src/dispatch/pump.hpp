// Runs an engine that has no threads: its one worker is driven by the threads that pump, or that wait for something.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "dispatch/lobby.hpp"
#include "dispatch/pump_word.hpp"
#include "dispatch/turn.hpp"
#include "sync/eventcount.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

class dispatcher;
class worker;

// Thread safety: any thread. Everybody who waits, waits on one event, the dispatcher's quiet event: for work, for the
// worker to be let go, and for what comes of it.
class pump {
 public:
  struct amount {
    std::uint64_t handled = 0;
    bool more = false;
  };

  // `wake` is called when the loop that pumps should do so; it must not throw.
  pump(dispatcher& owner, std::function<void()> wake);
  ~pump() = default;
  pump(const pump&) = delete;
  pump& operator=(const pump&) = delete;

  // Somebody must look at a shard: see dispatcher::announce.
  void announce() noexcept;

  // -- the calls of users. None: another thread pumps.
  [[nodiscard]] std::optional<amount> run_some(std::uint64_t most, sync::deadline until) noexcept;
  // Until `reached()`, the end of the engine, or quit; sleeps when there is nothing to do.
  template <class Reached>
  [[nodiscard]] bool run_until(Reached reached) noexcept;
  // The run_until that goes on, or else the next one, returns.
  void quit() noexcept;

  // Waits until `reached()`. When nobody drives, it drives. False: the deadline passed first.
  template <class Reached>
  [[nodiscard]] bool wait(Reached reached, sync::deadline until) noexcept;

  // Nobody drives from now on. REQUIRES: the dispatcher stops. False: the deadline passed first.
  [[nodiscard]] bool close(sync::deadline until) noexcept;

 private:
  using entry = pump_word<sync::real>::entry;
  static constexpr unsigned all_rounds = std::numeric_limits<unsigned>::max();

  [[nodiscard]] sync::eventcount<sync::real>& changed() const noexcept;
  [[nodiscard]] bool anything() const noexcept;  // is there to be run
  [[nodiscard]] bool is_stopping() const noexcept;
  [[nodiscard]] static bool is_late(sync::deadline until) noexcept {
    return (until && sync::clock::now() >= *until) || sync::waits_in_vain();
  }
  // Runs until the turn is over or nothing is left, so many rounds at most. Returns how many messages were handled.
  std::uint64_t drive(const turn& t, unsigned rounds) noexcept;
  void leave() noexcept;
  [[nodiscard]] entry enter_when_free() noexcept;
  [[nodiscard]] bool sleep(std::uint32_t ticket) noexcept;

  dispatcher* const owner_;
  worker* const driven_;
  const std::function<void()> wake_;
  pump_word<sync::real> word_;
  sync::atomic<bool> quit_{false};
  // Of who drives.
  std::uint64_t untrimmed_ = 0;  // messages since memory went back
  sync::time_point trimmed_{};

  lobby lobby_;  // of who drives or waits
};

template <class Reached>
bool pump::run_until(Reached reached) noexcept {
  const lobby::guest inside(lobby_);
  const entry e = enter_when_free();
  if (e != entry::entered) return e == entry::is_closed;
  for (;;) {
    drive(turn(turn::unlimited, {}, &quit_), all_rounds);
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
  const lobby::guest inside(lobby_);
  std::uint32_t ticket = 0;
  for (bool may_sleep = false;;) {
    if (reached()) return true;
    if (is_late(until)) return false;
    if (anything() && !is_stopping() && word_.try_lend()) {
      do drive(turn(turn::unlimited, until, nullptr), 1);
      while (anything() && !is_stopping() && !is_late(until) && !reached());
      leave();
      may_sleep = false;
    } else if (!may_sleep) {
      ticket = changed().prepare();  // and look once more
      may_sleep = true;
    } else {
      if (!changed().wait(ticket, until)) return reached();
      may_sleep = false;
    }
  }
}

}  // namespace tact::dispatch
