// The turns of the threads, their sleep, and their time.
#include "tools/simulated/world.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/assert.hpp"
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

world::world(const schedule& as)
    : points_max_(as.points_max),
      outside_(sync::thread_state::of_this_thread()),
      choice_(as),
      chances_(base::random(~as.seed).next()),
      quickest_ns_(std::uint64_t{32} << chances_.below(10)) {
  if (sync::system::current() != nullptr) throw usage_error("tact::simulation: this thread is in a simulation already");
  if (outside_.worker != nullptr) throw usage_error("tact::simulation: not in a handler; make it in the program");
  auto& p = *threads_.emplace_back(std::make_unique<thread_record>());
  p.name = "program";
  p.owner = this;
  p.fiber.emplace();
  sync::thread_state::of_this_thread() = {};
  enter(this);
  base::allocation_watch::begin(this);
}

world::~world() {
  for (const auto& t : threads_) {
    if (t->index == 0) continue;
    TACT_ASSERT(t->now == phase::ended || t->is_beside, "an engine made in a simulation is still there at its end");
    const fiber::stack s = t->fiber->own_stack();
    t->fiber.reset();
    stacks().give(s);
  }
  base::allocation_watch::begin(nullptr);
  enter(nullptr);
  sync::thread_state::of_this_thread() = outside_;
}

// -- threads

unsigned world::start(const std::string& name, std::function<void()> body) {
  auto t = std::make_unique<thread_record>();
  t->name = name;
  t->body = std::move(body);
  t->owner = this;
  t->index = static_cast<unsigned>(threads_.size());
  t->priority = choice_.first_priority();
  threads_.reserve(threads_.size() + 1);
  t->fiber.emplace(stacks().take(), &thread_main, t.get());
  threads_.push_back(std::move(t));
  return threads_.back()->index;
}

unsigned world::start_beside(const std::string& name, std::function<void()> body) {
  const unsigned index = start(name, std::move(body));
  threads_[index]->is_beside = true;
  return index;
}

void world::thread_main(void* record) {
  auto& self = *static_cast<thread_record*>(record);
  world& w = *self.owner;
  try {
    self.body();
  } catch (const std::exception& e) {
    w.fail("a thread of the program threw: " + std::string(e.what()));
  } catch (...) {
    w.fail("a thread of the program threw");
  }
  self.now = phase::ended;
  w.wake(&self, 1);
  w.turn(stays::never);
  std::terminate();  // a thread that has ended had another turn
}

void world::join(unsigned thread) noexcept {
  const thread_record& t = *threads_[thread];
  while (t.now != phase::ended && sleep(&t, {})) {
  }
  if (t.now != phase::ended) fail("thread " + t.name + " does not end");
}

void world::join_all() noexcept {
  for (unsigned i = 1; i < threads_.size() && stuck_.empty(); ++i) join(i);
}

void world::wake(const void* at, int threads) noexcept {
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

bool world::sleep_if(const futex_word& word, std::uint32_t expected, sync::deadline until) noexcept {
  return word.load() != expected || sleep(&word, until);
}

bool world::sleep(const void* at, sync::deadline until) noexcept {
  TACT_ASSERT(held == 0, "in a simulation a thread sleeps while it holds a mutex");
  thread_record& self = running();
  if (until && *until <= now_) {
    turn(stays::if_alone);  // a thread that asks again and again must let others go on
    return false;
  }
  self.asleep_at = at;
  if (until && *until >= end_of_time) until.reset();
  self.until = until;
  self.now = phase::asleep;
  const bool in_vain = running_ == 0 && !stuck_.empty();
  if (in_vain) self.rouse(woken::too_late);
  turn(in_vain ? stays::if_alone : stays::never);
  return !self.timed_out;
}

void world::give_way() noexcept {
  if (held == 0) turn(stays::if_alone);
}

void world::may_switch() noexcept {
  if (held == 0) turn(stays::likely);
}

// -- turns

void world::turn(stays s) noexcept {
  thread_record& self = running();
  ++self.points;
  if (++points_ > points_max_) is_late();
  if (stepping_ && running_ != 0) {
    stepping_ = false;
    program().rouse(woken::in_time);
    return go_to(0);
  }
  if (self.now != phase::runnable && !turn_choice::any_other(threads_, running_)) deadlock();
  // While the waits of the program are over, all threads go on in turn, so that the program comes to its end.
  go_to(stuck_.empty() ? choice_.choose(threads_, running_, s) : turn_choice::next_after(threads_, running_));
}

void world::go_to(unsigned next) noexcept {
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

// -- when no thread can go on

// Lets the program go on if it rests, or time pass; if neither helps, the program has failed.
void world::deadlock() noexcept {
  if (program().now == phase::resting) return program().rouse(woken::in_time);
  if (pass_time({})) return;
  stuck_ = "deadlock: the program waits, and no thread can go on";
  fail(stuck_);
  program().rouse(woken::too_late);
}

// Moves the clock to the earliest deadline of all sleepers, and wakes those whose deadline it is. False: no sleeper has
// a deadline, or the earliest one is later than `at_most`.
bool world::pass_time(sync::deadline at_most) noexcept {
  sync::deadline next;
  for (const auto& t : threads_) {
    if (t->now == phase::asleep && t->until) next = std::min(next.value_or(*t->until), *t->until);
  }
  if (!next || (at_most && *next > *at_most)) return false;
  now_ = std::max(now_, *next);
  for (const auto& t : threads_) {
    if (t->now == phase::asleep && t->until && *t->until <= now_) t->rouse(woken::too_late);
  }
  return true;
}

// From now on every wait of the program is over at once, whatever it waits for.
void world::is_late() noexcept {
  if (!stuck_.empty()) return;
  stuck_ = "no end in sight after " + std::to_string(points_max_) + " points";
  fail(stuck_);
  if (program().now != phase::runnable) program().rouse(woken::too_late);
}

void world::fail(std::string_view text) {
  if (failure_.empty()) failure_ = text.empty() ? "a check that has no text does not hold" : text;
}

// -- the program's control

// A handler may also run on the program's own thread, which pumps an engine without workers.
void world::refuse_inside(const char* call) const {
  if (running_ == 0 && sync::thread_state::of_this_thread().worker == nullptr) return;
  throw usage_error(std::string("tact::simulation: ") + call +
                    " is called in a handler, or on another thread of the simulation, and waits until that waits "
                    "itself; only the program lets time pass: send a message by self.send_after, and call " +
                    call + " in the program, behind what it sends");
}

void world::rest() {
  if (stuck_.empty()) {
    program().now = phase::resting;
    turn(stays::never);
  }
  if (!stuck_.empty()) throw simulation_error(stuck_);
}

void world::run() {
  refuse_inside("run");
  rest();
}

bool world::step() {
  refuse_inside("step");
  if (!turn_choice::any_other(threads_, running_)) return false;
  stepping_ = true;
  rest();
  return true;
}

void world::advance(sync::clock::duration time) {
  refuse_inside("advance");
  const sync::time_point until = now_ + std::min(time, end_of_time - now_);
  do rest();
  while (pass_time(until));
  now_ = until;
}

void world::sleep_for(sync::clock::duration time) {
  const sync::time_point until = now_ + std::min(time, end_of_time - now_);
  if (until <= now_) return give_way();
  const char here = 0;  // an address at which no other thread sleeps
  while (now_ < until && sleep(&here, until)) {
  }
}

// -- chance

sync::time_point world::stopwatch() noexcept {
  const std::uint64_t surprise = chances_.one_in(64) ? 100 : 1;
  const std::uint64_t ns = quickest_ns_ + chances_.below(static_cast<std::uint32_t>(quickest_ns_));
  return stopwatch_ += std::chrono::nanoseconds(ns * surprise);
}

// -- what went on

void world::note(sync::event what, std::uint64_t actor, std::string_view name,
                 const sync::noted_message& message) noexcept {
  story_.add(running_, what, number_of(actor), name, message.name, contents_.text_of(message));
}

unsigned world::number_of(std::uint64_t actor) noexcept {
  return numbers_.try_emplace(actor, static_cast<unsigned>(numbers_.size() + 1)).first->second;
}

std::string world::trace() const {
  std::vector<std::string> names;
  for (const auto& t : threads_) names.push_back(t->name);
  return story_.text(names);
}

}  // namespace tact::simulated
