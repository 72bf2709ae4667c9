// The actors of a scope.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "actors/gate.hpp"
#include "sync/eventcount.hpp"
#include "sync/mutex.hpp"
#include "sync/policy.hpp"
#include "tact/detail/particulars.hpp"
#include "tact/ended.hpp"

namespace tact::detail {

// A member enters when it is made, exists from its commit on, and leaves when it has ended and nobody runs it or sees
// its behaviour any more; or when its run did not commit. Thread safety: any thread.
//
// A scope knows those that were opened inside it, as long as they are there: until they have closed and nobody is left
// in them. They are looked at one after the other, up and down the tree, and never one call inside the other, so that
// no stack limits how deep scopes are nested. Whoever looks holds one lock at a time, and the one he looks at.
//
// Who has waited for all that are inside writes down how often a member had entered the tree before he began. As long
// as nobody has entered since, nobody is there, and the next one who waits need not look again.
//
// Invariant: who exists when the scope ends, or begins to after that, is sent an order to end, once.
class members {
 public:
  struct member {
    port who = 0;
    bool exists = false;
    bool is_told = false;  // whoever makes it exist sends it the order to end
  };
  // A place in the list of members, made before the actor, so that to enter needs no memory.
  class place {
   public:
    // REQUIRES: before it enters. Throws std::bad_alloc.
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

  members(const core& engine, std::shared_ptr<members> around, failure_rule&& rule);
  members(const members&) = delete;
  members& operator=(const members&) = delete;
  ~members();
  // Ends when this one does. Once, before anybody enters it.
  void add_inner(const std::shared_ptr<members>& scope);

  void enter(place& p, port who) noexcept;
  // `exist()` makes the actor exist.
  template <class F>
  void make_exist(place& p, F exist) noexcept;
  void leave(place& p) noexcept;

  void end() noexcept;
  // False: the deadline passed first.
  [[nodiscard]] bool wait(deadline until) noexcept;
  // Nobody makes members of this one any more, and wait has said that none is left.
  void close() noexcept;
  [[nodiscard]] std::size_t count() const noexcept;  // of those inside too
  // Its own rule or that of a scope around it; null if none says anything.
  [[nodiscard]] const failure_rule* rule() const noexcept { return rule_in_force_; }
  [[nodiscard]] std::string describe() const;  // some of those who are left, inside too

  // Is it the engine that this scope makes its members in?
  [[nodiscard]] bool is_of(const core& engine) const noexcept;
  // That engine, to be left soon (core::gate); null: it has ended.
  [[nodiscard]] core* enter_engine() const noexcept;

 private:
  using inner_list = std::list<std::weak_ptr<members>>;

  // -- the tree: each returns one that is held, or null
  [[nodiscard]] std::shared_ptr<members> first_inner() const noexcept;
  [[nodiscard]] std::shared_ptr<members> inner_after(const members& one) const noexcept;
  [[nodiscard]] std::shared_ptr<members> first_from(inner_list::const_iterator at) const noexcept;
  // The one that follows `at` inside this one, with what is inside `at` if `goes_down`.
  [[nodiscard]] std::shared_ptr<members> next_inside(const members& at, bool goes_down) const noexcept;

  void unlink_inner(members& one) noexcept;
  [[nodiscard]] bool is_over() const noexcept;
  [[nodiscard]] bool end_own() noexcept;
  [[nodiscard]] bool is_empty() const noexcept;
  [[nodiscard]] bool nobody_is_in() const noexcept { return all_.empty() && told_.empty(); }  // under the lock
  [[nodiscard]] bool wait_for_own(deadline until) noexcept;
  [[nodiscard]] std::optional<bool> wait_in_engine(deadline until) noexcept;

  actors::engine_gate& gate_;          // of its engine, and some day of another one:
  const std::uint64_t engine_serial_;  // says which
  std::shared_ptr<members> around_;
  members* const outermost_;  // held by around_, or this one
  const failure_rule rule_;
  const failure_rule* const rule_in_force_;
  inner_list::iterator place_around_{};  // guarded by the lock of around_, as is_linked_
  bool is_linked_ = false;
  sync::atomic<std::uint64_t> entered_{0};         // in the whole tree, counted in the outermost one
  sync::atomic<std::uint64_t> empty_when_{~0ULL};  // nobody is inside as long as no more have entered
  mutable sync::mutex mutex_;                      // below: guarded by it
  sync::eventcount<sync::real> left_;              // notified when the last one has left
  std::list<member> all_;                          // who has not been told to end
  std::list<member> told_;                         // who has, or will be when he exists
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
    if (!p.is_in_) return;  // it has ended already
    p.at_->exists = true;
    if (p.at_->is_told) to_end = p.at_->who;
  }
  if (to_end != 0) order_end(to_end, end_reason::scope_ended);
}

}  // namespace tact::detail
