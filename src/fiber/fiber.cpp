// The switch itself, over Boost.Context.
#include "fiber/fiber.hpp"

#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <cstring>

#if defined(_LIBCPP_VERSION)
// This function of the C++ runtime leads to the exceptions that the calling thread handles. A header declares it for
// libstdc++ only.
extern "C" void* __cxa_get_globals() noexcept;
#else
using abi::__cxa_get_globals;
#endif

namespace tact::fiber {

namespace context = boost::context::detail;

struct fiber::start_up {
  static void run(context::transfer_t came) {
    fiber& from = *static_cast<fiber*>(came.data);
    fiber& self = *from.next_;
    self.arrive(came.fctx, from);
    self.entry_(self.argument_);
    std::abort();  // an entry that returns has nowhere to go
  }
};

fiber::fiber() noexcept { sanitizer::adopt_thread(notes_); }

fiber::fiber(stack s, entry e, void* argument) noexcept : stack_(s), entry_(e), argument_(argument) {
  on_valgrind_.begin(stack_.bottom, stack_.bytes);
  begin();
}

void fiber::begin() noexcept {
  sanitizer::forget_frames(stack_.bottom, stack_.bytes);  // those of a fiber that was given up there
  if (on_valgrind_.is_known()) forget_frames_on_valgrind(stack_.bottom, stack_.bytes);
  context_ = context::make_fcontext(stack_.bottom + stack_.bytes, stack_.bytes, &start_up::run);
  sanitizer::create(notes_, stack_.bottom, stack_.bytes);
}

void fiber::begin_anew() noexcept {
  sanitizer::destroy(notes_);
  notes_ = {};
  exceptions_ = {};
  begin();
}

fiber::~fiber() {
  if (stack_.bottom == nullptr) return;
  sanitizer::destroy(notes_);
  on_valgrind_.end();
}

inline void fiber::arrive(void* context, fiber& from) noexcept {
  sanitizer::arrive(notes_, from.notes_);
  from.context_ = context;
}

inline void fiber::jump(fiber& to, sanitizer::parting how) noexcept {
  next_ = &to;
  sanitizer::leave(notes_, to.notes_, how);
  const context::transfer_t back = context::jump_fcontext(to.context_, this);
  arrive(back.fctx, *static_cast<fiber*>(back.data));
}

inline void fiber::trade(exception_place here, exception_state& left, const exception_state& wanted) noexcept {
  auto* const globals = static_cast<std::byte*>(here.globals_);
  std::memcpy(&left.caught, globals, sizeof left.caught);
  std::memcpy(&left.uncaught, globals + sizeof left.caught, sizeof left.uncaught);
  std::memcpy(globals, &wanted.caught, sizeof wanted.caught);
  std::memcpy(globals + sizeof wanted.caught, &wanted.uncaught, sizeof wanted.uncaught);
}

void fiber::switch_to(fiber& to, exception_place here) noexcept {
  trade(here, exceptions_, to.exceptions_);
  jump(to, sanitizer::parting::for_now);
}

void fiber::leave(fiber& to, exception_place here) noexcept {
  trade(here, exceptions_, to.exceptions_);
  jump(to, sanitizer::parting::for_good);
  std::abort();  // a fiber was resumed that had left for good
}

// A compiler may know what the accessor of the C++ runtime does, call it once within one function, and keep the result.
// But a fiber may continue on another thread. So this function is never inlined, and the compiler knows nothing about
// it.
[[gnu::noinline]] exception_place exception_place::of_this_thread() noexcept {
  asm volatile("");
  return exception_place(::__cxa_get_globals());
}

exception_place exception_place::of_no_thread() noexcept {
  static std::byte nothing[sizeof(void*) + sizeof(unsigned)];
  return exception_place(nothing);
}

bool exception_place::holds_any() const noexcept {
  void* caught;
  unsigned uncaught;
  std::memcpy(&caught, globals_, sizeof caught);
  std::memcpy(&uncaught, static_cast<const std::byte*>(globals_) + sizeof caught, sizeof uncaught);
  return caught != nullptr || uncaught != 0;
}

}  // namespace tact::fiber
