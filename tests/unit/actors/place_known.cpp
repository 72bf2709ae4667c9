// Compiled for debugging, whatever the build is.
#if defined(NDEBUG)
#undef NDEBUG
#endif
#include "unit/actors/places.hpp"

namespace tact::support {
namespace {

struct note {};
struct known : tact::protocol<note> {};

}  // namespace

unsigned create_with_place(tact::engine& engine) {
  static_cast<void>(engine.create(tact::behavior<known>{[](auto&, const note&) {}}, tact::parallel));
  return __LINE__ - 1;
}

}  // namespace tact::support
