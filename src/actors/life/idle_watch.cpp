#include "actors/life/idle_watch.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "actors/cells/closures.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/intake/burial.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/run_state.hpp"
#include "actors/staging/timer_setter.hpp"
#include "actors/time/revocation.hpp"
#include "actors/wait/lane_stack.hpp"
#include "base/reserve.hpp"
#include "sync/system.hpp"

namespace tact::actors {

struct idle_watch::order {
  std::uint64_t alarm;
  bool again;
};

constinit const message_type idle_look_message =
    message_type{
        .relocate = nullptr,
        .destroy = nullptr,
        .customer = nullptr,
        .name = "order to look whether it is idle",
        .payload_bytes = 16,
        .indirect = false,
        .role = message_type::idle_look,
    }
        .complete(false);

bool is_idle_look(const mailbox::envelope& e) noexcept { return &e.type() == &idle_look_message; }

namespace {

std::int64_t now_ns() noexcept { return std::chrono::nanoseconds(sync::clock::now().time_since_epoch()).count(); }

void relocate(const message_type& type, void* from, void* to) noexcept {
  type.relocate != nullptr ? type.relocate(from, to) : void(std::memcpy(to, from, type.payload_bytes));
}

// Own words of a part are no messages of the actor.
bool counts(const detail::behavior_type& real, unsigned index) noexcept { return (real.own_words >> index & 1) == 0; }

const watched_type& type_of(const closure& c) noexcept { return static_cast<const watched_type&>(*c.type); }

// A handler that has waited does not return to this frame, and what it throws is dealt with where that is caught: there
// end_behind_wait is called.
void call(closure& c, const watched_type& t, run& r, void* message, detail::entry handler) {
  idle_watch& watch = *t.watch;
  watch.begin();
  try {
    handler(t.inner == nullptr ? c : *t.inner, r, message);
    if (closure* const next = run_state::of(r).journal().next()) watch.watch_over(*next);
  } catch (...) {
    if (run_state::of(*this_thread::handler()).at().resumed() == nullptr) watch.end();
    throw;
  }
  watch.end();
}

void enter(closure& c, run& r, void* message) {
  const watched_type& t = type_of(c);
  const unsigned index = index_of(detail::handled_port(r));
  if (counts(*t.real, index)) return call(c, t, r, message, t.real->entries[index]);
  t.real->entries[index](t.inner == nullptr ? c : *t.inner, r, message);
  if (closure* const next = run_state::of(r).journal().next()) t.watch->watch_over(*next);
}

void enter_failure(closure& c, run& r, void* message) {
  const watched_type& t = type_of(c);
  call(c, t, r, message, t.real->on_failure);
}

void end_watched(closure& c, allocation how) noexcept {
  const watched_type& t = type_of(c);
  if (t.inner != nullptr) return static_cast<watched_behavior&>(c).give_up();
  idle_watch& watch = *t.watch;
  c.type = t.real;
  const bool is_classic = t.kind == detail::actor_kind::classic;
  end_closure(c, how);
  if (is_classic) watch.leave_list();
  watch.give_up();
}

constexpr std::array<detail::entry, detail::messages_max> make_entries() noexcept {
  std::array<detail::entry, detail::messages_max> all{};
  all.fill(&enter);
  return all;
}
constexpr std::array<detail::entry, detail::messages_max> watched_entries = make_entries();

}  // namespace

// -- types

watched_type::watched_type(idle_watch& w, const detail::behavior_type& its, closure* behind) noexcept
    : behavior_type(its), watch(&w), real(&its), inner(behind) {
  entries = watched_entries.data();
  if (on_failure != nullptr) on_failure = &enter_failure;
  destroy = &end_watched;
  plain_block = detail::large_block;
}

const watched_type* watched_type::of(const closure& c) noexcept {
  return c.type->destroy == &end_watched ? &type_of(c) : nullptr;
}

const detail::behavior_type& real_type(const closure& c) noexcept {
  const watched_type* const t = watched_type::of(c);
  return t == nullptr ? *c.type : *t->real;
}

watched_behavior::watched_behavior(idle_watch& w, closure& inner, pinned_closures& pins,
                                   std::unique_ptr<pinned_closures::entry>& spare) noexcept
    : own_(w, *inner.type, &inner), pins_(pins), pin_(pins.pin(inner, spare)) {
  type = &own_;
  w.share();
}

// -- the watch

idle_watch::~idle_watch() {
  disarm();
  while (types_ != nullptr) delete std::exchange(types_, types_->after);
}

void idle_watch::watch_over(closure& c) {
  if (watched_type::of(c) != nullptr) return;
  {
    const sync::locked lock(lock_);
    watched_type* fitting = types_;
    while (fitting != nullptr && fitting->real != c.type) fitting = fitting->after;
    if (fitting == nullptr) {
      fitting = new watched_type(*this, *c.type, nullptr);
      fitting->after = std::exchange(types_, fitting);
    }
    c.type = fitting;
  }
  share();
  if (c.type->kind == detail::actor_kind::classic) all_.add(*this);
}

void classic_watches::add(idle_watch& w) noexcept {
  const sync::locked lock(lock_);
  w.after_ = first_;
  if (first_ != nullptr) first_->before_ = &w;
  first_ = &w;
}

void classic_watches::remove(idle_watch& w) noexcept {
  const sync::locked lock(lock_);
  (w.before_ == nullptr ? first_ : w.before_->after_) = w.after_;
  if (w.after_ != nullptr) w.after_->before_ = w.before_;
}

void classic_watches::end_all() noexcept {
  while (first_ != nullptr) std::exchange(first_, first_->after_)->give_up();
}

void idle_watch::note(std::int64_t now) noexcept {
  // relaxed: owner-only write, unless several workers run the actor.
  if (!is_shared_) return last_ns_.store(now, std::memory_order_relaxed);
  std::int64_t seen = last_ns_.load();
  while (seen < now && !last_ns_.compare_exchange_weak(seen, now)) {
  }
}

void idle_watch::end() noexcept {
  // relaxed: hint; the commit that sets it notes the time itself.
  if (is_on_.load(std::memory_order_relaxed)) note(now_ns());
  if (is_shared_) running_.fetch_sub(1);
}

void idle_watch::end_behind_wait(run_state& here, lane_stack& s) noexcept {
  const watched_type* const t = watched_type::of(*s.behavior);
  if (t == nullptr) return;
  if (s.message->is_special() || counts(*t->real, index_of(s.target))) t->watch->end();
  closure* const next = here.journal().next();
  if (next == nullptr) return;
  const base::may_use_reserve sure;
  t->watch->watch_over(*next);
}

void idle_watch::take_answer(closure& b, run& r, void* message) {
  const detail::entry handler = static_cast<const detail::own_answer*>(message)->handler;
  const watched_type* const t = watched_type::of(b);
  t == nullptr ? handler(b, r, message) : call(b, *t, r, message, handler);
}

void idle_watch::set(timer_setter& timers, std::shared_ptr<const idle_wish> wish,
                     detail::timer_record* spare) noexcept {
  const std::int64_t now = now_ns();
  note(now);
  is_on_.store(wish != nullptr);
  const std::int64_t due = wish == nullptr ? detail::never_ns : detail::sum_ns(now, wish->again.period_ns);
  {
    const sync::locked lock(lock_);
    wish_.swap(wish);
    if (wish_ == nullptr) {
      disarm();
    } else if (due != detail::never_ns && (!is_armed_ || due < alarm_due_ns_)) {
      disarm();
      arm(timers, *std::exchange(spare, nullptr), due);
    }
  }
  if (spare != nullptr) timers.give(*spare);
  const this_thread::callback outside;
  wish.reset();
}

// REQUIRES: the lock is held.
void idle_watch::arm(timer_setter& timers, detail::timer_record& with, std::int64_t due_ns) noexcept {
  ::new (with.payload) order{++alarm_number_, false};
  static_assert(sizeof(order) == 16);
  alarm_due_ns_ = due_ns;
  is_armed_ = true;
  alarm_ = timers.set(with, whose_, idle_look_message, due_ns);
}

// REQUIRES: the lock is held, or no share is left.
void idle_watch::disarm() noexcept {
  if (!is_armed_) return;
  is_armed_ = false;
  ++alarm_number_;
  static_cast<void>(revoke_timer(std::exchange(alarm_, {}), while_leaving::goes_on));
}

// -- orders to look

void idle_watch::take_order(const idle_tools& with, closure& b, void* message) noexcept {
  if (const watched_type* const t = watched_type::of(b)) t->watch->look(with, *static_cast<const order*>(message));
}

void idle_watch::put_off(const idle_tools& with, const lane_stack& s, const void* message) noexcept {
  const watched_type* const t = watched_type::of(*s.behavior);
  if (t == nullptr) return;
  t->watch->note(now_ns());
  t->watch->look(with, {static_cast<const order*>(message)->alarm, false});
}

// REQUIRES: the lock is held.
idle_watch::verdict idle_watch::judge(const order& o, std::int64_t now, std::int64_t& due_ns) const noexcept {
  if (!is_armed_ || o.alarm != alarm_number_) return verdict::stale;
  const std::int64_t after = wish_->again.period_ns;
  due_ns = detail::sum_ns(running_.load() != 0 ? now : last_ns_.load(), after);
  if (now < due_ns) return verdict::busy;
  if (!o.again) return verdict::seems_idle;
  due_ns = detail::sum_ns(now, after);
  return verdict::idle;
}

void idle_watch::look(const idle_tools& with, const order& o) noexcept {
  const base::may_use_reserve sure;
  timer_setter& timers = with.timers;
  detail::timer_record* spare = timers.try_take();
  std::shared_ptr<const idle_wish> wish;
  verdict v;
  bool is_lost = false;
  {
    const std::int64_t now = now_ns();
    std::int64_t due_ns = 0;
    const sync::locked lock(lock_);
    v = judge(o, now, due_ns);
    wish = wish_;
    if (v == verdict::busy || v == verdict::idle) {
      is_armed_ = false;
      is_lost = spare == nullptr;
      is_lost ? wish_.reset() : arm(timers, *std::exchange(spare, nullptr), due_ns);
    }
  }
  if (spare != nullptr) timers.give(*spare);
  if (v == verdict::seems_idle) ::new (with.sends.stage_for_core(whose_, idle_look_message)) order{o.alarm, true};
  if (v == verdict::idle) send(with.sends, *wish);
  if (is_lost) report_lost(with.lost, *wish);
  const this_thread::callback outside;
  wish.reset();
}

// A copy that throws is left out, as one of a timer that repeats.
bool idle_watch::copy(const idle_wish& wish, void* payload) noexcept {
  try {
    const base::may_not_use_reserve refused_as_usual;
    const this_thread::callback outside;
    wish.again.copy(wish.message(), payload);
    return true;
  } catch (...) {
    return false;
  }
}

void idle_watch::send(router& sends, const idle_wish& wish) noexcept {
  alignas(detail::inline_align_max) std::byte payload[detail::inline_bytes_max];
  if (!copy(wish, payload)) return;
  const bool has_order = cell_of(wish.to).where().is_exclusive();
  relocate(*wish.type, payload,
           has_order ? sends.stage_in_front(wish.to, *wish.type) : sends.stage_for_core(wish.to, *wish.type));
}

// There is no memory for the next timer. The message that will not come is a dead letter.
void idle_watch::report_lost(burial& lost, const idle_wish& wish) noexcept {
  alignas(detail::inline_align_max) std::byte payload[detail::inline_bytes_max];
  if (!copy(wish, payload)) return;
  lost.bury_unsent(wish.to, *wish.type, payload, failure_reason::out_of_memory);
}

}  // namespace tact::actors
