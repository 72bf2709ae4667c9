#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace tact::base {

void assertion_failed(const char* sentence, const char* file, int line) noexcept {
  std::fprintf(stderr, "tact: %s (%s:%d)\n", sentence, file, line);
  std::abort();
}

}  // namespace tact::base
