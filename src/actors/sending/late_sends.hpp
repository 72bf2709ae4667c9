// What leaves only when a run is over: what it has sent to other engines and to mailboxes that have a limit or an
// order.
#pragma once

#include <string>

#include "actors/common/names.hpp"
#include "actors/sending/admission.hpp"
#include "actors/sending/core_sender.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/run_state.hpp"

namespace tact::actors {

// What a run has sent there lies aside, in the order in which it was sent, and behind it what the core itself tells
// because of the run: failures to customers, ends to watchers. So none of these words overtakes what the actor has sent
// before.
// Invariant: all of it has left before the run counts as done, whether the run has committed or not; so the counters
// never agree while something lies aside. See docs/protocols/quiet.md.
// Thread safety: the thread of the run only.
class late_sends {
 public:
  late_sends(run_state& r, router& to, core_sender& n, admission& a) noexcept
      : run_(r), router_(to), core_sender_(n), admission_(a) {}

  // Sends all that lies aside.
  void send() noexcept {
    if (!run_.journal().aside().empty()) [[unlikely]]
      send_all();
  }
  // A run is over that commits nothing, but the core has told others of something.
  void conclude() noexcept {
    send();
    run_.conclude();
  }
  // Buries a message, which was taken from a lane, and counts it. `text`: what its customer is told, if the reason
  // alone does not say enough.
  void drop(mailbox::envelope& e, failure_reason reason, std::string text = {}) noexcept;

 private:
  void send_all() noexcept;

  run_state& run_;
  router& router_;
  core_sender& core_sender_;
  admission& admission_;
};

}  // namespace tact::actors
