// tact::scope: a group of actors that end together.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "tact/creator.hpp"
#include "tact/detail/access.hpp"
#include "tact/engine.hpp"
#include "tact/named.hpp"

namespace tact {

// tact::scope group(engine);
// const auto a = group.create(open_account(0));  // create, create_group, spawn and attach: those of creator
//
// The actors made by a scope are its members. Each of them ends by itself, as all actors do, or when the scope ends. An
// actor that a member's handler makes by self.create is no member: a member costs a lock when it is made and when it
// ends, and an actor outside of scopes pays nothing. To make it a member, give the handler the scope and write
// group.create: that is staged like self.create.
// A scope may be inside another one: it ends with that, and has its failure rule unless it has its own.
// No message in flight is lost without account. An order to end goes to each member; to a classic or ordered member it
// goes behind everything that this thread has sent to it. Messages that are handled after the order are dead letters.
// Thread safety: all members may be called from any thread, at once. The scope may end after its engine; then creating
// an actor by it throws usage_error. Source of the idea: structured concurrency.
class scope : public creator<scope> {
 public:
  // `rule` is the failure rule of members without one of their own. An empty rule leaves the decision to the scope
  // around this one, and then to the engine.
  explicit scope(engine& e, failure_rule rule = {})
      : members_(detail::open_listed_scope(detail::access::core_of(e), nullptr, std::move(rule), {})) {}
  // `name` is for people: engine.structure() says it. A name of more than 15 characters costs memory.
  scope(engine& e, named name, failure_rule rule = {})
      : members_(
            detail::open_listed_scope(detail::access::core_of(e), nullptr, std::move(rule), std::move(name.name))) {}
  // A scope inside another one, which may be of another engine.
  scope(engine& e, scope& around, failure_rule rule = {})
      : members_(detail::open_listed_scope(detail::access::core_of(e), around.members_, std::move(rule), {})) {}
  scope(engine& e, scope& around, named name, failure_rule rule = {})
      : members_(detail::open_listed_scope(detail::access::core_of(e), around.members_, std::move(rule),
                                           std::move(name.name))) {}
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;
  // Ends the scope. Outside of handlers the destructor waits until all members have ended, so objects to which they
  // refer may be destroyed after it; every ten seconds a line on stderr says for which members it waits. Meanwhile it
  // pumps the loops of its thread (tact::loop), and runs an engine without workers, in which members live. It does not
  // wait inside a handler, nor wherever else an engine calls code of its users.
  ~scope() { detail::close_scope(*members_); }

  // Ends all members, and actors that are made as members from now on. Does not wait. Inside a handler this is no part
  // of the transaction: the orders to end leave at once.
  void end() noexcept { detail::end_scope(*members_); }

  // Waits until no member is left: all have ended, none of their handlers runs, and their behaviours are destroyed.
  // Throws usage_error inside a handler; its text names what to do instead.
  void wait() { (void)wait_until({}); }
  // Waits as the call above does, but for `limit` at most. Returns false when that passed first.
  template <class Rep, class Period>
  [[nodiscard]] bool wait(std::chrono::duration<Rep, Period> limit) {
    return wait_until(detail::deadline_after(limit));
  }

  // How many members there are, those of scopes inside included. A hint, because members come and go meanwhile.
  [[nodiscard]] std::size_t size() const noexcept { return detail::count_members(*members_); }

 private:
  friend struct detail::access;

  detail::port put(detail::closure& c, detail::placement where) { return put(c, detail::creation_options{where}); }
  detail::port put(detail::closure& c, detail::creation_options&& about) {
    return detail::create(members_, c, std::move(about));
  }
  detail::port reserve(detail::placement where) { return reserve(detail::creation_options{where}); }
  detail::port reserve(detail::creation_options&& about) { return detail::reserve(members_, std::move(about)); }
  void install(detail::port reserved, detail::closure& c) { detail::install(members_, reserved, c); }
  void abandon(detail::port reserved) noexcept { detail::abandon(members_, reserved); }
  bool wait_until(detail::deadline limit) {
    detail::refuse_inside_handler("scope.wait", "let monitors tell when its members have ended");
    return detail::wait_scope(*members_, limit);
  }

  const std::shared_ptr<detail::members> members_;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
