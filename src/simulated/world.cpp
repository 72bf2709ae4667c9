// The turns of the threads, their sleep, and their time.
#include "simulated/world.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "base/assert.hpp"
#include "fiber/stack_pool.hpp"

namespace tact::simulated {
namespace {

constexpr std::size_t stack_bytes = 512 * 1024;  // of which only what is used takes up memory
constexpr std::size_t spare_stacks = 256;
constexpr unsigned in_a_row_max = 500;  // then another thread must go on, so that all do

// Never destroyed: one simulation after the other uses the same stacks.
fiber::stack_pool& stacks() {
  static auto* only = new fiber::stack_pool(stack_bytes, spare_stacks);
  return *only;
}

}  // namespace

world::world(const schedule& as)
    : as_(as),
      outside_(sync::thread_state::of_this_thread()),
      choices_(base::random(as.seed).next()),  // else neighbouring seeds would share their sequences, shifted by one
      chances_(base::random(~as.seed).next()),
      kind_(choices_.one_in(3) ? kind::priority : kind::uniform),
      change_odds_(1u << choices_.below(7)),
      quickest_ns_(std::uint64_t{32} << chances_.below(10)) {
  if (sync::system::current() != nullptr) throw usage_error("tact::simulation: this thread is in a simulation already");
  if (outside_.worker != nullptr) throw usage_error("tact::simulation: not in a handler; make it in the program");
  for (const schedule::turn& t : as.turns) chosen_.emplace(std::pair{t.from, t.nth}, t.to);
  auto& p = *threads_.emplace_back(std::make_unique<thread_record>());
  p.name = "program";
  p.owner = this;
  p.fiber.emplace();
  sync::thread_state::of_this_thread() = {};
  sync::system::enter(this);
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
  sync::system::enter(nullptr);
  sync::thread_state::of_this_thread() = outside_;
}

// -- threads

unsigned world::start(const std::string& name, std::function<void()> body) {
  auto t = std::make_unique<thread_record>();
  t->name = name;
  t->body = std::move(body);
  t->owner = this;
  t->index = static_cast<unsigned>(threads_.size());
  t->priority = static_cast<std::int64_t>(choices_.next() >> 2);
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
    rouse(t, false);
    --threads;
  }
}

void world::rouse(thread_record& t, bool timed_out) noexcept {
  t.now = phase::runnable;
  t.timed_out = timed_out;
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
  if (in_vain) rouse(self, true);
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
  if (++points_ > as_.points_max) is_late();
  if (stepping_ && running_ != 0) {
    stepping_ = false;
    rouse(program(), false);
    return go_to(0);
  }
  if (self.now != phase::runnable && !anybody_else()) nobody_can_go_on();
  go_to(choose(s));
}

void world::go_to(unsigned next) noexcept {
  if (next == running_) {
    ++in_a_row_;
    return;
  }
  in_a_row_ = 0;
  ++switches_;
  thread_record& from = running();
  thread_record& to = *threads_[next];
  from.state = sync::thread_state::of_this_thread();
  sync::thread_state::of_this_thread() = to.state;
  from.reserve_depth = base::may_use_reserve::exchange(to.reserve_depth);
  running_ = next;
  from.now == phase::ended ? from.fiber->leave(*to.fiber) : from.fiber->switch_to(*to.fiber);
}

bool world::anybody_else() const noexcept {
  return std::any_of(threads_.begin(), threads_.end(),
                     [this](const auto& t) { return t->now == phase::runnable && t->index != running_; });
}

// The first runnable thread behind `index`, going round; `index` itself if there is no other.
unsigned world::next_after(unsigned index) const noexcept {
  const auto count = static_cast<unsigned>(threads_.size());
  for (unsigned n = 1; n < count; ++n) {
    const unsigned next = (index + n) % count;
    if (threads_[next]->now == phase::runnable) return next;
  }
  return index;
}

unsigned world::choose(stays s) noexcept {
  const unsigned usual = s == stays::likely ? running_ : next_after(running_);
  unsigned next = usual;
  if (!stuck_.empty()) {
    next = next_after(running_);  // all threads go on in turn, so that the program comes to its end
  } else if (as_.in_full) {
    const auto chosen = chosen_.find({running_, running().points});
    if (chosen != chosen_.end() && chosen->second < threads_.size() &&
        threads_[chosen->second]->now == phase::runnable) {
      next = chosen->second;
    }
  } else {
    next = choose_by_seed(s, usual);
  }
  if (next != usual && stuck_.empty()) turns_.push_back({running_, next, running().points});
  return next;
}

unsigned world::choose_by_seed(stays s, unsigned usual) noexcept {
  if (!anybody_else()) return usual;
  const bool tired = in_a_row_ >= in_a_row_max;
  const bool not_the_running = s != stays::likely || tired;
  if (kind_ == kind::priority) {
    if (not_the_running || choices_.one_in(2 * change_odds_)) running().priority = --lowest_priority_;
    return highest(not_the_running);
  }
  if (!not_the_running && !choices_.one_in(change_odds_)) return running_;
  unsigned others = 0;
  for (const auto& t : threads_) others += t->now == phase::runnable && t->index != running_;
  unsigned skip = choices_.below(others);
  for (const auto& t : threads_) {
    if (t->now == phase::runnable && t->index != running_ && skip-- == 0) return t->index;
  }
  return usual;
}

// REQUIRES: a thread is runnable that is not the running one.
unsigned world::highest(bool not_the_running) noexcept {
  const thread_record* best = nullptr;
  for (const auto& t : threads_) {
    if (t->now != phase::runnable || (not_the_running && t->index == running_)) continue;
    if (best == nullptr || t->priority > best->priority) best = t.get();
  }
  return best->index;
}

// -- when no thread can go on

void world::nobody_can_go_on() noexcept {
  if (program().now == phase::resting) return rouse(program(), false);
  if (pass_time({})) return;
  stuck_ = "deadlock: the program waits, and nobody can go on";
  fail(stuck_);
  rouse(program(), true);
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
    if (t->now == phase::asleep && t->until && *t->until <= now_) rouse(*t, true);
  }
  return true;
}

// From now on every wait of the program is over at once, whatever it waits for.
void world::is_late() noexcept {
  if (!stuck_.empty()) return;
  stuck_ = "no end in sight after " + std::to_string(as_.points_max) + " points";
  fail(stuck_);
  if (program().now != phase::runnable) rouse(program(), true);
}

void world::fail(std::string_view text) {
  if (failure_.empty()) failure_ = text;
}

// -- the program's control

void world::rest() {
  if (running_ != 0) throw usage_error("tact::simulation: run, step and advance are for the program alone");
  if (stuck_.empty()) {
    program().now = phase::resting;
    turn(stays::never);
  }
  if (!stuck_.empty()) throw simulation_error(stuck_);
}

void world::run() { rest(); }

bool world::step() {
  if (!anybody_else()) return false;
  stepping_ = true;
  rest();
  return true;
}

void world::advance(sync::clock::duration time) {
  const sync::time_point until = now_ + std::min(time, end_of_time - now_);
  do rest();
  while (pass_time(until));
  now_ = until;
}

// -- chance

sync::time_point world::stopwatch() noexcept {
  const std::uint64_t surprise = chances_.one_in(64) ? 100 : 1;
  const std::uint64_t ns = quickest_ns_ + chances_.below(static_cast<std::uint32_t>(quickest_ns_));
  return stopwatch_ += std::chrono::nanoseconds(ns * surprise);
}

void world::after_handler() {
  if (runs_until_throw_ == 0 || --runs_until_throw_ != 0) return;
  thrown_ = true;
  throw simulated_exception("thrown by simulation.throw_at");
}

bool world::permits_allocation() noexcept {
  if (until_refusal_ == 0 || --until_refusal_ != 0) return true;
  refused_ = true;
  return false;
}

// -- what went on

void world::note(sync::event what, std::uint64_t actor, std::string_view name, std::string_view message) noexcept {
  story_.add(running_, what, number_of(actor), name, message);
}

unsigned world::number_of(std::uint64_t actor) noexcept {
  return numbers_.try_emplace(actor, static_cast<unsigned>(numbers_.size() + 1)).first->second;
}

schedule world::so_far() const {
  return {.seed = as_.seed, .in_full = true, .turns = turns_, .points_max = as_.points_max};
}

std::string world::trace() const {
  std::vector<std::string> names;
  for (const auto& t : threads_) names.push_back(t->name);
  return story_.text(names);
}

}  // namespace tact::simulated
