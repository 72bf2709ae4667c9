// Not compiled for debugging, whatever the build is.
#if !defined(NDEBUG)
#define NDEBUG
#endif
#include "unit/actors/places.hpp"

namespace tact::support {
namespace {

struct note {};
struct unknown : tact::protocol<note> {};

}  // namespace

unsigned create_without_place(tact::engine& engine) {
  static_cast<void>(engine.create(tact::behavior<unknown>{[](auto&, const note&) {}}, tact::parallel));
  return 0;
}

}  // namespace tact::support
