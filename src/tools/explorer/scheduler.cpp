// Switching between threads, store buffers, sleeping and waking.
#include "tools/explorer/scheduler.hpp"

#include <cstdlib>

namespace tact::explorer {
namespace {

constexpr std::size_t stack_bytes = 128 * 1024;
constexpr unsigned steps_in_a_row_max = 200;  // a thread that spins must let the others do what it waits for

}  // namespace

scheduler::scheduler(std::uint64_t step_limit) : step_limit_(step_limit), stacks_(stack_bytes, threads_max) {}

scheduler::~scheduler() {
  for (auto& t : threads_) {
    const fiber::stack s = t->fiber->own_stack();
    t->fiber.reset();
    stacks_.give(s);
  }
}

outcome scheduler::run(chooser& c, unsigned thread_count, const std::function<void(unsigned)>& thread, recorders r) {
  prepare(thread_count);
  chooser_ = &c;
  recorders_ = r;
  body_ = &thread;
  c.begin(thread_count);
  current_ = this;
  if (thread_record* const first = choose(stays::if_chosen)) {
    running_ = first->index;
    home_->switch_to(*first->fiber);
  }
  current_ = nullptr;
  for (unsigned i = 0; i < thread_count_; ++i) {
    while (threads_[i]->oldest != threads_[i]->newest) drain_one(*threads_[i]);
  }
  return outcome_;
}

void scheduler::prepare(unsigned thread_count) {
  if (thread_count == 0 || thread_count > threads_max) std::abort();
  home_.emplace();
  while (threads_.size() < thread_count) {
    auto& t = *threads_.emplace_back(std::make_unique<thread_record>());
    t.owner = this;
    t.index = static_cast<unsigned>(threads_.size() - 1);
    t.fiber.emplace(stacks_.take(), &thread_main, &t);
  }
  thread_count_ = thread_count;
  outcome_ = {};
  steps_in_a_row_ = 0;
  runnable_ = first_threads(thread_count);
  timed_ = asleep_ = buffering_ = 0;
  running_ = 0;
  for (unsigned i = 0; i < thread_count; ++i) {
    auto& t = *threads_[i];
    if (t.now != phase::fresh && t.now != phase::finished) {  // given up by an earlier schedule
      const fiber::stack s = t.fiber->own_stack();
      t.fiber.emplace(s, &thread_main, &t);
    }
    t.now = phase::fresh;
    t.oldest = t.newest = 0;
  }
}

// A fiber serves one schedule after the other: in a new schedule a finished thread continues here when it is first
// chosen.
void scheduler::thread_main(void* record) {
  auto& self = *static_cast<thread_record*>(record);
  scheduler& s = *self.owner;
  for (;;) {
    self.now = phase::begun;
    bool threw = false;
    try {
      (*s.body_)(self.index);
    } catch (...) {
      threw = true;
    }
    if (threw) s.fail("a thread of the scenario threw");
    self.now = phase::finished;
    s.runnable_ &= ~bit(self.index);
    s.go_to(self, s.choose(stays::if_chosen));
  }
}

void scheduler::go_to(thread_record& from, thread_record* next) noexcept {
  if (next == &from) return;
  if (next != nullptr) running_ = next->index;
  from.fiber->switch_to(next != nullptr ? *next->fiber : *home_);
}

// A thread that has begun was chosen for its first operation, so it does not have to be chosen here again. No other
// thread sees what it did before.
void scheduler::step() noexcept {
  thread_record& self = running();
  if (self.now == phase::begun) {
    self.now = phase::runnable;
  } else {
    go_to(self, choose(stays::if_chosen));
  }
}

void scheduler::give_way() noexcept {
  running().now = phase::runnable;
  go_to(running(), choose(stays::if_alone));
}

bool scheduler::sleep(const void* at, sleep_limit limit) noexcept {
  note(limit == sleep_limit::deadline ? "sleep (with a deadline)" : "sleep", at);
  thread_record& self = running();
  self.now = phase::asleep;
  self.asleep_at = at;
  self.timed_out = false;
  runnable_ &= ~bit(self.index);
  asleep_ |= bit(self.index);
  if (limit == sleep_limit::deadline) timed_ |= bit(self.index);
  go_to(self, choose(stays::if_chosen));
  return !self.timed_out;
}

void scheduler::wake(const void* at, unsigned threads) noexcept {
  thread_set sleepers = 0;
  for (thread_set left = asleep_; left != 0; left &= left - 1) {
    const unsigned i = nth(left, 0);
    if (threads_[i]->asleep_at == at) sleepers |= bit(i);
  }
  for (; sleepers != 0 && threads > 0; --threads) {
    const bool all = size_of(sleepers) <= threads;
    const unsigned woken = all ? nth(sleepers, 0) : chooser_->wakes(sleepers);
    if (!all) record(decision::kind::wake, woken);
    make_runnable(*threads_[woken]);
    sleepers &= ~bit(woken);
  }
}

void scheduler::make_runnable(thread_record& t) noexcept {
  t.now = phase::runnable;
  runnable_ |= bit(t.index);
  asleep_ &= ~bit(t.index);
  timed_ &= ~bit(t.index);
}

void scheduler::time_out(unsigned thread) noexcept {
  thread_record& t = *threads_[thread];
  record(decision::kind::time_out, thread);
  note_of(thread, "(its deadline passes)", t.asleep_at);
  t.timed_out = true;
  make_runnable(t);
}

void scheduler::rouse(unsigned thread) noexcept {
  thread_record& t = *threads_[thread];
  record(decision::kind::rouse, thread);
  note_of(thread, "(wakes for no reason)", t.asleep_at);
  make_runnable(t);
}

std::uint64_t scheduler::read(const cell& c) const noexcept {
  const thread_record& self = running();
  for (std::uint32_t i = self.newest; i != self.oldest; --i) {
    const buffered_store& s = self.stores[(i - 1) % self.stores.size()];
    if (s.target == &c) return s.bits;
  }
  return c.bits;
}

void scheduler::write(cell& c, std::uint64_t bits) noexcept {
  thread_record& self = running();
  if (self.newest == self.oldest) {  // else the store waits behind the others anyway
    if (!chooser_->holds_back(*this)) {
      c.bits = bits;
      return note("store", &c, bits);
    }
    record(decision::kind::hold_back, running_);
  }
  if (self.newest - self.oldest == self.stores.size()) drain_one(self);
  self.stores[self.newest++ % self.stores.size()] = {&c, bits};
  buffering_ |= bit(self.index);
  note("store (buffered)", &c, bits);
}

void scheduler::drain() noexcept {
  thread_record& self = running();
  while (self.oldest != self.newest) drain_one(self);
}

void scheduler::drain_all() noexcept {
  note("barrier for all", nullptr);
  for (unsigned i = 0; i < thread_count_; ++i) {
    while (threads_[i]->oldest != threads_[i]->newest) drain_one(*threads_[i]);
  }
}

void scheduler::let_out(unsigned thread) noexcept {
  record(decision::kind::let_out, thread);
  drain_one(*threads_[thread]);
}

void scheduler::drain_one(thread_record& t) noexcept {
  const buffered_store& s = t.stores[t.oldest++ % t.stores.size()];
  s.target->bits = s.bits;
  note_of(t.index, "(store drains)", s.target, s.bits);
  if (t.oldest == t.newest) buffering_ &= ~bit(t.index);
}

bool scheduler::fails_spuriously() noexcept {
  const bool fails = chooser_->fails_spuriously(*this);
  if (fails) record(decision::kind::fail, running_);
  return fails;
}

void scheduler::fail(const char* text) noexcept {
  outcome_.failure = text;
  running().fiber->switch_to(*home_);
  std::abort();  // a schedule that was given up is never resumed
}

scheduler::thread_record* scheduler::choose(stays s) noexcept {
  if (++outcome_.steps > step_limit_) {
    outcome_.failure = "livelock: the step limit was reached";
    return nullptr;
  }
  if ((buffering_ | asleep_) != 0) chooser_->interfere(*this);
  if (runnable_ == 0) {
    if (timed_ == 0) {
      if (asleep_ != 0) outcome_.failure = "deadlock: every thread sleeps or has finished";
      return nullptr;
    }
    time_out(chooser_->times_out(timed_));
  }
  thread_set candidates = runnable_;
  const bool forced = s == stays::if_alone || steps_in_a_row_ >= steps_in_a_row_max;
  if (forced) {
    chooser_->gave_way(*this, running_);
    if (candidates != bit(running_)) candidates &= ~bit(running_);
  }
  const bool could_stay = !forced && outcome_.steps > 1 && contains(candidates, running_);
  const unsigned chosen = chooser_->choose(*this, candidates);
  steps_in_a_row_ = chosen == running_ ? steps_in_a_row_ + 1 : 0;
  using enum schedule::change;
  const bool is_switch = chosen != running_ && outcome_.steps > 1;
  record_run(chosen, !is_switch ? none : could_stay ? preempted : switched);
  return threads_[chosen].get();
}

void scheduler::record_run(unsigned chosen, schedule::change c) noexcept {
  if (recorders_.decisions != nullptr) recorders_.decisions->add_run(chosen, c);
  if (c == schedule::change::preempted) note("(is preempted)", nullptr);
}

}  // namespace tact::explorer
