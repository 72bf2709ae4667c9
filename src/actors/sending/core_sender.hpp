// What the core itself tells actors: failures to customers, ends to watchers; and how it buries what no actor handles.
#pragma once

#include <string>

#include "actors/common/names.hpp"
#include "actors/intake/burial.hpp"
#include "actors/pressure/kept_messages.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/run_state.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// Invariant: a customer that is still owed an answer hears of a failure exactly once, in the commit or the abort of the
// run that owed it. What is told is staged behind what the run has sent, and leaves with it, or with
// late_sends::conclude. None of these calls can fail: memory comes out of the reserve if need be. Thread safety: the
// thread of the run only.
class core_sender {
 public:
  core_sender(run_state& r, router& to, limits& l, burial& b) noexcept : run_(r), router_(to), limits_(l), burial_(b) {}

  void tell(port customer, failure&& f) noexcept;
  // Tells the customer of the run that it was not answered, unless a message that was staged passes the request on.
  void pay_debt() noexcept;
  void tell_watcher(watcher& w, ended&& e) noexcept;

  // Buries a message, which was taken from a lane: see late_sends::drop.
  void bury(mailbox::envelope& e, failure_reason reason, std::string text) noexcept;
  // Buries a message that this run has sent, and that does not come into a lane.
  void lose(mailbox::envelope& e, failure_reason reason) noexcept;
  // Buries a message that a mailbox kept, which has been counted as sent already.
  void lose(const kept_messages::kept& k, failure_reason reason, std::string text = {}) noexcept;

 private:
  void bury(port to, const message_type& type, void* payload, failure_reason reason, std::string text) noexcept;

  run_state& run_;
  router& router_;
  limits& limits_;
  burial& burial_;
};

}  // namespace tact::actors
