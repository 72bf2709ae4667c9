// Not compiled for debugging, whatever the build is.
#if !defined(NDEBUG)
#define NDEBUG
#endif
#include "unit/actors/misuses.hpp"

namespace tact::support {
namespace {

struct note {};
struct keeper : tact::protocol<note> {};

// What was kept is looked at as it was: its own place on the stack of the worker is another's by now.
alignas(tact::self<keeper>) unsigned char kept[sizeof(tact::self<keeper>)];

}  // namespace

void keep_self(tact::engine& engine) {
  engine.create(tact::behavior<keeper>{[](tact::self<keeper>& self, const note&) {
                  __builtin_memcpy(kept, static_cast<const void*>(&self), sizeof kept);
                }},
                tact::parallel) |
      note{};
}

void use_kept_self(tact::engine& engine) {
  auto& self = *reinterpret_cast<tact::self<keeper>*>(kept);
  self.send(engine.create(tact::behavior<keeper>{[](auto&, const note&) {}}, tact::parallel), note{});
}

}  // namespace tact::support
