#include "support/fast_math.hpp"

#include <chrono>

#include "tact/detail/deadline.hpp"
#include "tact/patterns/detail/backoff.hpp"

namespace tact::support::fast_math {

namespace {

// A type of its own, so that no other code has the same function, compiled otherwise.
using half_seconds_of_double = std::chrono::duration<double, std::ratio<1, 2>>;

bool refuses(const detail::backoff& b) {
  try {
    b.look_at("fast_math");
    return false;
  } catch (const usage_error&) {
    return true;
  }
}

}  // namespace

std::int64_t whole_ns(double half_seconds) { return detail::whole_ns(half_seconds_of_double(half_seconds)); }
bool is_positive(double half_seconds) { return detail::is_positive(half_seconds_of_double(half_seconds)); }
bool refuses_factor(double factor) {
  return refuses({.first = {}, .factor = factor, .most = {}, .jitter = 0, .seed = 0});
}
bool refuses_jitter(double jitter) {
  return refuses({.first = {}, .factor = 1, .most = {}, .jitter = jitter, .seed = 0});
}

}  // namespace tact::support::fast_math
