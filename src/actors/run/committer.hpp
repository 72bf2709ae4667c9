// How a run ends: its commit, a collision, an abort, or the failure of its handler. docs/protocols/commit.md.
#pragma once

#include <utility>

#include "actors/common/names.hpp"
#include "actors/failure/reports.hpp"
#include "actors/life/creations.hpp"
#include "actors/life/idle_watch.hpp"
#include "actors/life/lifecycle.hpp"
#include "actors/life/restarter.hpp"
#include "actors/run/homing.hpp"
#include "actors/run/run_timers.hpp"
#include "actors/sending/admission.hpp"
#include "actors/sending/core_sender.hpp"
#include "actors/sending/late_sends.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/lane_front.hpp"
#include "actors/staging/reclaimer.hpp"
#include "actors/staging/run_state.hpp"

namespace tact::actors {

// Invariant: what a run has staged is published only after its commit, and an abort leaves nothing of it. The become
// or the end takes effect by one compare-and-swap, or by a plain store where no other thread writes the actor's word.
// Thread safety: the thread of the run only.
class committer {
 public:
  // The parts of the transactor that carry out what was staged.
  struct parts {
    router& sends;
    creations& made;
    run_timers& timers;
    core_sender& notices;
    admission& limits;
    late_sends& leaving;
    reclaimer& frees;
    lifecycle& ends;
    homing& homes;
    restarter& restarts;
    lane_front& front;
    idle_tools idle;
  };
  committer(run_state& r, const parts& p, unsigned collisions_max, reports& reports) noexcept
      : run_(r), parts_(p), collisions_max_(collisions_max), reports_(reports) {}

  // -- staging
  static void stage_become(run_state& run, closure& next);
  static void stage_stop(run_state& run, ending how) noexcept { run.journal().stop(how); }
  void stage_unchanged() noexcept;
  // Stages that the handled message moves on to `to`. Throws usage_error when `message` is not that message, or was
  // passed on before.
  void pass_on(port to, const void* message, const detail::type_key& type);
  [[nodiscard]] bool passes_on() const noexcept { return passed_on_ != nullptr; }
  // Throws away what was staged so far; the handler goes on.
  void discard() noexcept;

  // -- the end of a run
  // Records, where steps are, what the run of the actor `self` changes when it commits.
  void note_changes(port self) const noexcept;
  // Commits the run of a message. `seen`: the actor's word when the run began. `run` is the run of this committer,
  // which its callers have in a register.
  [[nodiscard]] run_outcome conclude(run_state& run, mailbox::envelope& e, cell& c, cell::word_value seen) {
    const bool is_short = run.journal().only_becomes() && run.is_sole_writer(seen);
    return is_short ? conclude_become(run, e, c, seen) : conclude_all(run, e, c, seen);
  }
  // Commits a run that changes no actor: of a one-shot, or of a handler that has waited.
  void conclude_rest(mailbox::envelope& e);
  // Commits a run of an actor that is at home elsewhere. If the run has changed the actor, it is thrown away.
  [[nodiscard]] run_outcome conclude_away(mailbox::envelope& e, cell& c);
  // Commits what was staged up to now, while the handler goes on. REQUIRES: no become and no end was staged.
  void commit_segment();
  enum class created_actors : unsigned char { unseen, installed };  // other threads may see those that are installed
  // Throws away all that was staged.
  void abort(created_actors are = created_actors::unseen) noexcept;
  // The handler has thrown the exception that is being handled: reports it, and tells the customer.
  void fail(mailbox::envelope& e, cell& c, const behavior_type& type) noexcept;

 private:
  // The way of a run that has staged nothing but a become, besides sends to its lane, and cannot collide.
  run_outcome conclude_become(run_state& run, mailbox::envelope& e, cell& c, cell::word_value seen);
  [[nodiscard]] run_outcome conclude_all(run_state& run, mailbox::envelope& e, cell& c, cell::word_value seen);
  [[nodiscard]] run_outcome conclude_end_of_permanent(mailbox::envelope& e, cell& c);
  [[nodiscard]] bool change(run_state& run, mailbox::envelope& e, cell& c, cell::word_value seen) noexcept;
  // Reports the failure, and does to the actor what its rule says.
  [[nodiscard]] failure_verdict judge(mailbox::envelope& e, cell& c, const behavior_type& type,
                                      const caught& thrown) noexcept;
  void tell_customer(mailbox::envelope& e, caught&& thrown) noexcept;
  [[nodiscard]] run_outcome collided(mailbox::envelope& e, cell& c);
  void count_collision(mailbox::envelope& e, cell& c) noexcept;
  void commit_rest(run_state& run);
  void commit_rare() noexcept;

  run_state& run_;
  const parts parts_;
  const unsigned collisions_max_;
  reports& reports_;
  mailbox::envelope* passed_on_ = nullptr;  // the envelope that gets the payload of the handled message at the commit
};

}  // namespace tact::actors
