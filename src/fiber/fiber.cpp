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
    restore(self.exceptions_);
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
  save(exceptions_);
  jump(to, true);
  restore(exceptions_);
}

void fiber::leave(fiber& to) noexcept {
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
// come back on another thread: hence one function for each side, never inlined.
[[gnu::noinline]] void fiber::save(exception_state& s) noexcept {
  const auto* globals = reinterpret_cast<const std::byte*>(abi::__cxa_get_globals());
  std::memcpy(&s.caught, globals, sizeof s.caught);
  std::memcpy(&s.uncaught, globals + sizeof s.caught, sizeof s.uncaught);
}

[[gnu::noinline]] void fiber::restore(const exception_state& s) noexcept {
  auto* globals = reinterpret_cast<std::byte*>(abi::__cxa_get_globals());
  std::memcpy(globals, &s.caught, sizeof s.caught);
  std::memcpy(globals + sizeof s.caught, &s.uncaught, sizeof s.uncaught);
}

}  // namespace tact::fiber
