#include "tools/modelled/scheduler.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace tact::modelled {

scheduler::scheduler(const machine& on, memory& reached, const model_options& options)
    : costs_(options.costs),
      time_max_(of_ns(options.seconds_max * 1e9)),
      memory_(reached),
      chances_(options.seed),
      units_(on) {}

// -- threads begin and end

void scheduler::begin(thread_record& program) noexcept {
  occupy_unit(program, 0);
  begin_step(*threads_[ready_.take_first()]);
}

void scheduler::place(thread_record& t) noexcept {
  t.unit = units_.least_loaded();
  t.now = phase::asleep;
  t.clock = here.now;
  make_ready(t, here.now + of_ns(costs_.woken));
}

void scheduler::note_end() noexcept {
  thread_record& self = running();
  self.clock = here.now;
  note_busy(self);
  self.now = phase::ended;
}

void scheduler::leave() noexcept {
  thread_record& self = running();
  leave_unit(self);
  wake(&self, 1);
  run_next();
  std::abort();  // a thread that has ended went on
}

void scheduler::seat(const unsigned* processing_unit) noexcept {
  const outside_of_model mine;
  thread_record& self = running();
  self.is_pinned = processing_unit != nullptr;
  if (processing_unit == nullptr || self.unit == *processing_unit) return;
  self.clock = here.now;
  note_busy(self);
  leave_unit(self);
  self.unit = *processing_unit;
  make_ready(self, here.now + of_ns(costs_.sleep));
  run_next();
}

// -- turns

void scheduler::pass() noexcept {
  if (here.makes_static != 0) return;
  const outside_of_model mine;
  thread_record& self = running();
  self.clock = here.now;
  if (self.clock > time_max_) give_up("the program takes longer than model_options::seconds_max");
  if (units_.is_waited_for(self.unit) && self.clock - units_.taken_at(self.unit) > of_ns(costs_.slice)) {
    share_unit();
  } else {
    ready_.add(running_, self.clock);
  }
  run_next();
}

// The running thread waits for its unit behind the others that do, or goes on at one that is free.
void scheduler::share_unit() noexcept {
  thread_record& self = running();
  note_busy(self);
  leave_unit(self);
  if (!self.is_pinned) self.unit = units_.nearest_free(self.unit);
  make_ready(self, self.clock);
}

void scheduler::run_next() noexcept {
  for (;;) {
    const picoseconds first = ready_.first_clock();
    const picoseconds deadline = first_deadline();
    if (first == never && deadline == never) give_up("all of its threads wait");
    if (first <= deadline) break;
    rouse(*threads_[deadlines_.begin()->second], deadline, woken::too_late);
  }
  go_to(*threads_[ready_.take_first()]);
}

void scheduler::go_to(thread_record& next) noexcept {
  begin_step(next);
  const unsigned before = std::exchange(running_, next.index);
  if (before == next.index) return;
  thread_record& from = *threads_[before];
  lent_thread::use(next.objects);
  // When this returns, another thread has switched here, and has given this thread its objects back.
  from.fiber->switch_to(*next.fiber, fiber::exception_place::of_no_thread());
}

void scheduler::begin_step(thread_record& t) noexcept {
  const double slower = units_.shares_core(t.unit) ? costs_.both_busy : 1;
  here.core = units_.core_of(t.unit);
  here.now = t.clock;
  here.block = of_ns(costs_.block * slower);
  here.access = of_ns(costs_.access * slower);
  here.update = of_ns(costs_.update * slower);
  here.memory = &memory_;
  const picoseconds other = std::min(ready_.first_clock(), first_deadline());
  here.horizon = (other == never ? t.clock + 1'000'000'000 : other) + lead;
}

// -- sleep

bool scheduler::sleep(const void* at, picoseconds until) noexcept {
  const outside_of_model mine;
  spend(of_ns(costs_.sleep));
  if (until <= here.now) {
    pass();
    return false;
  }
  fall_asleep(at, until);
  return !running().timed_out;
}

void scheduler::fall_asleep(const void* at, picoseconds until) noexcept {
  thread_record& self = running();
  self.clock = here.now;
  note_busy(self);
  ++self.sleeps;
  self.now = phase::asleep;
  self.asleep_at = at;
  self.asleep_as = ++asleep_as_;
  self.until = until;
  self.timed_out = false;
  if (until != never) deadlines_.emplace(until, running_);
  leave_unit(self);
  run_next();
}

void scheduler::wake(const void* at, int threads) noexcept {
  const outside_of_model mine;
  spend(of_ns(costs_.wake_none));
  for (; threads > 0; --threads) {
    thread_record* first = nullptr;
    for (const auto& t : threads_)
      if (t->now == phase::asleep && t->asleep_at == at && (first == nullptr || t->asleep_as < first->asleep_as))
        first = t.get();
    if (first == nullptr) return;
    ++wakes_;
    wake_thread(first->index);
  }
}

void scheduler::wake_thread(unsigned thread) noexcept {
  spend(of_ns(costs_.wake));
  rouse(*threads_[thread], here.now, woken::in_time);
}

void scheduler::rouse(thread_record& t, picoseconds at, woken w) noexcept {
  if (t.until != never) deadlines_.erase({t.until, t.index});
  t.until = never;
  t.asleep_at = nullptr;
  t.timed_out = w == woken::too_late;
  const picoseconds from = std::max(at, t.clock);
  if (!t.is_pinned) t.unit = units_.nearest_free(t.unit);
  make_ready(t, from + time_to_wake(t, from));
}

// Up to a fourth more or less, by chance.
picoseconds scheduler::time_to_wake(const thread_record& t, picoseconds at) noexcept {
  const bool idle_long = units_.is_free(t.unit) && at > units_.free_since(t.unit) + of_ns(costs_.idle_long);
  const picoseconds usual = of_ns(idle_long ? costs_.woken_idle : costs_.woken);
  return usual * 3 / 4 + (usual == 0 ? 0 : chances_.below(static_cast<std::uint32_t>(usual / 2 + 1)));
}

// -- processing units

void scheduler::make_ready(thread_record& t, picoseconds at) noexcept {
  t.clock = at;
  if (units_.is_free(t.unit)) return occupy_unit(t, at);
  t.now = phase::queued;
  units_.wait_for(t.unit, t.index);
}

void scheduler::occupy_unit(thread_record& t, picoseconds at) noexcept {
  units_.take(t.unit, t.index, at);
  t.now = phase::ready;
  t.clock = t.awake_since = at;
  ready_.add(t.index, at);
  here.horizon = std::min(here.horizon, at + lead);
}

void scheduler::leave_unit(const thread_record& t) noexcept {
  units_.leave(t.unit, t.clock);
  const unsigned waiting = units_.end_wait_for(t.unit, threads_);
  if (waiting == nobody) return;
  thread_record& next = *threads_[waiting];
  next.unit = t.unit;
  occupy_unit(next, std::max(next.clock, t.clock) + of_ns(costs_.sleep));
}

// -- what is counted

picoseconds scheduler::busy() const noexcept {
  picoseconds all = 0;
  for (const auto& t : threads_) {
    all += t->busy;
    if (t->now != phase::ready) continue;
    const picoseconds until = t->index == running_ ? here.now : t->clock;
    if (until > t->awake_since) all += until - t->awake_since;
  }
  return all;
}

void scheduler::bring_timeline_up_to_date() {
  for (const auto& t : threads_) {
    if (t->now != phase::ready) continue;
    if (t->index == running_) t->clock = here.now;
    note_busy(*t);
  }
}

// The thread was busy until now, and is not any more.
void scheduler::note_busy(thread_record& t) {
  if (t.clock <= t.awake_since) return;
  t.busy += t.clock - t.awake_since;
  timeline_.add(t.awake_since, t.clock);
  t.awake_since = t.clock;
}

void scheduler::give_up(const char* why) const noexcept {
  std::fprintf(stderr, "tact::model: the program cannot go on: %s. Its threads at %.6f s:\n", why,
               static_cast<double>(here.now) * 1e-12);
  static constexpr const char* phases[] = {"ready", "waits for its processing unit", "asleep", "ended"};
  for (const auto& t : threads_)
    std::fprintf(stderr, "  %-24s %s, at %.6f s\n", t->name.c_str(), phases[static_cast<std::size_t>(t->now)],
                 static_cast<double>(t->clock) * 1e-12);
  std::abort();
}

}  // namespace tact::modelled
