// A stack on which a function runs until it hands the thread to another fiber.
#pragma once

#include "fiber/sanitizer.hpp"
#include "fiber/stack_pool.hpp"
#include "fiber/valgrind.hpp"

namespace tact::fiber {

// Where a thread keeps the exceptions that it is handling: they belong to the thread, so a switch must exchange them.
// The look-up takes about as long as a switch, so a caller that switches often does it once for many switches.
class exception_place {
 public:
  exception_place() noexcept = default;  // REQUIRES: it is assigned before it is used
  [[nodiscard]] static exception_place of_this_thread() noexcept;
  // A place for a switch after which the thread-local objects are others, and among them the exceptions.
  [[nodiscard]] static exception_place of_no_thread() noexcept;

  // True: an exception has been thrown on the caller's stack and is not handled completely yet.
  [[nodiscard]] bool holds_any() const noexcept;

 private:
  friend class fiber;
  explicit exception_place(void* globals) noexcept : globals_(globals) {}

  void* globals_ = nullptr;
};

// Thread safety: one thread at a time runs a fiber. Another thread than the one that left it may resume it, provided
// that the switch away from it has returned on the other side before.
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

  // Continues in `to`. REQUIRES: *this is the running fiber, `to` is not; `here` is of the calling thread. Returns when
  // a fiber switches to *this.
  void switch_to(fiber& to, exception_place here = exception_place::of_this_thread()) noexcept;
  // Continues in `to` for good: once `to` runs, this fiber and its stack may be destroyed, or begun anew.
  [[noreturn]] void leave(fiber& to, exception_place here = exception_place::of_this_thread()) noexcept;
  // At the next switch to this fiber, entry(argument) runs as if for the first time. REQUIRES: the fiber has left for
  // good.
  void begin_anew() noexcept;

  [[nodiscard]] stack own_stack() const noexcept { return stack_; }  // empty for the own stack of a thread

 private:
  // Keeps the exceptions that a fiber is handling, while the fiber does not run.
  struct exception_state {
    void* caught = nullptr;
    unsigned uncaught = 0;
  };

  struct start_up;
  void begin() noexcept;
  void jump(fiber& to, sanitizer::parting how) noexcept;
  void arrive(void* context, fiber& from) noexcept;
  // Before a switch: keeps the exceptions of the fiber that leaves, and gives those of the fiber that continues to the
  // thread.
  static void trade(exception_place here, exception_state& left, const exception_state& wanted) noexcept;

  void* context_ = nullptr;  // where the fiber continues; valid while it does not run
  fiber* next_ = nullptr;    // the fiber it last switched to; by it, a fiber that starts finds itself
  stack stack_;
  entry entry_ = nullptr;
  void* argument_ = nullptr;
  exception_state exceptions_;
  sanitizer::notes notes_;
  valgrind_stack on_valgrind_;
};

}  // namespace tact::fiber
