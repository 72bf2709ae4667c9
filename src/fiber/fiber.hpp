// A stack on which a function runs until it hands the thread to another fiber.
#pragma once

#include "fiber/sanitizer.hpp"
#include "fiber/stack_pool.hpp"

namespace tact::fiber {

// The exceptions being handled are the thread's: where it keeps them. To look that up takes about as long as a switch,
// so who switches often does it once for many.
class exception_place {
 public:
  exception_place() noexcept = default;  // REQUIRES: it is assigned before it is used
  [[nodiscard]] static exception_place of_this_thread() noexcept;

  // One is thrown, or caught and not yet done with, on the stack of the caller.
  [[nodiscard]] bool holds_any() const noexcept;

 private:
  friend class fiber;
  explicit exception_place(void* globals) noexcept : globals_(globals) {}

  void* globals_ = nullptr;
};

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

  // Goes on in `to`. REQUIRES: *this is the running fiber, `to` is not; `here` is of the calling thread. Returns when
  // somebody switches to *this.
  void switch_to(fiber& to, exception_place here = exception_place::of_this_thread()) noexcept;
  // The same, for good: once `to` runs, this fiber and its stack may be destroyed, or begun anew.
  [[noreturn]] void leave(fiber& to, exception_place here = exception_place::of_this_thread()) noexcept;
  // When it is switched to next, entry(argument) runs as if for the first time. REQUIRES: it has left for good.
  void begin_anew() noexcept;

  [[nodiscard]] stack own_stack() const noexcept { return stack_; }  // empty for a thread's own

 private:
  // While a fiber is away, the exceptions that it handles lie here.
  struct exception_state {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  struct start_up;
  void begin() noexcept;
  void jump(fiber& to, bool returns) noexcept;
  void arrive(void* context, fiber& from) noexcept;
  // Before a switch: those of the fiber that leaves are kept, those of the one that goes on are the thread's.
  static void trade(exception_place here, exception_state& left, const exception_state& wanted) noexcept;

  void* context_ = nullptr;  // where to go on; valid while it does not run
  fiber* next_ = nullptr;    // whom it left for; a first-time runner finds itself here
  stack stack_;
  entry entry_ = nullptr;
  void* argument_ = nullptr;
  exception_state exceptions_;
  sanitizer::notes notes_;
};

}  // namespace tact::fiber
