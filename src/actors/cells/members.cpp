#include "actors/cells/members.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "actors/cells/own_loops.hpp"
#include "sync/system.hpp"

namespace tact::detail {

namespace {

// Scopes that are nested are destroyed one after the other, not by recursion, however many they are. While this thread
// destroys a scope, this points to the place where that scope leaves its hold on the scope around it; the outermost
// destructor takes it from there.
constinit thread_local std::shared_ptr<members>* outer_to_go = nullptr;

// How long a thread runs an engine without workers before it looks at its own loops again.
deadline within_a_while(deadline until) noexcept {
  const auto while_ends = sync::clock::now() + std::chrono::milliseconds(1);
  return until ? std::min(*until, while_ends) : while_ends;
}

}  // namespace

members::members(actors::engine_gate& gate, std::uint64_t engine_serial, const actors::disposal& disposal,
                 std::shared_ptr<members> around, failure_rule&& rule, std::string&& name, driver drive)
    : part(part_kind::scope, &members::tell_of),
      gate_(gate),
      engine_serial_(engine_serial),
      disposal_(disposal),
      around_(std::move(around)),
      outermost_(around_ == nullptr ? this : around_->outermost_),
      drive_(drive),
      name_(std::move(name)),
      rule_(std::move(rule)),
      rule_in_force_(rule_                ? &rule_
                     : around_ == nullptr ? nullptr
                                          : around_->rule_in_force_) {}

members::~members() {
  leave_engine(*this);
  if (around_ == nullptr) return;
  around_->unlink_inner(*this);
  if (outer_to_go != nullptr) {
    *outer_to_go = std::move(around_);
    return;
  }
  std::shared_ptr<members> next = std::move(around_);
  outer_to_go = &next;
  while (next != nullptr) {
    const std::shared_ptr<members> gone = std::move(next);
  }
  outer_to_go = nullptr;
}

// -- the tree

void members::add_inner(const std::shared_ptr<members>& scope) {
  inner_list one{scope};
  bool ends = false;
  {
    const std::lock_guard lock(mutex_);
    scope->place_around_ = one.begin();
    scope->is_linked_ = true;
    inner_.splice(inner_.end(), one);
    ends = ended_;
  }
  if (ends) scope->end();
}

void members::unlink_inner(members& one) noexcept {
  inner_list gone;
  const std::lock_guard lock(mutex_);
  if (std::exchange(one.is_linked_, false)) gone.splice(gone.end(), inner_, one.place_around_);
}

// The first scope from there on that still exists: scopes that are being destroyed are left out.
std::shared_ptr<members> members::first_from(inner_list::const_iterator at) const noexcept {
  for (; at != inner_.end(); ++at) {
    if (auto scope = at->lock()) return scope;
  }
  return nullptr;
}

std::shared_ptr<members> members::first_inner() const noexcept {
  const std::lock_guard lock(mutex_);
  return first_from(inner_.begin());
}

// If that scope has closed meanwhile, its place in the list is not known any more: then all are looked at again.
std::shared_ptr<members> members::inner_after(const members& one) const noexcept {
  const std::lock_guard lock(mutex_);
  return first_from(one.is_linked_ ? std::next(inner_list::const_iterator(one.place_around_)) : inner_.begin());
}

std::shared_ptr<members> members::next_inside(const members& at) const noexcept {
  auto below = at.first_inner();
  return below != nullptr ? below : next_beside(at);
}

std::shared_ptr<members> members::next_beside(const members& at) const noexcept {
  for (const members* m = &at; m != this; m = m->around_.get()) {
    if (auto beside = m->around_->inner_after(*m)) return beside;
  }
  return nullptr;
}

bool members::is_over() const noexcept {
  const std::lock_guard lock(mutex_);
  return closed_ && nobody_is_in() && inner_.empty();
}

// A scope that is over is taken out of the one around it. So it costs a thread that goes through that one nothing from
// now on, although its former members may keep it in memory for long.
void members::close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  for (members* m = this; m->around_ != nullptr && m->is_over(); m = m->around_.get()) m->around_->unlink_inner(*m);
}

// -- members

void members::enter(place& p, port who) noexcept {
  p.at_->who = who;
  p.is_in_ = true;
  const std::lock_guard lock(mutex_);
  p.at_->is_told = ended_;
  std::list<member>& those = ended_ ? told_ : all_;
  those.splice(those.end(), p.alone_);
  outermost_->entered_.fetch_add(1);
}

void members::leave(place& p) noexcept {
  const std::lock_guard lock(mutex_);
  if (!p.is_in_) return;
  p.is_in_ = false;
  p.alone_.splice(p.alone_.end(), p.at_->is_told ? told_ : all_, p.at_);
  if (nobody_is_in()) left_.notify();
}

// False: the scope had ended before, or another thread is ending it, together with what is inside it.
bool members::end_own() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(ended_, true)) return false;
  }
  for (;;) {
    port to_end = 0;
    {
      const std::lock_guard lock(mutex_);
      if (all_.empty()) return true;
      member& m = all_.front();
      m.is_told = true;
      told_.splice(told_.end(), all_, all_.begin());
      if (m.exists) to_end = m.who;
    }
    if (to_end != 0) order_end(to_end, end_reason::scope_ended);
  }
}

void members::end() noexcept {
  if (!end_own()) return;
  for (auto inside = first_inner(); inside != nullptr;) {
    const bool goes_down = inside->end_own();
    inside = goes_down ? next_inside(*inside) : next_beside(*inside);
  }
}

bool members::is_empty() const noexcept {
  const std::lock_guard lock(mutex_);
  return nobody_is_in();
}

// A member may have created another one in a scope that was looked at already: then all of them are looked at again.
bool members::wait(deadline until) noexcept {
  for (bool is_clean = false; !is_clean;) {
    const std::uint64_t entered = outermost_->entered_.load();
    if (empty_when_.load() == entered) return true;
    is_clean = is_empty();
    if (!wait_for_own(until)) return false;
    for (auto inside = first_inner(); inside != nullptr; inside = next_inside(*inside)) {
      is_clean = is_clean && inside->is_empty();
      if (!inside->wait_for_own(until)) return false;
    }
    is_clean = is_clean || outermost_->entered_.load() == entered;
    empty_when_.store(entered);
    for (auto inside = first_inner(); inside != nullptr; inside = next_inside(*inside)) {
      inside->empty_when_.store(entered);
    }
  }
  return true;
}

bool members::wait_for_own(deadline until) noexcept {
  actors::with_own_loops loops(left_);
  for (;;) {
    const auto ticket = left_.prepare();
    if (is_empty()) {
      left_.cancel();
      return true;
    }
    if (const auto done = wait_in_engine(loops.any() ? within_a_while(until) : until)) {
      if (*done || detail::is_over(until)) return *done;
      static_cast<void>(loops.run(until));
    } else if (!loops.run(until)) {
      if (detail::is_over(until)) return is_empty();
    } else if (!left_.wait(ticket, until)) {
      return is_empty();
    }
  }
}

// If the engine of the members has no workers, this thread runs it meanwhile. None: it has workers, or has ended.
std::optional<bool> members::wait_in_engine(deadline until) noexcept {
  port who = 0;
  {
    const std::lock_guard lock(mutex_);
    if (nobody_is_in()) return {};
    who = (told_.empty() ? all_ : told_).front().who;
  }
  return drive_(
      who, [this] { return is_empty(); }, until);
}

std::size_t members::count() const noexcept {
  const auto own = [](const members& m) {
    const std::lock_guard lock(m.mutex_);
    return m.all_.size() + m.told_.size();
  };
  std::size_t sum = own(*this);
  for (auto inside = first_inner(); inside != nullptr; inside = next_inside(*inside)) sum += own(*inside);
  return sum;
}

std::vector<port> members::some(std::size_t most) const {
  std::vector<port> found;
  const auto add = [&](const members& m) {
    const std::lock_guard lock(m.mutex_);
    for (const auto* those : {&m.told_, &m.all_}) {
      for (auto at = those->begin(); at != those->end() && found.size() < most; ++at) found.push_back(at->who);
    }
  };
  add(*this);
  for (auto inside = first_inner(); inside != nullptr && found.size() < most;) {
    add(*inside);
    inside = next_inside(*inside);
  }
  return found;
}

void members::tell_of(const part& p, structure_found& to) {
  constexpr std::size_t named_most = 3;  // as many as fit into the line of a scope
  const auto& m = static_cast<const members&>(p);
  scope_description d;
  d.name = m.name_;
  structure_found::scope_place place{&m, m.around_.get(), {}};
  {
    const std::lock_guard lock(m.mutex_);
    d.members = m.all_.size() + m.told_.size();
    d.ends = m.ended_;
    for (const auto* those : {&m.told_, &m.all_}) {
      for (auto at = those->begin(); at != those->end() && place.members.size() < named_most; ++at)
        place.members.push_back(at->who);
    }
  }
  to.scope_places.push_back(std::move(place));
  to.scopes.push_back(std::move(d));
}

}  // namespace tact::detail
