#include "actor/members.hpp"

#include <chrono>
#include <cstdio>
#include <utility>

#include "actor/core.hpp"
#include "actor/dead_letters.hpp"
#include "actor/stay.hpp"
#include "sync/patience.hpp"
#include "sync/system.hpp"

namespace tact::detail {

members::members(std::shared_ptr<members> around, failure_rule&& rule)
    : around_(std::move(around)), rule_(std::move(rule)) {}

void members::add_inner(const std::shared_ptr<members>& scope) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(inner_, [](const auto& one) { return one.expired(); });
    inner_.push_back(scope);
    if (!ended_) return;
  }
  scope->end();
}

void members::enter(place& p, port who) noexcept {
  p.at_->who = who;
  p.is_in_ = true;
  const std::lock_guard lock(mutex_);
  all_.splice(all_.end(), p.alone_);
}

void members::leave(place& p) noexcept {
  const std::lock_guard lock(mutex_);
  if (!p.is_in_) return;
  p.is_in_ = false;
  p.alone_.splice(p.alone_.end(), all_, p.at_);
  if (all_.empty()) left_.notify();
}

void members::end() noexcept {
  std::vector<port> existing;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    for (const member& m : all_) {
      if (m.exists) existing.push_back(m.who);
    }
  }
  for (const port p : existing) order_end(p, end_reason::scope_ended);
  for (const auto& scope : inner()) scope->end();
}

std::vector<std::shared_ptr<members>> members::inner() const {
  std::vector<std::shared_ptr<members>> alive;
  const std::lock_guard lock(mutex_);
  for (const auto& one : inner_) {
    if (auto scope = one.lock()) alive.push_back(std::move(scope));
  }
  return alive;
}

bool members::is_empty() const noexcept {
  const std::lock_guard lock(mutex_);
  return all_.empty();
}

bool members::wait(deadline until) noexcept {
  for (;;) {
    if (!wait_for_own(until)) return false;
    const auto scopes = inner();
    for (const auto& scope : scopes) {
      if (!scope->wait(until)) return false;
    }
    // A member of an inner scope may have made one here.
    if (is_empty()) return true;
  }
}

bool members::wait_for_own(deadline until) noexcept {
  for (;;) {
    const auto ticket = left_.prepare();
    if (is_empty()) {
      left_.cancel();
      return true;
    }
    if (const auto done = wait_in_engine(until)) return *done;
    if (!left_.wait(ticket, until)) return is_empty();
  }
}

// The engine of the members may have no workers: then this thread runs it meanwhile. None: it has some, or is gone.
std::optional<bool> members::wait_in_engine(deadline until) noexcept {
  actor::engine_gate* gate = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!all_.empty()) gate = actor::cell_slab::of(actor::cell_of(all_.front().who)).gate.load();
  }
  core* const engine = gate == nullptr ? nullptr : gate->enter();
  if (engine == nullptr) return {};
  std::optional<bool> done;
  if (engine->is_left_behind()) done = true;  // in a child process, where nobody is left
  if (auto* const p = engine->workers().pump(); p != nullptr && !done) {
    done = p->wait([this] { return is_empty(); }, until);
  }
  gate->leave();
  return done;
}

std::size_t members::count() const noexcept {
  std::size_t sum = 0;
  for (const auto& scope : inner()) sum += scope->count();
  const std::lock_guard lock(mutex_);
  return sum + all_.size();
}

const failure_rule* members::rule() const noexcept {
  if (rule_) return &rule_;
  return around_ == nullptr ? nullptr : around_->rule();
}

std::string members::describe() const {
  constexpr std::size_t shown_max = 10;
  std::vector<port> some;
  {
    const std::lock_guard lock(mutex_);
    for (const member& m : all_) {
      if (some.size() < shown_max) some.push_back(m.who);
    }
  }
  std::string text;
  for (const port p : some) text += (text.empty() ? "" : ", ") + actor::describe(p);
  return text;
}

std::shared_ptr<members> open_scope(const std::shared_ptr<members>& around, failure_rule&& rule) {
  auto scope = std::make_shared<members>(around, std::move(rule));
  if (around != nullptr) around->add_inner(scope);
  return scope;
}
void end_scope(members& m) noexcept { m.end(); }
bool wait_scope(members& m, deadline until) noexcept { return m.wait(until); }
std::size_t count_members(const members& m) noexcept { return m.count(); }

void close_scope(members& m) noexcept {
  m.end();
  // On a thread of an engine, also where it calls users, which may be some whom the members wait for.
  if (actor::stay::is_inside_any()) return;
  while (!m.wait(sync::clock::now() + sync::patience::limit)) {
    const std::string text = "tact: a scope waits for actors that do not end: " + m.describe() + "\n";
    if (sync::system* const s = sync::system::current()) {
      s->say(text);
      if (!s->why_in_vain().empty()) return;
      continue;
    }
    std::fputs(text.c_str(), stderr);
  }
}

}  // namespace tact::detail
