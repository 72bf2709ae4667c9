// The limits of an engine's mailboxes, and of what threads outside may have under way.
// Protocol page: docs/protocols/pressure.md.
#pragma once

#include <cstdint>

#include "actors/cells/cell.hpp"
#include "actors/common/names.hpp"
#include "actors/pressure/admission_counter.hpp"
#include "dispatch/dispatcher.hpp"
#include "mailbox/envelope.hpp"
#include "sync/eventcount.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// Thread safety: any thread, except for open. Invariant: the admissions of a message name the counters in which the
// message is counted, so it leaves exactly those.
class limits {
 public:
  // Owns the counter for threads outside.
  static constexpr admission_counter<sync::real>::owner of_engine = 1;

  // `outside`: the limit for threads outside; `workers` are told of room, if they run on threads outside.
  limits(const mailbox_limit& outside, dispatch::dispatcher& workers) noexcept : outside_(outside), workers_(workers) {}
  limits(const limits&) = delete;
  limits& operator=(const limits&) = delete;

  // Called once, before any message comes.
  void open() noexcept;
  // A message of a thread outside that takes this route may have to enter counters first, or is recorded.
  // relaxed: hint where it is about records; limits are opened before any message comes.
  [[nodiscard]] bool need_look(mailbox::route r) const noexcept {
    return r.bits() >= looked_at_from_.load(std::memory_order_relaxed);
  }
  // It may have to enter counters first.
  [[nodiscard]] bool concern(mailbox::route r) const noexcept { return r.is_limited() || static_cast<bool>(outside_); }
  // From now on every message needs a look.
  // relaxed: hint, as above.
  void look_at_all() noexcept { looked_at_from_.store(0, std::memory_order_relaxed); }

  // The message waits no more: takes it out of the counters in which its admissions say that it is counted.
  void leave_counters(mailbox::envelope& e) noexcept;
  void leave_counters(port to, std::uint64_t admissions, std::uint64_t bytes) noexcept;
  // Wakes the threads that wait for room. REQUIRES: the caller has made room, or ended the actor or the engine.
  void tell_of_room() noexcept;
  void count_refused(port to) noexcept;
  // Counts a message that a mailbox has dropped for a newer one.
  void count_dropped() noexcept { refused_.fetch_add(1); }

  [[nodiscard]] const mailbox_limit& outside() const noexcept { return outside_; }
  [[nodiscard]] admission_counter<sync::real>& brought() noexcept { return brought_; }
  [[nodiscard]] const admission_counter<sync::real>& brought() const noexcept { return brought_; }
  [[nodiscard]] sync::eventcount<sync::real>& room_made() noexcept { return room_made_; }
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_.load(); }

 private:
  const mailbox_limit& outside_;
  dispatch::dispatcher& workers_;
  // Routes from this value on need a look: those of actors whose mailbox has a limit; if the engine has a limit for
  // threads outside, or its steps are recorded, all routes.
  sync::atomic<std::uint64_t> looked_at_from_{mailbox::route::limited_bit};
  // For messages of threads outside; closed if they have no limit. Every such message changes it when it comes and when
  // it is handled, so it has a cache line apart from what every sender reads.
  alignas(64) admission_counter<sync::real> brought_;
  alignas(64) sync::eventcount<sync::real> room_made_;
  sync::atomic<std::uint64_t> refused_{0};
};

}  // namespace tact::actors
