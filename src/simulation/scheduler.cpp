// Choosing the next thread, store buffers, sleeping and waking.
#include "simulation/scheduler.hpp"

#include <bit>
#include <cstdlib>

namespace tact::simulation {
namespace {

constexpr std::size_t stack_bytes = 128 * 1024;
constexpr unsigned steps_in_a_row_max = 200;  // a thread that spins must not keep the others from what it waits for
constexpr std::uint32_t sticky_odds = 6;
constexpr std::uint32_t time_out_odds = 32;

constexpr std::uint32_t bit(unsigned index) noexcept { return std::uint32_t{1} << index; }

}  // namespace

scheduler::scheduler(std::uint64_t step_limit) : step_limit_(step_limit), stacks_(stack_bytes, threads_max) {}

scheduler::~scheduler() {
  for (auto& t : threads_) {
    const fiber::stack s = t->fiber->own_stack();
    t->fiber.reset();
    stacks_.give(s);
  }
}

outcome scheduler::run(std::uint64_t seed, unsigned thread_count, const std::function<void(unsigned)>& thread) {
  prepare(seed, thread_count);
  body_ = &thread;
  thread_record* const first = choose(false);
  running_ = first->index;
  current_ = this;
  home_->switch_to(*first->fiber);
  current_ = nullptr;
  for (unsigned i = 0; i < thread_count_; ++i) {
    while (threads_[i]->oldest != threads_[i]->newest) drain_one(*threads_[i]);
  }
  return outcome_;
}

void scheduler::prepare(std::uint64_t seed, unsigned thread_count) {
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
  trace_.clear();
  random_ = random(seed);
  random_ = random(random_.next());  // else neighbouring seeds would share their sequences, shifted by one
  kind_ = static_cast<kind>(random_.below(3));
  drain_odds_ = 1u << random_.below(7);
  change_odds_ = 2u << random_.below(6);
  spurious_odds_ = random_.one_in(4) ? 16 : 0;
  lowest_priority_ = 0;
  steps_in_a_row_ = 0;
  runnable_ = thread_count == threads_max ? ~thread_set{0} : bit(thread_count) - 1;
  timed_ = asleep_ = buffering_ = 0;
  running_ = 0;
  for (unsigned i = 0; i < thread_count; ++i) {
    auto& t = *threads_[i];
    if (t.now == phase::runnable || t.now == phase::asleep) {  // given up by an earlier schedule
      const fiber::stack s = t.fiber->own_stack();
      t.fiber.emplace(s, &thread_main, &t);
    }
    t.now = phase::fresh;
    t.oldest = t.newest = 0;
    t.priority = static_cast<std::int64_t>(random_.next() >> 2);
  }
}

// One fiber serves one schedule after the other: a finished one continues here when it is chosen for the first time.
void scheduler::thread_main(void* record) {
  auto& self = *static_cast<thread_record*>(record);
  scheduler& s = *self.owner;
  for (;;) {
    self.now = phase::runnable;
    bool threw = false;
    try {
      (*s.body_)(self.index);
    } catch (...) {
      threw = true;
    }
    if (threw) s.fail("a thread of the scenario threw");
    self.now = phase::finished;
    s.runnable_ &= ~bit(self.index);
    s.go_to(self, s.choose(false));
  }
}

void scheduler::go_to(thread_record& from, thread_record* next) noexcept {
  if (next == &from) return;
  if (next != nullptr) running_ = next->index;
  from.fiber->switch_to(next != nullptr ? *next->fiber : *home_);
}

void scheduler::step() noexcept { go_to(running(), choose(false)); }

void scheduler::give_way() noexcept {
  lower_running();
  go_to(running(), choose(true));
}

bool scheduler::sleep(const void* at, bool may_time_out) noexcept {
  note("sleep", at, may_time_out);
  thread_record& self = running();
  self.now = phase::asleep;
  self.asleep_at = at;
  self.timed_out = false;
  runnable_ &= ~bit(self.index);
  asleep_ |= bit(self.index);
  if (may_time_out) timed_ |= bit(self.index);
  go_to(self, choose(false));
  return !self.timed_out;
}

void scheduler::wake(const void* at, unsigned threads) noexcept {
  // In an order that the seed decides, starting anywhere.
  const unsigned start = random_.below(thread_count_);
  for (unsigned n = 0; n < thread_count_ && threads > 0; ++n) {
    thread_record& t = *threads_[(start + n) % thread_count_];
    if (t.now != phase::asleep || t.asleep_at != at) continue;
    make_runnable(t);
    --threads;
  }
}

void scheduler::make_runnable(thread_record& t) noexcept {
  t.now = phase::runnable;
  runnable_ |= bit(t.index);
  asleep_ &= ~bit(t.index);
  timed_ &= ~bit(t.index);
}

void scheduler::time_one_out(thread_set candidates) noexcept {
  thread_record& t = *threads_[any_of(candidates)];
  t.timed_out = true;
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

void scheduler::write_later(cell& c, std::uint64_t bits) noexcept {
  thread_record& self = running();
  if (self.newest - self.oldest == self.stores.size()) drain_one(self);
  self.stores[self.newest++ % self.stores.size()] = {&c, bits};
  buffering_ |= bit(self.index);
}

void scheduler::drain() noexcept {
  thread_record& self = running();
  while (self.oldest != self.newest) drain_one(self);
}

void scheduler::drain_one(thread_record& t) noexcept {
  const buffered_store& s = t.stores[t.oldest++ % t.stores.size()];
  s.target->bits = s.bits;
  trace_.add(t.index, "(store drains)", s.target, s.bits);
  if (t.oldest == t.newest) buffering_ &= ~bit(t.index);
}

bool scheduler::fails_spuriously() noexcept { return spurious_odds_ != 0 && random_.one_in(spurious_odds_); }

void scheduler::fail(const char* text) noexcept {
  outcome_.failure = text;
  running().fiber->switch_to(*home_);
  std::abort();  // a schedule that was given up is never resumed
}

scheduler::thread_record* scheduler::choose(bool not_the_running) noexcept {
  if (++outcome_.steps > step_limit_) {
    outcome_.failure = "livelock: the step limit was reached";
    return nullptr;
  }
  let_things_happen();
  if (runnable_ == 0) {
    if (timed_ != 0) {
      time_one_out(timed_);
    } else {
      if (asleep_ != 0) outcome_.failure = "deadlock: every thread sleeps or has finished";
      return nullptr;
    }
  }
  thread_set candidates = runnable_;
  const bool only_one = (candidates & ~bit(running_)) == 0;
  if (!only_one && (not_the_running || steps_in_a_row_ >= steps_in_a_row_max)) {
    lower_running();
    candidates &= ~bit(running_);
  }
  const unsigned chosen = choose_among(candidates);
  steps_in_a_row_ = chosen == running_ ? steps_in_a_row_ + 1 : 0;
  return threads_[chosen].get();
}

// What comes from outside the threads: buffers drain, deadlines pass, sleepers wake for no reason.
void scheduler::let_things_happen() noexcept {
  if (buffering_ != 0 && random_.one_in(drain_odds_)) drain_one(*threads_[any_of(buffering_)]);
  if (asleep_ == 0) return;
  if (timed_ != 0 && random_.one_in(time_out_odds)) time_one_out(timed_);
  if (asleep_ != 0 && runnable_ != 0 && fails_spuriously()) make_runnable(*threads_[any_of(asleep_)]);
}

unsigned scheduler::choose_among(thread_set candidates) noexcept {
  if (kind_ == kind::priority) {
    if (random_.one_in(change_odds_)) lower_running();
    return highest_among(candidates);
  }
  const bool may_stay = (candidates & bit(running_)) != 0;
  if (kind_ == kind::sticky && may_stay && !random_.one_in(sticky_odds)) return running_;
  return any_of(candidates);
}

unsigned scheduler::highest_among(thread_set candidates) const noexcept {
  unsigned best = static_cast<unsigned>(std::countr_zero(candidates));
  for (thread_set left = candidates; left != 0; left &= left - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(left));
    if (threads_[i]->priority > threads_[best]->priority) best = i;
  }
  return best;
}

unsigned scheduler::any_of(thread_set candidates) noexcept {
  for (std::uint32_t skip = random_.below(static_cast<std::uint32_t>(std::popcount(candidates))); skip > 0; --skip) {
    candidates &= candidates - 1;
  }
  return static_cast<unsigned>(std::countr_zero(candidates));
}

void scheduler::lower_running() noexcept { running().priority = --lowest_priority_; }

}  // namespace tact::simulation
