#include "dispatch/visitors/pump.hpp"

#include <chrono>
#include <utility>

#include "dispatch/holding/trim_after.hpp"
#include "dispatch/workers/worker.hpp"

namespace tact::dispatch {
namespace {

constexpr std::uint64_t trim_after_messages = 100'000;  // a burst, after which no thread may pump for long

}  // namespace

pump::pump(exchange& between, worker& driven, std::function<void()> wake)
    : exchange_(between), driven_(driven), wake_(std::move(wake)) {}

sync::eventcount<sync::real>& pump::changed() const noexcept { return exchange_.quiet_event(); }
bool pump::anything() const noexcept { return driven_.anything_eligible(); }
bool pump::is_stopping() const noexcept { return exchange_.stopping(); }

void pump::announce() noexcept {
  const bool calls = word_.ring();
  changed().notify();
  if (calls) wake_();
}

std::optional<pump::amount> pump::run_some(std::uint64_t most, sync::deadline until) noexcept {
  const sync::rundown<sync::real>::guest inside(guests_);
  const entry e = word_.try_drive();
  if (e == entry::is_driven) return {};
  if (e != entry::entered) return amount{};
  amount done;
  if (most != 0) {
    const std::uint64_t before = driven_.runner().count_handled();
    const std::uint64_t last = most < drive_limit::unlimited - before ? before + most : drive_limit::unlimited;
    done.handled = drive(drive_limit(last, until, nullptr), all_rounds);
  }
  done.more = anything() && !is_stopping();
  if (done.more) {
    word_.leave_told();
  } else {
    done.more = word_.leave([this] { return anything() && !is_stopping(); });
  }
  changed().notify();
  return done;
}

void pump::quit() noexcept {
  quit_.exchange(true);
  changed().notify();
}

bool pump::close(sync::deadline until) noexcept {
  for (;;) {
    const auto ticket = changed().prepare();
    if (word_.try_close()) {
      changed().cancel();
      return true;
    }
    if (!changed().wait(ticket, until)) return word_.try_close();
  }
}

std::uint64_t pump::drive(const drive_limit& most, unsigned rounds) noexcept {
  const std::uint64_t handled = driven_.drive(most, rounds);
  untrimmed_ += handled;
  if (untrimmed_ == 0 || anything()) return handled;
  const auto now = sync::clock::now();
  if (untrimmed_ < trim_after_messages && now - trimmed_ < trim_after) return handled;
  untrimmed_ = driven_.trim() ? trim_after_messages : 0;
  trimmed_ = now;
  return handled;
}

void pump::leave() noexcept {
  const bool calls = word_.leave([this] { return anything() && !is_stopping(); });
  changed().notify();
  if (calls) wake_();
}

// Waits while the worker is lent to a thread that waits for something. That thread lets go as soon as it has what it
// waits for.
pump::entry pump::enter_when_free() noexcept {
  for (;;) {
    const auto ticket = changed().prepare();
    const entry e = word_.try_drive();
    if (e != entry::is_lent) {
      changed().cancel();
      return e;
    }
    if (!changed().wait(ticket)) return entry::is_closed;  // only in a simulation that cannot go on
  }
}

// Sleeps until something may have changed, or until it is time to give memory back. False: neither will ever happen,
// which only a simulation finds out.
bool pump::sleep(std::uint32_t ticket) noexcept {
  driven_.count_park();
  sync::deadline until;
  if (untrimmed_ != 0) until = untrimmed_ < trim_after_messages ? trimmed_ + trim_after : sync::clock::now();
  const bool woken = changed().wait(ticket, until);
  driven_.count_wake();
  return woken || until;
}

}  // namespace tact::dispatch
