#include "actors/run/committer.hpp"

#include <new>
#include <utility>

#include "actors/cells/actor_names.hpp"
#include "actors/cells/closures.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/failure/failure_texts.hpp"
#include "actors/failure/verdicts.hpp"
#include "actors/life/staged_idle.hpp"
#include "tact/detail/type_key.hpp"

namespace tact::actors {

using mailbox::envelope;

void committer::stage_become(run_state& run, closure& next) {
  if (run.at().resumed() != nullptr && !run.at().resumed()->is_exclusive()) [[unlikely]] {
    end_closure(next, allocation::finished);
    throw usage_error(
        "self.become: not behind a self.ask, because the actor has gone on meanwhile and may have become something "
        "else; let the answer come in a message, or create the actor without tact::parallel");
  }
  if (closure* replaced = run.journal().become(&next)) [[unlikely]] {
    staged_idle::follow_become(next, *replaced);
    end_closure(*replaced, allocation::delete_);
  }
}

void committer::stage_unchanged() noexcept {
  if (closure* withdrawn = run_.journal().withdraw_become()) end_closure(*withdrawn, allocation::finished);
  if (staged_idle* const idle = parts_.timers.staged_idle()) idle->stage_become_again();
}

// Stages a send whose envelope has no payload of its own: an abort cuts the envelope, and the message stays where it
// is. The message also keeps its own context, whatever the context of the run is.
void committer::pass_on(port to, const void* message, const type_key& type) {
  envelope& e = run_.at().message();
  // The address alone does not identify the message, because its first member has the same one.
  if (e.message() != message || e.type().key == nullptr || !same_type(*e.type().key, type)) {
    throw usage_error(
        "pass_on: this is not the message that is handled but a copy, or something else: let the handler take it by "
        "reference");
  }
  if (passed_on_ != nullptr) {
    throw usage_error("pass_on: the message goes on to another actor already; send a copy, or a ref to who keeps it");
  }
  to = or_nobody(to);
  passed_on_ = &e.promise(parts_.sends.place_for(to, e.slots()), to);
  run_.journal().note_other();
}

// Makes the become or the end take effect. False: the run has collided with another one.
inline bool committer::change(run_state& run, envelope& e, cell& c, cell::word_value seen) noexcept {
  closure& old = *seen.closure();
  if (run.journal().stops()) {
    const unsigned mark = mark_of(c, run.journal().how().why);
    if (run.is_sole_writer(seen)) {
      c.word.end_home(mark);
    } else if (!c.word.try_end(seen, mark)) {
      return false;
    }
    parts_.ends.end_actor(run, c, old, run.journal().how(), is_pill(e) ? text_of_pill(e) : nullptr);
  } else {
    if (run.is_sole_writer(seen)) {
      c.word.replace(seen, run.journal().next());
    } else if (!c.word.commit(seen, run.journal().next())) {
      return false;
    } else {
      parts_.homes.note_commit(c);
    }
    parts_.frees.end_replaced(run, c, seen);
  }
  return true;
}

run_outcome committer::conclude_become(run_state& run, envelope& e, cell& c, cell::word_value seen) {
  c.word.replace(seen, run.journal().next());
  run.journal().conclude_become();
  run.finish<false>(e);
  parts_.frees.end_replaced(run, c, seen);
  return run_outcome::done;
}

run_outcome committer::conclude_all(run_state& run, envelope& e, cell& c, cell::word_value seen) {
  if (run.journal().creates()) creations::install_all(run);
  if (run.journal().changes_actor()) {
    // A pill is an order to end, which actors of every kind obey; and its run is no run of a handler with a `self`.
    if (run.journal().stops() && c.has_metadata() && !is_pill(e) &&
        restarter::is_permanent(c, self_port(run), run.journal().how())) [[unlikely]]
      return conclude_end_of_permanent(e, c);
    if (!change(run, e, c, seen)) [[unlikely]]
      return collided(e, c);
  }
  commit_rest(run);
  run.finish<false>(e);
  return run_outcome::done;
}

// A parallel actor may be run by others between the commit and its restart, as they may before the commit.
[[gnu::noinline]] run_outcome committer::conclude_end_of_permanent(envelope& e, cell& c) {
  const port self = self_port(run_);
  const ending how = run_.journal().how();
  commit_rest(run_);
  parts_.restarts.end_or_restart(c, self, how);
  run_.finish<false>(e);
  return run_outcome::done;
}

inline void committer::commit_rest(run_state& run) {
  if (run.journal().has_rare()) [[unlikely]]
    commit_rare();
  run.journal().conclude();
  parts_.sends.flush_if_due();
}

void committer::note_changes(port self) const noexcept {
  detail::trace_track* const to = run_.watched().tracer();
  if (to == nullptr) return;
  using detail::trace_step;
  for (const auto& made : run_.journal().creations()) {
    // What is told the answer for which a handler waits is no actor to the user.
    if (made.behavior != nullptr && made.behavior->type->kind != actor_kind::waiter)
      to->write({.step = trace_step::created, .actor = made.address, .actor_type = made.behavior->type});
  }
  if (run_.journal().stops()) {
    to->write({.step = trace_step::stopped, .actor = self});
  } else if (const closure* const next = run_.journal().next()) {
    to->write({.step = trace_step::became, .actor = self, .actor_type = next->type});
  }
}

void committer::commit_segment() {
  if (run_.journal().creates()) creations::install_all(run_);
  commit_rest(run_);
}

void committer::conclude_rest(envelope& e) {
  commit_segment();
  run_.finish<false>(e);
}

// Ends a run of an actor that is at home, on a worker that does not hold that home.
run_outcome committer::conclude_away(envelope& e, cell& c) {
  if (run_.journal().changes_actor()) {
    abort();
    run_.conclude();
    c.stay.note_become(index_of(e.target()));
    count_collision(e, c);
    return run_outcome::forward;
  }
  parts_.homes.note_run_away(c);
  conclude_rest(e);
  return run_outcome::done;
}

void committer::count_collision(envelope& e, cell& c) noexcept {
  ++run_.counts().now.collisions;
  run_.counts().types.of(*c.type()).collisions.add(1);
  e.add_collision();
}

[[gnu::noinline]] run_outcome committer::collided(envelope& e, cell& c) {
  abort(created_actors::installed);
  run_.conclude();
  count_collision(e, c);
  if (e.collisions() < collisions_max_) return run_outcome::again;
  parts_.homes.go_home(c);
  return run_.is_home(c) ? run_outcome::again : run_outcome::forward;
}

[[gnu::noinline]] void committer::commit_rare() noexcept {
  const base::may_use_reserve sure;
  if (passed_on_ != nullptr) run_.at().message().hand_over(*std::exchange(passed_on_, nullptr));
  parts_.timers.commit();
  if (run_.debt().customer() != 0) parts_.notices.pay_debt();
  if (run_.watched().tracer() != nullptr && run_.debt().deferred() != 0)
    run_.watched().tracer()->defer(run_.debt().deferred());
  // The run has staged a become, and then an end, which replaces it.
  if (run_.journal().stops() && run_.journal().next() != nullptr)
    end_closure(*run_.journal().next(), allocation::delete_);
  parts_.made.commit_rare(parts_.limits, parts_.frees);
  run_.forget();
  parts_.leaving.send();
  if (!run_.journal().front().empty()) parts_.front.begin_with_own(run_.journal().front());
  if (!run_.journal().effects().empty()) run_.meter().pause_next();
}

void committer::abort(created_actors are) noexcept {
  const bool installed = are == created_actors::installed;
  const base::may_use_reserve sure;
  const this_thread::callback outside;
  if (run_.watched().tracer() != nullptr)
    run_.watched().tracer()->write({.step = detail::trace_step::undone, .actor = self_port(run_)});
  if (closure* next = run_.journal().next()) end_closure(*next, allocation::finished);
  run_.journal().cut();
  passed_on_ = nullptr;
  parts_.timers.abort();
  for (const auto& made : run_.journal().creations()) {
    cell& c = cell_of(made.address);
    if (installed && made.behavior != nullptr && !run_.workers().homes().waits_for_commit(c.where().shard())) {
      parts_.ends.end_installed(c, made.address);
      continue;
    }
    // No worker has run this actor: it was not installed, or it is a blocking one, whose thread waits for the commit.
    c.word.end_home();
    if (installed && made.behavior != nullptr) --run_.counts().now.created;
    if (made.behavior != nullptr) end_closure(*made.behavior, allocation::finished);
    if (c.has_metadata()) parts_.limits.tear_up(c);
    parts_.frees.give_up(c);
  }
  parts_.made.forget();
  run_.worker().end_row();
  parts_.leaving.send();
  run_.journal().conclude();
}

void committer::discard() noexcept {
  abort();
  run_.begin_again();
}

void committer::fail(envelope& e, cell& c, const behavior_type& type) noexcept {
  const base::may_use_reserve sure;
  caught thrown = describe_exception();
  abort();
  static_cast<void>(run_.debt().take());
  if (judge(e, c, type, thrown).again) return parts_.leaving.conclude();
  if (e.attempts() != 0) return parts_.leaving.drop(e, failure_reason::handler_threw, std::move(thrown.what));
  tell_customer(e, std::move(thrown));
  parts_.leaving.conclude();
  ++run_.counts().now.failed;
  end_message(e);
}

// A continuation, and a thread that asks, end by their failure. For another actor its rule decides.
failure_verdict committer::judge(envelope& e, cell& c, const behavior_type& type, const caught& thrown) noexcept {
  const port self = self_port(run_);
  const bool is_one_shot = type.kind == actor_kind::once || type.kind == actor_kind::asker;
  failure_report report = report_of(thrown, self, name_of(type, c.asked_by()), e.type().name);
  report.actor_ends = is_one_shot;
  report.attempts = e.attempts() + 1;
  report.handled = e.message();
  report.handled_type = e.type().key;
  failure_verdict verdict = failure_policy::end;
  if (!is_one_shot) verdict = parts_.restarts.decide(self, type, report);
  reports_.failed(report);
  if (!report.actor_ends) {
    parts_.restarts.recover(e, c, self, verdict);
  } else if (!is_one_shot) {
    parts_.ends.end_from_elsewhere(c, self, {allocation::finished, end_reason::failed}, &thrown.what);
  }
  return verdict;
}

void committer::tell_customer(envelope& e, caught&& thrown) noexcept {
  // If the request was answered before the handler waited, its customer needs no failure notice.
  const port owed = run_.debt().at_first();
  const bool is_answered = owed == 0 && run_.at().resumed() != nullptr;
  const port customer = owed != 0 ? owed : customer_of(e);
  if (customer == 0 || is_answered) return;
  parts_.notices.tell(customer, {failure_reason::handler_threw, std::move(thrown.what), std::move(thrown.causes)});
}

}  // namespace tact::actors
