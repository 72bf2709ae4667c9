// How actors end, by their own handler or from elsewhere, and how their watchers, scopes and owners take part in it.
// docs/protocols/lifetime.md.
#pragma once

#include <string>

#include "actors/cells/closures.hpp"
#include "actors/common/names.hpp"
#include "actors/sending/admission.hpp"
#include "actors/sending/core_sender.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/reclaimer.hpp"
#include "actors/staging/run_state.hpp"
#include "base/block_queue.hpp"

namespace tact::actors {

// Invariant: an actor ends once. Whoever changes its word to ended, by end_home or by try_end, also ends the closure,
// tells the watchers, and gives the cell up.
// Thread safety: the thread of the run only.
class lifecycle {
 public:
  lifecycle(run_state& r, router& to, core_sender& n, admission& a, reclaimer& f) noexcept
      : run_(r), router_(to), core_sender_(n), admission_(a), reclaimer_(f) {}

  // Ends an actor whose word says ended already, so its closure is this run's to end. `what`: the text of the exception
  // by which the actor failed, or the reason that a pill gave; null if there is neither. `run` is the run of this
  // object.
  void end_actor(run_state& run, cell& c, closure& last, ending how, const std::string* what = nullptr) noexcept {
    c.next_generation();
    ++run.counts().now.ended;
    // Only the holder ever saw the state of an exclusive actor; that of a parallel one may still be in use by other
    // workers.
    c.where().is_exclusive() ? end_closure(last, how.how) : reclaimer_.retire(run, last);
    run.workers().homes().home_is_left(c.where().shard());
    if (c.has_metadata() || gives_reason(how, what)) [[unlikely]]
      return bid_farewell(c, how, what);
    reclaimer_.retire(run, c);
  }
  // Ends an actor that this thread does not run now, or has it ended by the worker that holds its home.
  // REQUIRES: no run is going on.
  void end_from_elsewhere(cell& c, port at, ending how, const std::string* what) noexcept;
  // Ends an actor that was installed for a moment by a run that then collided.
  void end_installed(cell& c, port at) noexcept;

  // Carries out the order to watch.
  [[nodiscard]] run_outcome watch(mailbox::envelope& e, cell& c, cell::word_value seen);
  // Carries out the order to forget a watcher. Any thread may, in whatever state the actor is.
  void forget(mailbox::envelope& e, cell& c) noexcept;

  // The last owner of an actor has gone: the order to end it is sent after the run that goes on, or at once if no lane
  // is run. False: the caller has to send the order.
  [[nodiscard]] bool end_later(port p) noexcept;
  // Sends the orders that were put off, behind all that the runs before have sent, whether these have committed or not.
  void end_owned() noexcept {
    if (!without_owner_.empty()) [[unlikely]]
      order_ends();
  }

 private:
  // True: a pill ends the actor, and says why. That is remembered, so the actor gets metadata.
  [[nodiscard]] static bool gives_reason(ending how, const std::string* what) noexcept {
    return what != nullptr && how.why == end_reason::stopped;
  }
  void bid_farewell(cell& c, ending how, const std::string* what) noexcept;
  void order_ends() noexcept;

  run_state& run_;
  router& router_;
  core_sender& core_sender_;
  admission& admission_;
  reclaimer& reclaimer_;
  base::block_queue<port> without_owner_;
};

}  // namespace tact::actors
