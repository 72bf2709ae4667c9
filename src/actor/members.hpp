// The actors of a scope.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sync/eventcount.hpp"
#include "sync/mutex.hpp"
#include "tact/detail/particulars.hpp"
#include "tact/ended.hpp"

namespace tact::detail {

// A member enters when it is made, exists from its commit on, and leaves when it has ended and nobody runs it or sees
// its behaviour any more; or when its run did not commit. Thread safety: any thread.
// Invariant: who exists when the scope ends, or begins to after that, is sent an order to end, once.
class members {
 public:
  struct member {
    port who = 0;
    bool exists = false;
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

  members(std::shared_ptr<members> around, failure_rule&& rule);
  // Ends when this one does.
  void add_inner(const std::shared_ptr<members>& scope);

  void enter(place& p, port who) noexcept;
  // `exist()` makes the actor exist.
  template <class F>
  void make_exist(place& p, F exist) noexcept;
  void leave(place& p) noexcept;

  void end() noexcept;
  // False: the deadline passed first.
  [[nodiscard]] bool wait(deadline until) noexcept;
  [[nodiscard]] std::size_t count() const noexcept;  // of those inside too
  // Its own rule or that of a scope around it; null if none says anything.
  [[nodiscard]] const failure_rule* rule() const noexcept;
  [[nodiscard]] std::string describe() const;

 private:
  [[nodiscard]] std::vector<std::shared_ptr<members>> inner() const;
  [[nodiscard]] bool is_empty() const noexcept;
  [[nodiscard]] bool wait_for_own(deadline until) noexcept;
  [[nodiscard]] std::optional<bool> wait_in_engine(deadline until) noexcept;

  const std::shared_ptr<members> around_;
  const failure_rule rule_;
  mutable sync::mutex mutex_;          // below: guarded by it
  sync::eventcount<sync::real> left_;  // notified when the last one has left
  std::list<member> all_;
  std::vector<std::weak_ptr<members>> inner_;
  bool ended_ = false;
};

template <class F>
void members::make_exist(place& p, F exist) noexcept {
  port to_end = 0;
  {
    const std::lock_guard lock(mutex_);
    exist();
    if (!p.is_in_) return;  // it has ended already
    p.at_->exists = true;
    if (ended_) to_end = p.at_->who;
  }
  if (to_end != 0) order_end(to_end, end_reason::scope_ended);
}

}  // namespace tact::detail
