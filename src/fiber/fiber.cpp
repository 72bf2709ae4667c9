// The switch itself, over Boost.Context.
#include "fiber/fiber.hpp"

#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <cstring>

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
  sanitizer::forget_frames(s.bottom, s.bytes);  // of a fiber that was given up there
  context_ = context::make_fcontext(s.bottom + s.bytes, s.bytes, &start_up::run);
  sanitizer::create(notes_, s.bottom, s.bytes);
}

fiber::~fiber() {
  if (stack_.bottom != nullptr) sanitizer::destroy(notes_);
}

void fiber::switch_to(fiber& to) noexcept {
  trade(exceptions_, to.exceptions_);
  jump(to, true);
}

void fiber::leave(fiber& to) noexcept {
  trade(exceptions_, to.exceptions_);
  jump(to, false);
  std::abort();  // somebody resumed a fiber that had left for good
}

void fiber::jump(fiber& to, bool returns) noexcept {
  next_ = &to;
  sanitizer::leave(notes_, to.notes_, returns);
  const context::transfer_t back = context::jump_fcontext(to.context_, this);
  arrive(back.fctx, *static_cast<fiber*>(back.data));
}

void fiber::arrive(void* context, fiber& from) noexcept {
  sanitizer::arrive(notes_, from.notes_);
  from.context_ = context;
}

// The C++ runtime declares its accessor const, so that within one function a compiler may call it once. A fiber may
// come back on another thread: hence functions that are never inlined.
[[gnu::noinline]] void fiber::trade(exception_state& left, const exception_state& wanted) noexcept {
  auto* const globals = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
  std::memcpy(&left.caught, globals, sizeof left.caught);
  std::memcpy(&left.uncaught, globals + sizeof left.caught, sizeof left.uncaught);
  std::memcpy(globals, &wanted.caught, sizeof wanted.caught);
  std::memcpy(globals + sizeof wanted.caught, &wanted.uncaught, sizeof wanted.uncaught);
}

[[gnu::noinline]] bool fiber::handles_exception() noexcept {
  exception_state now;
  const auto* const globals = reinterpret_cast<const std::byte*>(abi::__cxa_get_globals());
  std::memcpy(&now.caught, globals, sizeof now.caught);
  std::memcpy(&now.uncaught, globals + sizeof now.caught, sizeof now.uncaught);
  return now.caught != nullptr || now.uncaught != 0;
}

}  // namespace tact::fiber
