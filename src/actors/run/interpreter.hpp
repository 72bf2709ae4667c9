// Runs one message after another: finds the actor's behaviour, calls its handler, and has the run committed.
#pragma once

#include "actors/common/names.hpp"
#include "actors/run/committer.hpp"
#include "actors/run/parker.hpp"
#include "actors/run/rehearser.hpp"
#include "actors/staging/run_state.hpp"

namespace tact::actors {

// Most messages are run where they are (dispatch). The others go through dispatch_other: they are for actors that have
// ended, wait, are at home elsewhere or are one-shots, or they are orders of the core, or they collided before.
// Invariant: no handler of an exclusive actor is run but by the holder of its home shard; a message is run, forwarded,
// put aside or buried exactly once.
// Thread safety: the thread of the run only.
class interpreter {
 public:
  interpreter(run_state& r, committer& c, const committer::parts& p, parker& waits, rehearser& twice, bool rehearses);

  // Runs messages until the chunk that is read is at its end, or until it is time to look up. True: the latter.
  [[nodiscard]] bool run_some(mailbox::copy_queue& from);
  // Runs the effects of the message that was run last, and theirs.
  void run_effects();
  // The behaviours of this engine do not fit into a cache: they are fetched before they are needed.
  void fetch_behaviors(bool whether) noexcept { fetches_behaviors_ = whether; }

 private:
  // `Observed`, here and below: the run is observed by a simulation, a record of steps, or a rehearsal, which runs
  // handlers of transactional actors twice. `Plain`: the envelope says that it is plain. `run` is run_, which the
  // compiler can keep in a register only if it is handed on.
  template <bool Observed>
  [[nodiscard]] bool run_chunk(mailbox::copy_queue& from);
  [[nodiscard]] bool run_observed(mailbox::copy_queue& from);
  // Runs the first message of the queue, and tells what becomes of it to a simulation, and to a record of steps.
  [[nodiscard]] bool run_told(mailbox::copy_queue& from, detail::trace_track* to);
  [[nodiscard]] detail::trace_track* track() noexcept;
  // What is to be done while only samples are told. If it is a sample, the track knows.
  [[nodiscard]] sampling::next next_of_samples(detail::trace_track& to) noexcept;
  // Runs the first message of the queue, without a look at it.
  [[nodiscard]] bool run_one(mailbox::copy_queue& from);
  // Says to the simulation, if there is one, what becomes of a message.
  template <class F>
  void observe(mailbox::envelope& e, F dispatches);
  // Records what becomes of a message.
  template <class F>
  void trace(detail::trace_track& to, mailbox::envelope& e, F dispatches);
  // Runs a message; returns where the next one begins.
  template <bool Observed>
  [[nodiscard]] mailbox::envelope* dispatch_next(run_state& run, mailbox::envelope& e);
  template <bool Plain, bool Observed>
  [[nodiscard]] mailbox::envelope* dispatch(run_state& run, mailbox::envelope& e);
  template <bool Plain, bool Observed>
  void dispatch_at_home(mailbox::envelope& e, cell& c, cell::word_value seen);
  // Runs a message that cannot just be run where it is, or settles it otherwise.
  void dispatch_other(mailbox::envelope& e, cell& c);
  // Puts the message for which the token stands into its place. False: that message was dropped.
  [[nodiscard]] bool redeem(mailbox::envelope& token, cell& c);
  // True: no handler is to be run for the message now, and it was dropped, or kept for later.
  [[nodiscard]] bool dispatch_without_run(mailbox::envelope& e, cell& c, cell::word_value seen);
  // Runs the message of an actor that is there, by what its word said.
  [[nodiscard]] run_outcome dispatch_seen(mailbox::envelope& e, cell& c, cell::word_value seen);
  // Runs the message once more after a collision, or forwards it.
  void run_again(mailbox::envelope& e, cell& c, run_outcome o);
  // Decides about a message that is not simply run where it is: one for a one-shot, or one that belongs home.
  [[nodiscard]] run_outcome divert(mailbox::envelope& e, cell& c, cell::word_value seen);
  void run_once(mailbox::envelope& e, cell& c, closure& b);

  // The laden message has come to its handler.
  void unload(mailbox::envelope& e, const behavior_type& at) noexcept;
  // Calls the handler. False: it threw an exception, and the failure has been dealt with.
  template <bool Plain, class Handler>
  [[nodiscard]] bool call(run_state& run, mailbox::envelope& e, cell& c, closure& b, Handler handler);
  template <bool Plain, bool Observed>
  [[nodiscard]] bool call_behavior(run_state& run, mailbox::envelope& e, cell& c, closure& b);
  [[nodiscard]] bool call_twice(mailbox::envelope& e, cell& c, closure& b, entry handler);
  // Calls the handler of a failure notice, of a pill or of an own answer. False: nothing more has to be done for the
  // message.
  [[nodiscard]] bool call_special(mailbox::envelope& e, cell& c, closure& b);
  [[nodiscard]] bool call_own_answer(mailbox::envelope& e, cell& c, closure& b);
  [[nodiscard]] entry handler_of(const closure& b, const mailbox::envelope& e) const noexcept {
    return run_.simulation() == nullptr ? b.type->entries[index_of(e.target())] : &call_simulated;
  }
  [[nodiscard]] entry failure_handler_of(const closure& b) const noexcept {
    return run_.simulation() == nullptr ? b.type->on_failure : &call_simulated_failure;
  }
  static void call_simulated(closure& b, run& r, void* message);
  static void call_simulated_failure(closure& b, run& r, void* message);
  static void call_simulated_answer(closure& b, run& r, void* message);
  static void call_step(closure& b, run& r, void* message, entry handler);

  run_state& run_;
  committer& committer_;
  const committer::parts parts_;
  parker& parker_;
  rehearser& rehearser_;
  const bool rehearses_;
  bool fetches_behaviors_ = false;
};

}  // namespace tact::actors
