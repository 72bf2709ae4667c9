// tact::scope: a group of actors that end together.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "tact/creator.hpp"
#include "tact/detail/access.hpp"
#include "tact/engine.hpp"

namespace tact {

// tact::scope group(engine);
// const auto a = group.create(open_account(0));  // create, create_group, spawn and attach: those of creator
//
// The actors made by a scope are its members. Each ends for itself, as all actors do, or when the scope ends. What a
// member's handler makes by self.create belongs to nobody: a scope costs its members a lock when they are made and when
// they end, and who asks for no scope pays nothing. To have it belong to the scope as well, give the handler the scope
// and write group.create: that is staged like self.create.
// A scope may be inside another one: it ends with it, and has its failure rule unless it has its own.
// Messages in flight are accounted for: an order to end goes to each member, behind what this thread has sent to a
// classic or ordered one; what is handled after that is a dead letter.
// Thread safety: all members may be called from any thread, at once. The scope may end after its engine; to create by
// it throws usage_error then. Source of the idea: structured concurrency.
class scope : public creator<scope> {
 public:
  // `rule`: of members without one of their own; an empty one leaves it to the scope around this one, and to the
  // engine.
  explicit scope(engine& e, failure_rule rule = {})
      : members_(detail::open_scope(detail::access::core_of(e), nullptr, std::move(rule))) {}
  // Inside another one, which may be of another engine.
  scope(engine& e, scope& around, failure_rule rule = {})
      : members_(detail::open_scope(detail::access::core_of(e), around.members_, std::move(rule))) {}
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  // Ends the scope. Outside of handlers it waits until all members have ended, so what they refer to may go after it;
  // every ten seconds it says on stderr for whom it waits. Inside a handler, and wherever else an engine calls its
  // users, it does not wait.
  ~scope() { detail::close_scope(*members_); }

  // Ends all members, and those that are made from now on. Does not wait; inside a handler it is no part of the
  // transaction: the orders leave at once.
  void end() noexcept { detail::end_scope(*members_); }

  // Waits until no member is left: they have ended, none of their handlers runs, and their behaviours are destroyed.
  // Inside a handler it throws usage_error, which names the right form.
  void wait() { (void)wait_until({}); }
  // The same; false when the limit passed first.
  template <class Rep, class Period>
  [[nodiscard]] bool wait(std::chrono::duration<Rep, Period> limit) {
    return wait_until(detail::deadline_after(limit));
  }

  // How many members there are, with those of scopes inside: a hint, as they come and go.
  [[nodiscard]] std::size_t size() const noexcept { return detail::count_members(*members_); }

 private:
  friend struct detail::access;

  detail::port put(detail::closure& c, detail::placement where) { return put(c, detail::particulars{where}); }
  detail::port put(detail::closure& c, detail::particulars&& about) {
    return detail::create(members_, c, std::move(about));
  }
  detail::port reserve(detail::placement where) { return reserve(detail::particulars{where}); }
  detail::port reserve(detail::particulars&& about) { return detail::reserve(members_, std::move(about)); }
  void install(detail::port reserved, detail::closure& c) { detail::install(members_, reserved, c); }
  void abandon(detail::port reserved) noexcept { detail::abandon(members_, reserved); }
  bool wait_until(detail::deadline limit) {
    detail::refuse_inside_handler("scope.wait", "let monitors tell when its members have ended");
    return detail::wait_scope(*members_, limit);
  }

  const std::shared_ptr<detail::members> members_;
};

}  // namespace tact
