// A stack on which the messages of a lane are run, and what is put aside with it when a handler waits on it.
// Protocol page: docs/protocols/parked_ask.md.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "actors/cells/cell.hpp"
#include "actors/cells/pinned_closures.hpp"
#include "actors/failure/core_messages.hpp"
#include "fiber/fiber.hpp"
#include "fiber/stack_pool.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::actors {

// This record lies at the top of its own stack. While a handler of an exclusive actor is parked, the actor's word leads
// here instead of to the closure. Thread safety: only the thread that runs on the stack uses the record, or the thread
// that has claimed the waiter's cell; put_aside, and the actor's word, belong to the holder of the actor's home shard.
// Invariant: a worker that has committed a segment touches neither the stack nor the message after that, because an
// answer may already let the handler go on elsewhere.
struct lane_stack : detail::closure {
  enum class outcome : unsigned char { waits, returned, failed };

  lane_stack(fiber::stack whole, fiber::fiber::entry run) noexcept;

  const fiber::stack memory;
  void* runs_for = nullptr;  // the parker of the thread that runs on the stack, or did last
  fiber::fiber fiber;
  // -- for the handler that waits
  outcome how = outcome::returned;
  mailbox::envelope* message = nullptr;
  mailbox::chunk* page = nullptr;  // the chunk in which the message lies, which is pinned
  detail::port target = 0;
  const detail::behavior_type* type = nullptr;
  detail::closure* behavior = nullptr;
  pinned_closures::entry* pin = nullptr;          // keeps the behaviour of a parallel actor
  cell::word_value seen;                          // the word of an exclusive actor before the wait
  detail::port debt = 0;                          // the customer whom the handler still owes an answer
  detail::port deferred = 0;                      // the one whose answer it has deferred
  std::uint64_t traced_as = 0;                    // the number of the message, where steps are recorded
  const detail::context_node* context = nullptr;  // the message, or frames on the stack, hold it
  detail::port customer = 0;                      // the waiter's address, to which the answer comes
  detail::port asked = 0;                         // the actor whose answer the handler waits for; 0: it commits
  lane_stack* next_waiting = nullptr;             // the link of a list of actors::wait_circles
  lane_stack** led_to_by = nullptr;               // the head of that list, or the link of the record before
  detail::port answered_after = 0;                // `customer` of the wait that must end before this one; 0: none
  mailbox::copy_queue put_aside;                  // messages that came meanwhile for an exclusive actor
  std::optional<end_order> ends_then;             // an order that came meanwhile, for which there was no memory there

  [[nodiscard]] cell& where() const noexcept { return cell_of(target); }
  // Its word says that it waits; that of a one-shot says that it was claimed.
  [[nodiscard]] bool is_exclusive() const noexcept { return where().where().is_exclusive() && !is_for_once(); }
  [[nodiscard]] bool is_for_once() const noexcept { return type->kind == detail::actor_kind::once; }
};

// The stacks of one worker: the one on which it runs messages, and a few spare ones. Thread safety: owner only.
class lane_stacks {
 public:
  static constexpr std::size_t shared_spare_kept = 256;  // spare stacks that the engine's pool keeps

  // `run` is the function that runs on each stack, with its lane_stack as the argument.
  lane_stacks(fiber::stack_pool& shared, fiber::fiber::entry run) noexcept : pool_(&shared), run_(run) {}
  lane_stacks(const lane_stacks&) = delete;
  lane_stacks& operator=(const lane_stacks&) = delete;
  ~lane_stacks();

  // The stack to run on; null: the worker has none now.
  [[nodiscard]] lane_stack* current() const noexcept { return current_; }
  // Makes sure that there is a current stack, and returns it.
  lane_stack& prepare(void* runs_for) {  // throws std::bad_alloc
    if (current_ != nullptr) return *current_;
    reserve();
    current_ = spare_.back();
    spare_.pop_back();
    current_->runs_for = runs_for;
    return *current_;
  }
  // Makes sure that the next call of prepare does not throw.
  void reserve() {  // throws std::bad_alloc
    if (spare_.empty()) refill();
  }
  // Gives away the current stack, because a handler waits on it: the worker has no current stack any more.
  lane_stack& leave() noexcept { return *std::exchange(current_, nullptr); }
  // Takes back a stack whose handler is over. REQUIRES: it is not the current one, and no thread runs on it.
  void end(lane_stack& s) noexcept;
  // Gives all stacks back to the pool.
  void trim() noexcept;

 private:
  static constexpr std::size_t spare_max = 64;

  void refill();
  void give_back(lane_stack& s) noexcept;

  fiber::stack_pool* const pool_;
  const fiber::fiber::entry run_;
  lane_stack* current_ = nullptr;
  std::vector<lane_stack*> spare_;
};

}  // namespace tact::actors
