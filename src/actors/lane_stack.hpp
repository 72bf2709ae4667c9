// A stack on which the messages of a lane are run; and what is put aside with it when a handler waits there.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "actors/cell.hpp"
#include "actors/pinned_closures.hpp"
#include "fiber/fiber.hpp"
#include "fiber/stack_pool.hpp"
#include "mailbox/copy_queue.hpp"

namespace tact::actors {

// Lies at the top of its own stack. While a handler of an exclusive actor is parked the actor's word leads here, as to
// a closure. Thread safety: whoever runs on the stack, or has claimed the cell for the answer that is waited for; what
// is put aside, and the word, belong to the holder of the actor's home shard.
struct lane_stack : detail::closure {
  enum class outcome : unsigned char { waits, returned, failed };

  lane_stack(fiber::stack whole, fiber::fiber::entry run) noexcept;

  const fiber::stack memory;
  void* runs_for = nullptr;  // before its handler has waited
  fiber::fiber fiber;
  // -- of the handler that waits
  outcome how = outcome::returned;
  mailbox::envelope* message = nullptr;
  mailbox::chunk* page = nullptr;  // in which the message is
  detail::port target = 0;
  const detail::behavior_type* type = nullptr;
  detail::closure* behavior = nullptr;
  pinned_closures::entry* pin = nullptr;  // of the behaviour of a parallel actor
  cell::word_value seen;                  // by an exclusive actor's handler when it began
  detail::port debt = 0;
  const detail::context_node* context = nullptr;  // held by the message, or by frames on the stack
  detail::port customer = 0;                      // the address for the answer
  detail::port asked = 0;                         // whose answer it is
  lane_stack* next_waiting = nullptr;             // of waits
  lane_stack** led_to_by = nullptr;               // the same: the head of the list, or the link of the one before
  detail::port answered_after = 0;                // the same of another wait, which comes first
  mailbox::copy_queue put_aside;                  // what came for the actor since, if it is exclusive

  [[nodiscard]] cell& where() const noexcept { return cell_of(target); }
  [[nodiscard]] bool is_exclusive() const noexcept { return where().where().is_exclusive(); }
  [[nodiscard]] bool is_for_once() const noexcept { return type->kind == detail::actor_kind::once; }
};

// The stacks of one worker: the one that it runs on, and a few spare ones. Thread safety: owner only.
class lane_stacks {
 public:
  static constexpr std::size_t shared_spare_kept = 256;  // of the engine's pool

  // What runs on each of them is `run`, with the lane_stack as its argument.
  lane_stacks(fiber::stack_pool& shared, fiber::fiber::entry run) noexcept : pool_(&shared), run_(run) {}
  lane_stacks(const lane_stacks&) = delete;
  lane_stacks& operator=(const lane_stacks&) = delete;
  ~lane_stacks();

  // The stack to run on, null when there is none.
  [[nodiscard]] lane_stack* current() const noexcept { return current_; }
  // Makes sure that there is one.
  lane_stack& prepare(void* runs_for) {  // throws std::bad_alloc
    if (current_ != nullptr) return *current_;
    reserve();
    current_ = spare_.back();
    spare_.pop_back();
    current_->runs_for = runs_for;
    return *current_;
  }
  // The next call of prepare does not throw.
  void reserve() {  // throws std::bad_alloc
    if (spare_.empty()) refill();
  }
  // A handler waits on it: from here on it is nobody's.
  lane_stack& leave() noexcept { return *std::exchange(current_, nullptr); }
  // Nobody will run on it again. REQUIRES: it is not the current one.
  void end(lane_stack& s) noexcept;
  // Keeps none.
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
