// A scope: the list of the actors that are its members.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "actors/common/gate.hpp"
#include "sync/eventcount.hpp"
#include "sync/mutex.hpp"
#include "sync/policy.hpp"
#include "tact/detail/creation_options.hpp"
#include "tact/detail/part.hpp"
#include "tact/ended.hpp"

namespace tact::actors {
struct disposal;
}

namespace tact::detail {

// A member enters the scope when it is made, and exists from its commit on. It leaves when it has ended and no worker
// runs it or sees its behaviour any more, or when its run did not commit. Thread safety: any thread.
//
// A scope knows the scopes that were opened inside it, until they have closed and no member is left in them. They are
// visited one after the other, up and down the tree, never by recursion, so that no stack limits how deep scopes are
// nested. A thread that visits them holds one lock at a time, and keeps the scope that it visits alive.
//
// A thread that has waited for all members inside writes down how many had entered the tree before it began. As long as
// no more have entered since, no member is left, and the next thread that waits need not look again.
//
// Invariant: an actor that exists when the scope ends, or begins to exist after that, is sent one order to end.
class members : public part {
 public:
  struct member {
    port who = 0;
    bool exists = false;
    bool is_told = false;  // the call that makes it exist sends it the order to end
  };
  // A place in the list of members. It is made before the actor, so that entering the scope needs no memory.
  class place {
   public:
    // REQUIRES: the actor has not entered. Throws std::bad_alloc.
    void make() {
      alone_.emplace_back();
      at_ = alone_.begin();
    }

   private:
    friend class members;
    std::list<member> alone_;
    std::list<member>::iterator at_;
    bool is_in_ = false;
  };

  // Runs the engine in which the actor lives until `reached`, for a thread that waits. None: that engine has workers,
  // or has ended. False: the deadline passed first.
  using driver = std::optional<bool> (*)(port who, const std::function<bool()>& reached, deadline until);

  // `gate`, `engine_serial` and `disposal`: of the engine in which the scope makes its members. `name`: for people.
  members(actors::engine_gate& gate, std::uint64_t engine_serial, const actors::disposal& disposal,
          std::shared_ptr<members> around, failure_rule&& rule, std::string&& name, driver drive);
  members(const members&) = delete;
  members& operator=(const members&) = delete;
  ~members();
  // From now on `scope` ends when this one does. REQUIRES: called once, before a member enters `scope`.
  void add_inner(const std::shared_ptr<members>& scope);

  void enter(place& p, port who) noexcept;
  // `exist()` makes the actor exist.
  template <class F>
  void make_exist(place& p, F exist) noexcept;
  void leave(place& p) noexcept;

  void end() noexcept;
  // False: the deadline passed first.
  [[nodiscard]] bool wait(deadline until) noexcept;
  // REQUIRES: no thread makes members of this scope any more, and wait has said that none is left.
  void close() noexcept;
  // How many members are left, in the scopes inside too.
  [[nodiscard]] std::size_t count() const noexcept;
  // The failure rule of this scope, or that of a scope around it; null if none of them has one.
  [[nodiscard]] const failure_rule* rule() const noexcept { return rule_in_force_; }
  // At most so many of the members that are left, in the scopes inside too.
  [[nodiscard]] std::vector<port> some(std::size_t most) const;

  // Does this scope make its members in the engine of that serial number?
  [[nodiscard]] bool is_of(std::uint64_t engine_serial) const noexcept { return engine_serial == engine_serial_; }
  // REQUIRES: that engine lives.
  [[nodiscard]] const actors::disposal& disposal() const noexcept { return disposal_; }
  // The gate of that engine, and some day of another one.
  [[nodiscard]] actors::engine_gate& gate() const noexcept { return gate_; }

 private:
  using inner_list = std::list<std::weak_ptr<members>>;

  static void tell_of(const part& p, structure_found& to);

  // -- the tree: each function returns a scope that it keeps alive, or null
  [[nodiscard]] std::shared_ptr<members> first_inner() const noexcept;
  [[nodiscard]] std::shared_ptr<members> inner_after(const members& one) const noexcept;
  [[nodiscard]] std::shared_ptr<members> first_from(inner_list::const_iterator at) const noexcept;
  // The scope that follows `at` inside this one. With `goes_down`, those inside `at` come first.
  // Of the scopes inside of this one, the next behind `at`: below it first, or not below it.
  [[nodiscard]] std::shared_ptr<members> next_inside(const members& at) const noexcept;
  [[nodiscard]] std::shared_ptr<members> next_beside(const members& at) const noexcept;

  void unlink_inner(members& one) noexcept;
  [[nodiscard]] bool is_over() const noexcept;
  [[nodiscard]] bool end_own() noexcept;
  [[nodiscard]] bool is_empty() const noexcept;
  // REQUIRES: the caller holds the lock.
  [[nodiscard]] bool nobody_is_in() const noexcept { return all_.empty() && told_.empty(); }
  [[nodiscard]] bool wait_for_own(deadline until) noexcept;
  [[nodiscard]] std::optional<bool> wait_in_engine(deadline until) noexcept;

  actors::engine_gate& gate_;
  const std::uint64_t engine_serial_;  // tells whether the engine behind the gate is still the same
  const actors::disposal& disposal_;
  std::shared_ptr<members> around_;
  members* const outermost_;  // kept alive by around_, or this one
  const driver drive_;
  const std::string name_;
  const failure_rule rule_;
  const failure_rule* const rule_in_force_;
  inner_list::iterator place_around_{};  // guarded by the lock of around_, as is_linked_ is
  bool is_linked_ = false;
  sync::atomic<std::uint64_t> entered_{0};         // members of the whole tree, ever; in the outermost scope
  sync::atomic<std::uint64_t> empty_when_{~0ULL};  // while entered_ is this, no member is inside
  mutable sync::mutex mutex_;                      // guards what is below, except left_
  sync::eventcount<sync::real> left_;              // notified when the last member has left
  std::list<member> all_;                          // members that have not been told to end
  std::list<member> told_;                         // members that have been told, or will be when they exist
  inner_list inner_;
  bool ended_ = false;
  bool closed_ = false;
};

template <class F>
void members::make_exist(place& p, F exist) noexcept {
  port to_end = 0;
  {
    const std::lock_guard lock(mutex_);
    exist();
    if (!p.is_in_) return;  // the actor has ended already
    p.at_->exists = true;
    if (p.at_->is_told) to_end = p.at_->who;
  }
  if (to_end != 0) order_end(to_end, end_reason::scope_ended);
}

}  // namespace tact::detail
