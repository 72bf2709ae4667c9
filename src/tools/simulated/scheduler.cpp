#include "tools/simulated/scheduler.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>

#include "base/assert.hpp"
#include "base/reserve.hpp"
#include "fiber/stack_pool.hpp"
#include "sync/thread_state.hpp"

namespace tact::simulated {
namespace {

constexpr std::size_t stack_bytes = 512 * 1024;  // of which only what is used takes up memory
constexpr std::size_t spare_stacks = 256;

// Never destroyed: one simulation after the other uses the same stacks.
fiber::stack_pool& stacks() {
  static auto* only = new fiber::stack_pool(stack_bytes, spare_stacks);
  return *only;
}

}  // namespace

scheduler::scheduler(const sync::director& of, const schedule& as, base::random& chances)
    : director_(of), points_max_(as.points_max), choice_(as), chances_(chances) {
  auto& p = *threads_.emplace_back(std::make_unique<thread_record>());
  p.name = "program";
  p.owner = this;
  p.fiber.emplace();
}

void scheduler::end() noexcept {
  for (const auto& t : threads_) {
    if (t->index == 0) continue;
    TACT_ASSERT(t->now == phase::ended || t->is_beside, "an engine made in a simulation is still there at its end");
    const fiber::stack s = t->fiber->own_stack();
    t->fiber.reset();
    stacks().give(s);
  }
}

// -- threads

thread_record& scheduler::start(const std::string& name, std::function<void()> body) {
  auto t = std::make_unique<thread_record>();
  t->name = name;
  t->body = std::move(body);
  t->owner = this;
  t->index = static_cast<unsigned>(threads_.size());
  t->priority = choice_.first_priority();
  threads_.reserve(threads_.size() + 1);
  t->fiber.emplace(stacks().take(), &thread_main, t.get());
  threads_.push_back(std::move(t));
  return *threads_.back();
}

void scheduler::thread_main(void* record) {
  auto& self = *static_cast<thread_record*>(record);
  scheduler& s = *self.owner;
  try {
    self.body();
  } catch (const std::exception& e) {
    s.verdict_.fail("a thread of the program threw: " + std::string(e.what()));
  } catch (...) {
    s.verdict_.fail("a thread of the program threw");
  }
  self.now = phase::ended;
  s.wake(&self, 1);
  s.turn(stays::never);
  std::terminate();  // a thread that has ended had another turn
}

void scheduler::join(unsigned thread) noexcept {
  const thread_record& t = *threads_[thread];
  while (t.now != phase::ended && sleep(&t, {})) {
  }
  if (t.now != phase::ended) verdict_.fail("thread " + t.name + " does not end");
}

void scheduler::join_all() noexcept {
  for (unsigned i = 1; i < threads_.size() && !verdict_.is_stuck(); ++i) join(i);
}

std::vector<std::string> scheduler::thread_names() const {
  std::vector<std::string> names;
  for (const auto& t : threads_) names.push_back(t->name);
  return names;
}

// -- what the running thread does

bool scheduler::sleep(const void* at, sync::deadline until) noexcept {
  TACT_ASSERT(director_.held == 0, "in a simulation a thread sleeps while it holds a mutex");
  thread_record& self = running();
  if (until && *until <= clock_.now()) {
    turn(stays::if_alone);  // a thread that asks again and again must let others go on
    return false;
  }
  self.asleep_at = at;
  if (until && virtual_clock::is_never(*until)) until.reset();
  self.until = until;
  self.now = phase::asleep;
  const bool in_vain = running_ == 0 && verdict_.is_stuck();
  if (in_vain) self.rouse(woken::too_late);
  turn(in_vain ? stays::if_alone : stays::never);
  return !self.timed_out;
}

void scheduler::wake(const void* at, int threads) noexcept {
  // Going round from a thread that the seed chooses.
  const auto count = static_cast<unsigned>(threads_.size());
  const unsigned first = chances_.below(count);
  for (unsigned n = 0; n < count && threads > 0; ++n) {
    thread_record& t = *threads_[(first + n) % count];
    if (t.now != phase::asleep || t.asleep_at != at) continue;
    t.rouse(woken::in_time);
    --threads;
  }
}

void scheduler::give_way() noexcept {
  if (director_.held == 0) turn(stays::if_alone);
}

void scheduler::may_switch() noexcept {
  if (director_.held == 0) turn(stays::likely);
}

// -- turns

void scheduler::turn(stays s) noexcept {
  thread_record& self = running();
  ++self.points;
  if (++points_ > points_max_) is_late();
  if (stepping_ && running_ != 0) {
    stepping_ = false;
    program().rouse(woken::in_time);
    return go_to(0);
  }
  if (self.now != phase::runnable && is_alone()) deadlock();
  // While the waits of the program are over, all threads go on in turn, so that the program comes to its end.
  go_to(verdict_.is_stuck() ? turn_choice::next_after(threads_, running_) : choice_.choose(threads_, running_, s));
}

void scheduler::go_to(unsigned next) noexcept {
  choice_.note_turn(running_, next);
  if (next == running_) return;
  ++switches_;
  thread_record& from = running();
  thread_record& to = *threads_[next];
  from.state = sync::thread_state::of_this_thread();
  sync::thread_state::of_this_thread() = to.state;
  from.reserve_depth = base::may_use_reserve::exchange(to.reserve_depth);
  running_ = next;
  from.now == phase::ended ? from.fiber->leave(*to.fiber) : from.fiber->switch_to(*to.fiber);
}

void scheduler::rest() {
  if (!verdict_.is_stuck()) {
    program().now = phase::resting;
    turn(stays::never);
  }
  if (verdict_.is_stuck()) throw simulation_error(verdict_.why_stuck());
}

void scheduler::rest_for_a_step() {
  stepping_ = true;
  rest();
}

// -- when no thread can go on

// Lets the program go on if it rests, or time pass; if neither helps, the program has failed.
void scheduler::deadlock() noexcept {
  if (program().now == phase::resting) return program().rouse(woken::in_time);
  if (pass_time({})) return;
  verdict_.give_up("deadlock: the program waits, and no thread can go on");
  program().rouse(woken::too_late);
}

bool scheduler::pass_time(sync::deadline at_most) noexcept {
  sync::deadline next;
  for (const auto& t : threads_) {
    if (t->now == phase::asleep && t->until) next = std::min(next.value_or(*t->until), *t->until);
  }
  if (!next || (at_most && *next > *at_most)) return false;
  clock_.move_to(std::max(clock_.now(), *next));
  for (const auto& t : threads_) {
    if (t->now == phase::asleep && t->until && *t->until <= clock_.now()) t->rouse(woken::too_late);
  }
  return true;
}

void scheduler::is_late() noexcept {
  if (verdict_.is_stuck()) return;
  verdict_.give_up("no end in sight after " + std::to_string(points_max_) + " points");
  if (program().now != phase::runnable) program().rouse(woken::too_late);
}

}  // namespace tact::simulated
