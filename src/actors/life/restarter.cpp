#include "actors/life/restarter.hpp"

#include <new>
#include <string>
#include <utility>

#include "actors/cells/closures.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_texts.hpp"
#include "actors/failure/verdicts.hpp"

namespace tact::actors {

using mailbox::envelope;

namespace {

// What an exclusive actor is between two closures.
constexpr behavior_type nothing_type{
    .entries = nullptr,
    .entry_count = 0,
    .on_failure = nullptr,
    .destroy = nullptr,
    .kind = actor_kind::transactional,
    .name = "an actor that restarts",
    .message_names = nullptr,
};
constinit closure nothing{&nothing_type};

constexpr auto no_maker =
    " (its rule says restart, but there is nothing to make it of anew: create it by tact::restarting, or spawn it with "
    "tact::restartable)";

std::shared_ptr<maker> maker_of(port self) noexcept {
  const auto about = particulars_of(self);
  return about == nullptr ? nullptr : about->restart.again;
}

}  // namespace

failure_verdict restarter::decide(port self, const behavior_type& type, failure_report& report) noexcept {
  failure_verdict v = actors::decide(self, type.kind, options_, report);
  send_orders();  // they are to come before anything that this actor sends from now on
  if (v.policy == failure_policy::restart && maker_of(self) == nullptr) {
    v = failure_policy::end;
    try {
      report.what += no_maker;
    } catch (const std::bad_alloc&) {
      // Without memory the report does not say why the actor ends.
    }
  }
  if (v.policy == failure_policy::end || report.attempts >= envelope::attempts_max) v.again = false;
  report.actor_ends = v.policy == failure_policy::end;
  report.restarts = v.policy == failure_policy::restart;
  return v;
}

void restarter::recover(envelope& e, cell& c, port self, const failure_verdict& v) noexcept {
  if (v.again) {
    e.add_attempt();
    ++run_.counts().now.retried;
  }
  if (v.policy == failure_policy::restart || v.after.count() > 0) restart(c, self, v);
  if (!v.again) return;
  const auto now = c.word.load();
  is_current(self) && resting::is_behind(now) ? keep_in(resting::behind(now).put_aside, e) : put_in_front(e);
}

void restarter::keep_in(mailbox::copy_queue& queue, envelope& e) noexcept {
  e.relocate(queue.reserve(e.slots(), run_.worker().chunks()));
}

void restarter::put_in_front(envelope& e) noexcept {
  mailbox::copy_queue one;
  keep_in(one, e);
  front_.begin_with_own(one);
}

// -- a restart

void restarter::restart(cell& c, port self, const failure_verdict& v) noexcept {
  if (!c.where().is_exclusive()) {  // it does not rest
    if (v.policy != failure_policy::restart) return;
    if (v.after.count() <= 0 || !set_alarm(self, v.after.count(), 0)) replace_parallel(c, self);
    return;
  }
  const auto was = c.word.load();
  const bool anew = v.policy == failure_policy::restart;
  if (v.after.count() > 0 && begin_rest(c, self, was, v)) {
    if (anew) reclaimer_.end_replaced(run_, c, was);
    return;
  }
  if (!anew) return;
  c.word.replace(was, &nothing);
  reclaimer_.end_replaced(run_, c, was);
  make_anew(c, self, was);
}

closure* restarter::make(port self, caught& thrown) noexcept {
  const std::shared_ptr<maker> again = maker_of(self);
  const this_thread::callback outside;
  try {
    if (closure* const made = again->make()) return made;
    thrown.what = "the function given to tact::restarting has returned an empty behaviour";
  } catch (...) {
    thrown = describe_exception();
  }
  return nullptr;
}

// The rule is asked once more. An actor that is to be made anew at once, when that has just failed, ends.
failure_verdict restarter::fail_to_make(port self, const behavior_type& type, const caught& thrown) noexcept {
  failure_report report = report_of(thrown, self, type.name, "its restart");
  report.attempts = 0;
  failure_verdict v = decide(self, type, report);
  if (v.policy != failure_policy::restart || v.after.count() <= 0) v = failure_policy::end;
  report.actor_ends = v.policy == failure_policy::end;
  report.restarts = !report.actor_ends;
  reports_.failed(report);
  return v;
}

// REQUIRES: the actor is exclusive, and its last closure is gone.
void restarter::make_anew(cell& c, port self, cell::word_value was) noexcept {
  caught thrown;
  if (closure* const fresh = make(self, thrown)) {
    note_restart(c);
    c.word.replace(was, fresh);
    has_restarted(c, self);
    return;
  }
  const failure_verdict v = fail_to_make(self, *c.type(), thrown);
  if (v.policy == failure_policy::restart && begin_rest(c, self, was, v)) return;
  c.word.end_home(mark_of(c, end_reason::failed));
  lifecycle_.end_actor(run_, c, nothing, {allocation::finished, end_reason::failed}, &thrown.what);
}

// Other runs may commit meanwhile; what they have become is replaced as well.
void restarter::replace_parallel(cell& c, port self) noexcept {
  closure* const fresh = make_or_give_up(c, self);
  if (fresh == nullptr) return;
  for (;;) {
    const auto seen = c.word.load();
    const bool is_gone = seen.is_ended() || !is_current(self);
    if (is_gone || (seen.is_home() && !run_.is_home(c))) {
      end_closure(*fresh, allocation::finished);
      return is_gone ? void() : send_home(c, self);
    }
    if (run_.is_sole_writer(seen)) {
      c.word.replace(seen, fresh);
    } else if (!c.word.commit(seen, fresh)) {
      continue;
    }
    note_restart(c);
    reclaimer_.end_replaced(run_, c, seen);
    has_restarted(c, self);
    return;
  }
}

void restarter::has_restarted(const cell& c, port self) noexcept {
  ++run_.counts().now.restarted;
  if (detail::trace_track* const to = run_.watched().tracer())
    to->write({.step = detail::trace_step::restarted, .actor = self, .actor_type = c.type()});
}

closure* restarter::make_or_give_up(cell& c, port self) noexcept {
  caught thrown;
  closure* const fresh = make(self, thrown);
  if (fresh != nullptr) return fresh;
  const failure_verdict v = fail_to_make(self, *c.type(), thrown);
  const bool tries_again = v.policy == failure_policy::restart && set_alarm(self, v.after.count(), 0);
  if (!tries_again) {
    lifecycle_.end_from_elsewhere(c, self, {allocation::finished, end_reason::failed}, &thrown.what);
  }
  return nullptr;
}

// The actor is at home, but its home is not held here: the holder of that shard restarts it.
void restarter::send_home(cell& c, port self) noexcept {
  const auto slots = restart_message.slot_count();
  void* const place = run_.journal().to_outbox(run_.workers().mail().outbox_for(c.where().shard()), slots);
  new ((new (place) envelope(restart_message, self))->payload()) restart_order{0, 0};
}

// -- an actor that ends by itself

bool restarter::is_permanent(const cell& c, port self, ending how) noexcept {
  if (!c.has_metadata() || (how.why != end_reason::stopped && how.why != end_reason::became_nothing)) return false;
  const auto about = particulars_of(self);
  return about != nullptr && about->restart.kind == child_kind::permanent;
}

void restarter::end_or_restart(cell& c, port self, ending how) noexcept {
  failure_report report = report_of({}, self, c.type()->name, "its end");
  report.attempts = 0;
  try {
    report.what = "it has stopped, and is permanent";
  } catch (const std::bad_alloc&) {
    // The report has as much text as there was memory for.
  }
  const failure_verdict v = decide(self, *c.type(), report);
  if (v.policy == failure_policy::restart) {
    reports_.failed(report);
    restart(c, self, v);
  } else {
    lifecycle_.end_from_elsewhere(c, self, how, nullptr);
  }
  leaving_.conclude();
}

// -- orders

bool restarter::order_later(port to, std::int64_t after_ns) noexcept {
  const base::may_use_reserve sure;
  if (!run_.at().runs_lane() || !run_.lives_here(to)) return false;
  orders_.push_back({to, after_ns});
  return true;
}

void restarter::send_all_orders() noexcept {
  const base::may_use_reserve sure;
  for (; !orders_.empty(); orders_.pop_front()) {
    const later o = orders_.front();
    transactions::journal::begin(run_);
    ::new (router_.stage_for_core(o.to, restart_message)) restart_order{o.after_ns, 0};
    leaving_.conclude();
  }
}

run_outcome restarter::take_order(envelope& e, cell& c, cell::word_value seen) noexcept {
  // The holder of its home may be changing the actor.
  if (seen.is_home() && !run_.is_home(c)) return run_outcome::forward;
  const base::may_use_reserve sure;
  const auto order = *static_cast<const restart_order*>(e.message());
  const port self = e.target() & ~index_mask;
  transactions::journal::begin(run_);
  if (order.rest == 0 && maker_of(self) != nullptr)
    restart(c, self, {failure_policy::restart, std::chrono::nanoseconds(order.after_ns)});
  leaving_.conclude();
  run_.finish<false>(e);
  return run_outcome::done;
}

// -- rests

// False: there is no memory for a rest, or no timer that ends it.
bool restarter::begin_rest(cell& c, port self, cell::word_value was, const failure_verdict& v) noexcept {
  const bool anew = v.policy == failure_policy::restart;
  // Workers number their rests independently, and no two rests of one actor have the same number.
  const std::uint64_t number = ++rests_ * 65'536 + run_.worker().index() % 65'536;
  resting* r = nullptr;
  try {
    r = new (allocate_block(sizeof(resting))) resting(was, anew, number);
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (!set_alarm(self, v.after.count(), number)) {
    static_cast<void>(r->end());
    return false;
  }
  c.word.wait(r);
  return true;
}

bool restarter::set_alarm(port self, std::int64_t after_ns, std::uint64_t rest) noexcept {
  const this_thread::callback outside;
  restart_order order{0, rest};
  try {
    const due_time when{due_time::from::setting, after_ns};
    static_cast<void>(timed_.send_later(self, restart_message, &order, when, nullptr));
    return true;
  } catch (...) {
    return false;
  }
}

void restarter::take_at_rest(envelope& e, cell& c, resting& r) noexcept {
  const base::may_use_reserve sure;
  if (e.is_special() && is_pill(e)) return end_at_rest(e, c, r);
  if (!is_restart_order(e)) return keep_in(r.put_aside, e);
  const std::uint64_t rest = static_cast<const restart_order*>(e.message())->rest;
  transactions::journal::begin(run_);
  if (rest == r.number) {
    end_rest(c, e.target() & ~index_mask, r);
  } else if (rest == 0 && !r.makes_anew && maker_of(e.target() & ~index_mask) != nullptr) {
    // It would have gone on as it was. The order finds it at rest, so it is made anew when that is over.
    r.makes_anew = true;
    reclaimer_.end_replaced(run_, c, r.was);
  }
  leaving_.conclude();
  run_.finish<false>(e);
}

void restarter::put_back(resting& r) noexcept {
  if (!r.put_aside.empty()) front_.begin_with(r.put_aside);
}

void restarter::end_rest(cell& c, port self, resting& r) noexcept {
  put_back(r);
  const auto was = r.was;
  const bool anew = r.makes_anew;
  if (!anew) {
    c.word.go_on(was);
  } else {
    c.word.replace(was, &nothing);
    make_anew(c, self, was);
  }
  static_cast<void>(r.end());
}

// What waits is put back, and becomes dead letters.
void restarter::end_at_rest(envelope& pill, cell& c, resting& r) noexcept {
  transactions::journal::begin(run_);
  put_back(r);
  const ending how = ending_of_pill(pill);
  closure* const kept = r.end();
  c.word.end_home(mark_of(c, how.why));
  lifecycle_.end_actor(run_, c, kept == nullptr ? nothing : *kept, how, text_of_pill(pill));
  leaving_.conclude();
  run_.finish<false>(pill);
}

}  // namespace tact::actors
