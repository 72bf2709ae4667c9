#include "actors/time/timers.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "actors/common/this_thread.hpp"
#include "actors/common/visit.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/drop_report.hpp"
#include "actors/failure/failure_notices.hpp"
#include "base/prefetch.hpp"
#include "base/reserve.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

namespace {

constexpr std::int64_t never = due_time::never;

std::int64_t ns_of(sync::time_point t) noexcept { return std::chrono::nanoseconds(t.time_since_epoch()).count(); }

// The time of the calendar, by which users may say when a timer is due. In a simulation it begins with the clock.
std::int64_t system_ns(sync::time_point now) noexcept {
  if (sync::system::current() != nullptr) return ns_of(now);
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Periods that were missed are left out.
std::int64_t next_due(std::int64_t due, std::int64_t period, std::int64_t now) noexcept {
  const std::int64_t missed = std::max<std::int64_t>(now - due, 0) / period;
  return detail::sum_ns(due + missed * period, period);
}

void relocate(const message_type& type, void* from, void* to) noexcept {
  type.relocate != nullptr ? type.relocate(from, to) : void(std::memcpy(to, from, type.payload_bytes));
}

// The message of a timer on its way out. It lies here so that user code, when it runs, cannot reach the timer any more.
struct outgoing {
  alignas(detail::inline_align_max) std::byte payload[detail::inline_bytes_max];
};

}  // namespace

// -- setting

std::int64_t timers::due_ns(const due_time& when, sync::time_point now) noexcept {
  std::int64_t due = when.ns;
  if (due == never) return never;
  if (when.since == due_time::from::setting) due = detail::sum_ns(ns_of(now), when.ns);
  if (when.since == due_time::from::system) due = detail::sum_ns(when.ns, ns_of(now) - system_ns(now));
  return std::max<std::int64_t>(due, 0);
}

void timers::start() {
  if (started_.load()) return;
  const std::lock_guard lock(start_lock_);
  if (started_.load() || ended_) return;
  thread_.start("timers", [this] { serve(); });
  started_.exchange(true);
}

void timers::set(timer_record& first, timer_record& last, std::int64_t earliest_ns, wake_when when) noexcept {
  if (inbox_.put(first, last, earliest_ns, when)) return;
  last.next = nullptr;
  drop_all(&first);
}

bool timers::rest() noexcept {
  {
    const sync::locked lock(outside_lock_);
    outside_.trim();
  }
  return store_.rest();
}

timer_record& timers::take_outside() {
  const sync::locked lock(outside_lock_);
  return outside_.take();
}

void timers::give_outside(timer_record& r) noexcept {
  const sync::locked lock(outside_lock_);
  outside_.give(r);
}

void timers::set_outside(timer_record& r) noexcept {
  tally_.set_outside.fetch_add(1);
  const bool is_time = set_in_a_row_.fetch_add(1) % set_without_a_look == 0;
  set(r, r, r.due_ns, is_time ? wake_when::always : wake_when::due_earlier);
}

timer_id timers::send_later(port to, const message_type& type, void* payload, const due_time& when,
                            const detail::timer_again* again) {
  const detail::timer_extra* kept = nullptr;
  timer_record* r;
  try {
    start();
    kept = detail::timer_extra::make(again, detail::current_context());
    r = &take_outside();
  } catch (...) {
    detail::timer_extra::end(kept);
    if (type.destroy != nullptr) type.destroy(payload, false);
    throw;
  }
  r->to = to;
  r->type = &type;
  r->extra = kept;
  r->due_ns = due_ns(when, sync::clock::now());
  relocate(type, payload, r->payload);
  const timer_id made{r, r->word.begin()};
  set_outside(*r);
  return made;
}

// -- cancelling

void timers::end_message(timer_record& r) noexcept {
  if (r.type->destroy != nullptr) r.type->destroy(r.payload, true);
  detail::timer_extra::end(r.extra);
}

void timers::end_unset(timer_record& r) noexcept {
  if (r.type->destroy != nullptr) r.type->destroy(r.payload, false);
  detail::timer_extra::end(r.extra);
}

bool timers::cancel_outside(timer_id id, while_leaving how) noexcept {
  const auto end = [this](timer_record& r) {
    tally_.cancelled_outside.fetch_add(1);
    if (const port customer = customer_of(r)) burial_.tell_unserved(customer, cancelled_notice());
    end_message(r);
  };
  return cancel(id, how, end, [this](timer_record& r) { give_outside(r); });
}

port timers::cancel_ask(timer_id id) noexcept {
  port customer = 0;
  const auto end = [&](timer_record& r) {
    tally_.cancelled_outside.fetch_add(1);
    customer = r.to;
    end_message(r);
  };
  const bool done = cancel(id, while_leaving::goes_on, end, [this](timer_record& r) { give_outside(r); });
  return done ? customer : 0;
}

port timers::customer_of(timer_record& r) noexcept {
  if (r.repeats() || r.type->customer == nullptr) return 0;
  return r.type->customer(r.message());
}

failure timers::cancelled_notice() {
  return notice_of(failure_reason::unanswered, "the timer that was to send the request has been cancelled");
}

// When many timers have been cancelled, the service is woken to throw out their entries.
void timers::note_stale() noexcept {
  if (stale_.fetch_add(1) + 1 >= stale_max_.load()) inbox_.wake();
}

// -- the service

void timers::serve() noexcept {
  const base::may_use_reserve sure;
  const bool is_simulated = sync::director::current() != nullptr;
  sync::thread_state::of_this_thread().never_waits = true;
  const visiting inside(identity_);
  announcements_.emplace(workers_.waker());
  if (!is_simulated) seating_.sit_nowhere();
  sync::thread::prefer_short_turns();
  const std::int64_t spread = is_simulated ? 0 : spread_ns;
  while (!closing_.load()) {
    arm_new();
    const bool are_more_due = fire_due(ns_of(sync::clock::now()));
    announcements_->tell();
    if (next_.is_asked()) next_.answer([this] { return find_next(); });
    if (are_more_due || wheel_.prepare()) continue;
    throw_out_stale();
    std::int64_t earliest = wheel_.next_ns();
    if (unarmed_ != nullptr) earliest = std::min(earliest, ns_of(sync::clock::now()) + retry_ns);
    inbox_.sleep(earliest, std::max(earliest, last_round_ns_ + spread),
                 [this] { return closing_.load() || next_.is_asked() || stale_.load() >= stale_max_.load(); });
  }
  workers_.look_whether_left_behind("what a timer called returns after a fork");
}

void timers::arm_new() noexcept {
  do arm(std::exchange(unarmed_, nullptr));
  while (unarmed_ == nullptr && (unarmed_ = inbox_.take()) != nullptr);
}

// The timers for which the wheel has no room now are left in unarmed_: while memory is short timers are late.
void timers::arm(timer_record* waiting) noexcept {
  for (timer_record* r = waiting; r != nullptr;) {
    if (!has_room(r->due_ns)) {
      unarmed_ = r;
      return;
    }
    timer_record* const next = r->next;
    if (next != nullptr) base::prefetch_to_write(next);
    const std::uint64_t key = r->word.key_of_held();
    // Once it is armed, the timer may be cancelled, and its record freed.
    const std::int64_t due = r->due_ns;
    if (r->word.arm(key)) {
      wheel_.add(due, *r, key);
    } else if (r->word.leave(key)) {
      r->word.end(key);
      spare_.give(*r);
    }
    r = next;
  }
}

bool timers::has_room(std::int64_t due_ns) noexcept {
  try {
    const base::may_not_use_reserve refused_as_usual;
    wheel_.make_room(due_ns);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// False: no more timers are due.
bool timers::fire_due(std::int64_t now) noexcept {
  for (unsigned n = 0; n < fired_in_a_row; ++n) {
    if (wheel_.divides_next()) announcements_->tell();
    const timer_wheel::entry* due = wheel_.due_by(now);
    if (due == nullptr) return false;
    if (const timer_wheel::entry* ahead = wheel_.ahead()) {
      base::prefetch_to_write(ahead->record);
      base::prefetch_to_write(ahead->record->payload);
    }
    const timer_wheel::entry e = *due;
    wheel_.pop();
    last_round_ns_ = now;
    fire(e, now);
  }
  return true;
}

void timers::fire(const timer_wheel::entry& e, std::int64_t now) noexcept {
  timer_record& r = *e.record;
  if (!r.word.begin_fire(e.key)) {
    stale_.fetch_sub(1);
    return;
  }
  if (r.extra == nullptr) return fire_once(e);
  // The code of users runs next: the copy of a message, the end of a context.
  announcements_->tell();
  // The record may be freed before the message is, so the context is held here as well.
  const detail::context_node* const context = detail::hold(r.extra->context);
  {
    const detail::context_scope in(context);
    sync::thread_state::of_this_thread().recorded = r.extra->recorded;
    r.repeats() ? fire_again(e, now) : fire_once(e);
    sync::thread_state::of_this_thread().recorded = 0;
  }
  announcements_->tell();
  detail::release(context);
}

void timers::fire_once(const timer_wheel::entry& e) noexcept {
  timer_record& r = *e.record;
  const port to = or_nobody(r.to);
  const message_type& type = *r.type;
  auto& announces = sync::thread_state::of_this_thread().announcements;
  // In a mailbox with a limit or an order something may be dropped, which is user's code.
  if (limits_.need_look(mailbox::route_of(to))) {
    announcements_->tell();
  } else {
    announces = &*announcements_;
  }
  const auto how = intake_.receive_timed(to, type, r.payload);
  announces = nullptr;
  outgoing left;
  if (how != reception::taken) relocate(type, r.payload, left.payload);
  detail::timer_extra::end(r.extra);
  tally_.fired.add(1);
  tally_.over.add(1);
  r.word.end(e.key);
  spare_.give(r);
  if (how == reception::taken) return;
  announcements_->tell();
  intake_.bury_timed(how, to, type, left.payload);
}

// Sends a copy of the message. If it cannot be copied now it is not sent, and the timer goes on all the same. The timer
// ends with its actor.
void timers::fire_again(const timer_wheel::entry& e, std::int64_t now) noexcept {
  timer_record& r = *e.record;
  const port to = or_nobody(r.to);
  const message_type& type = *r.type;
  const std::int64_t next = next_due(e.due_ns, r.extra->again.period_ns, now);
  auto how = reception::taken;
  outgoing copy;
  bool is_copied = true;
  try {
    r.extra->again.copy(r.message(), copy.payload);
  } catch (...) {
    is_copied = false;
  }
  if (is_copied) how = intake_.receive_timed(to, type, copy.payload);
  tally_.fired.add(is_copied);
  const bool goes_on = how != reception::nowhere && how != reception::refused;
  if (goes_on && r.word.rearm(e.key)) {
    wheel_.add(next, r, e.key);
  } else {
    (goes_on ? tally_.stopped : tally_.over).add(1);
    end_message(r);
    r.word.end(e.key);
    spare_.give(r);
  }
  if (how != reception::taken) intake_.bury_timed(how, to, type, copy.payload);
}

void timers::throw_out_stale() noexcept {
  if (stale_.load() >= stale_max_.load()) {
    const auto gone = wheel_.remove_if([](const auto& e) { return !e.record->word.may_fire(e.key); });
    stale_.fetch_sub(static_cast<std::int64_t>(gone));
  }
  stale_max_.store(std::max(stale_min, static_cast<std::int64_t>(wheel_.size() / 2)));
}

// -- looking

std::optional<next_timers::list> timers::read_next(sync::deadline until) noexcept {
  if (sync::thread_state::of_this_thread().never_waits || workers_.is_left_behind()) return {};
  if (!started_.load() || closing_.load()) return next_timers::list{};
  const std::uint64_t number = next_.ask();
  inbox_.wake();
  const auto found = next_.wait(number, until, [this] { return closing_.load(); });
  return !found && closing_.load() ? next_timers::list{} : found;
}

// Of the entries only those that come into question are looked up in their records, because many may be stale.
next_timers::list timers::find_next() noexcept {
  std::array<timer_wheel::entry, structure::timers_most> first;
  std::size_t count = 0;
  const auto is_earlier = [](const timer_wheel::entry& a, const timer_wheel::entry& b) {
    return a.due_ns != b.due_ns ? a.due_ns < b.due_ns : a.arrival < b.arrival;
  };
  const auto add = [&](const timer_wheel::entry& e) {
    if (count == first.size() && !is_earlier(e, first.back())) return;
    if (e.due_ns == never || !e.record->word.may_fire(e.key)) return;
    count = std::min(count + 1, first.size());
    std::size_t at = count - 1;
    for (; at != 0 && is_earlier(e, first[at - 1]); --at) first[at] = first[at - 1];
    first[at] = e;
  };
  wheel_.for_each_early(add, [&] { return count == first.size(); });
  next_timers::list found;
  for (std::size_t i = 0; i != count; ++i) found.count += read(first[i], found.all[found.count]);
  return found;
}

// The record waits meanwhile, so that a thread that cancels leaves it to this one.
bool timers::read(const timer_wheel::entry& e, next_timers::timer& to) noexcept {
  timer_record& r = *e.record;
  if (!r.word.disarm(e.key)) return false;
  to = {e.due_ns, r.to, r.type};
  if (r.word.arm(e.key)) return true;
  stale_.fetch_add(1);
  if (r.word.leave(e.key)) {
    r.word.end(e.key);
    spare_.give(r);
  }
  return false;
}

// -- the end

void timers::close() noexcept {
  closing_.exchange(true);
  inbox_.wake();
  next_.wake_all();
}

void timers::end(drop_report* told) noexcept {
  {
    const std::lock_guard lock(start_lock_);
    ended_ = true;
  }
  close();
  thread_.join();
  drop_all(std::exchange(unarmed_, nullptr), told);
  drop_all(inbox_.close(), told);
  static_cast<void>(wheel_.remove_if([=, this](const auto& e) {
    if (e.record->word.drop(e.key)) drop(*e.record, told);
    return true;
  }));
}

// REQUIRES: no worker runs, or the timers come from a thread outside that has brought them too late.
void timers::drop_all(timer_record* waiting, drop_report* told) noexcept {
  while (waiting != nullptr) {
    timer_record& r = *std::exchange(waiting, waiting->next);
    const std::uint64_t key = r.word.key_of_held();
    if (r.word.withdraw(key)) {
      drop(r, told);
    } else if (r.word.leave(key)) {
      r.word.end(key);
      give_outside(r);
    }
  }
}

void timers::drop(timer_record& r, drop_report* told) noexcept {
  tally_.dropped.fetch_add(1);
  // A timer that repeats has no last message; the timer of an ask's time limit ends with the ask; and that of an own
  // word or an order was set by the library.
  const port to = or_nobody(r.to);
  const bool is_users =
      !r.repeats() && !cell_of(to).where().is_one_shot() && is_current(to) && !is_own_word(to) && !is_order(*r.type);
  if (told != nullptr && is_users) told->add_timed(r.to, *r.type);
  if (const port customer = customer_of(r)) burial_.tell_unserved(customer, notice_of(failure_reason::engine_ended));
  end_message(r);
  give_outside(r);
}

}  // namespace tact::actors
