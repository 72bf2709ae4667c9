// A stack on which a function runs until it hands the thread to another fiber.
#pragma once

#include "fiber/sanitizer.hpp"
#include "fiber/stack_pool.hpp"

namespace tact::fiber {

// Thread safety: a fiber is run by one thread at a time. It may be resumed by another thread than the one that left it,
// provided that the resumption happens after the switch away from it has returned on the other side.
//
// Code that switches must not use thread-local objects, errno or the thread's id on both sides of a switch within one
// function: a compiler may look them up once. Reach them through functions that are not inlined.
class fiber {
 public:
  using entry = void (*)(void* argument);

  // Stands for the stack on which the calling thread runs now.
  fiber() noexcept;
  // Runs entry(argument) on `s` when it is switched to for the first time. The entry must end with `leave`.
  fiber(stack s, entry, void* argument) noexcept;
  ~fiber();  // REQUIRES: it does not run; what is left on its stack is not unwound
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Goes on in `to`. REQUIRES: *this is the running fiber, `to` is not. Returns when somebody switches to *this.
  void switch_to(fiber& to) noexcept;
  // The same, for good: once `to` runs, this fiber and its stack may be destroyed.
  [[noreturn]] void leave(fiber& to) noexcept;

  // An exception is thrown, or caught and not yet done with, on the stack of the caller.
  [[nodiscard]] static bool handles_exception() noexcept;

  [[nodiscard]] stack own_stack() const noexcept { return stack_; }  // empty for a thread's own

 private:
  // The exceptions being handled are the thread's; while a fiber is away, they lie here.
  struct exception_state {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  struct start_up;
  void jump(fiber& to, bool returns) noexcept;
  void arrive(void* context, fiber& from) noexcept;
  // Before a switch: those of the fiber that leaves are kept, those of the one that goes on are the thread's.
  static void trade(exception_state& left, const exception_state& wanted) noexcept;

  void* context_ = nullptr;  // where to go on; valid while it does not run
  fiber* next_ = nullptr;    // whom it left for; a first-time runner finds itself here
  stack stack_;
  entry entry_ = nullptr;
  void* argument_ = nullptr;
  exception_state exceptions_;
  sanitizer::notes notes_;
};

}  // namespace tact::fiber
