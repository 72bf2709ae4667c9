// Handlers that wait for an answer, while their stacks are put aside. docs/protocols/parked_ask.md.
#pragma once

#include <memory>
#include <string_view>

#include "actors/cells/pinned_closures.hpp"
#include "actors/common/names.hpp"
#include "actors/common/phase.hpp"
#include "actors/run/committer.hpp"
#include "actors/run/rehearser.hpp"
#include "actors/staging/lane_front.hpp"
#include "actors/staging/run_state.hpp"
#include "actors/wait/lane_stack.hpp"
#include "actors/wait/parking.hpp"
#include "fiber/fiber.hpp"
#include "sync/owned_counter.hpp"

namespace tact::actors {

// What a thread has to do when a handler has begun to wait, and the messages behind it are to be run.
class lane_runner {
 public:
  virtual void run_messages() = 0;
  // Called when a message is over. False: the hold is over too.
  [[nodiscard]] virtual bool goes_on(bool look_up) = 0;

 protected:
  ~lane_runner() = default;
};

// The messages of a lane are run on a stack of their own. When a handler waits, that stack is put aside with it, and
// another stack goes on with the next message.
// Invariant: a thread that has committed the segment before a wait touches neither the stack nor the message after
// that, because the answer may already let the handler go on elsewhere.
// Thread safety: the thread of the run only, except what is static.
class parker {
 public:
  parker(run_state& r, lane_runner& lane, committer& c, const committer::parts& p, rehearser& twice, parking& shared,
         const phase& reached);

  // Says, as a rule before main, that some handler of this program waits. Any thread.
  static void note_parking() noexcept;
  // False: no handler of this program waits, so that lanes need no stacks of their own.
  [[nodiscard]] static bool may_park() noexcept;
  void run_on_stacks();

  // -- for the handler that asks
  // Returns the address for the answer of the actor `asked`. Throws usage_error where a handler must not wait.
  [[nodiscard]] port reserve_waiter(port asked);
  // Returns the address by which a handler is told that what it has staged is committed.
  [[nodiscard]] port reserve_commit();
  // Commits what was staged, and returns when `w` has been told, perhaps on another thread. From here on nothing
  // throws.
  void park(port reserved, waiter& w) noexcept;
  // The last thing that is done on a stack whose handler has waited. The thread that goes on clears it away.
  [[noreturn]] void leave_stack(lane_stack::outcome how) noexcept;
  // Called in a catch block. True: the handler has waited, and its failure was dealt with here.
  [[nodiscard]] static bool failed_behind_wait();
  // The parker of the thread that runs here, where a handler has waited.
  [[nodiscard]] static parker& behind_wait() noexcept;

  // -- for the thread that dispatches
  // Puts aside a message for an exclusive actor whose handler waits. REQUIRES: its home shard is held here.
  void keep_for_later(mailbox::envelope& e, lane_stack& s) noexcept;
  // Resumes the handler that waits. REQUIRES: its answer, or a failure, is in `e`, and the waiter's cell was claimed.
  void resume(mailbox::envelope& e, cell& c, closure& b);
  void trim() noexcept { stacks_.trim(); }
  // The stack of this thread on which `address` lies behind the end; null if there is none.
  [[nodiscard]] const lane_stack* stack_in_use(const void* address) const noexcept;

 private:
  static void run_on(void* stack);
  [[nodiscard]] bool goes_on_behind_wait();
  [[nodiscard]] fiber::fiber& dispatching_stack() noexcept;
  void look_whether_may_wait(const char* call) const;
  [[nodiscard]] port reserve(port self);
  void put_aside(lane_stack& s) noexcept;
  void lose(mailbox::envelope& e, lane_stack& s) noexcept;
  [[nodiscard]] std::string circle_closed_by(port customer, const lane_stack& s) noexcept;
  [[nodiscard]] bool closes_circle(mailbox::envelope& e, const lane_stack& s) noexcept;
  void look_for_circles(port token, const lane_stack& s) noexcept;
  void commit_last_segment(lane_stack& s);
  void clear_away(lane_stack& s) noexcept;
  void end_then(lane_stack& s) noexcept;
  // Only simulations need to know when a thread enters or leaves the code of a handler.
  void enter_user_code() noexcept;
  void leave_user_code() noexcept;
  void note_parked(const lane_stack& s, sync::event what) noexcept;
  // Record steps of a handler that waits or has waited.
  void note_wait(lane_stack& s) noexcept;
  void note_over(const lane_stack& s, detail::trace_outcome how) noexcept;

  run_state& run_;
  lane_runner& lane_;
  committer& committer_;
  const committer::parts parts_;
  rehearser& rehearser_;
  pinned_closures& pins_;
  wait_circles& circles_;
  const phase& phase_;
  fiber::fiber thread_;                // the stack of the thread itself
  fiber::exception_place exceptions_;  // where the thread that runs the lane keeps its exceptions
  lane_stacks stacks_;
  lane_stack* parked_ = nullptr;  // its handler has just begun to wait; not committed yet
  std::unique_ptr<pinned_closures::entry> spare_pin_;
  port asked_ = 0;  // the actor whose answer the handler is about to wait for
};

}  // namespace tact::actors
