// How long to wait before what has failed is tried again, when each wait is longer than the one before.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "tact/detail/deadline.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/mix.hpp"

namespace tact::detail {

// Each delay is `factor` times as long as the one before, `most` at most; of each a random part is taken off, `jitter`
// of it at most. No value that passes `look_at` makes a delay that is negative, or longer than `most`.
struct backoff {
  std::chrono::nanoseconds first;
  double factor;
  std::chrono::nanoseconds most;
  double jitter;
  std::uint64_t seed;

  // Throws usage_error, which names `who`, for values that make no sense.
  void look_at(const char* who) const {
    const auto refuse = [who](const char* why) { throw usage_error(std::string(who) + why); };
    if (!is_number(factor) || factor < 1) refuse(": factor is below 1: delays must not become shorter");
    if (!is_number(jitter) || jitter < 0 || jitter > 1) refuse(": jitter is a part of a delay, from 0 to 1");
    if (first.count() < 0 || most.count() < 0) refuse(": a delay is negative");
  }

  // The delay behind the failure of that number, the first is 1; `drawn`: how many random parts were drawn before.
  [[nodiscard]] std::chrono::nanoseconds after(std::uint64_t failures, std::uint64_t drawn) const noexcept {
    const std::int64_t whole = grown(failures);
    return std::chrono::nanoseconds(whole - part_of(whole, jitter * random_part(drawn)));
  }

 private:
  [[nodiscard]] std::int64_t grown(std::uint64_t failures) const noexcept {
    if (failures <= 1 || first.count() == 0) return std::min(first, most).count();
    // `most` itself, if it is the result: as a double it may be more than a std::int64_t can say.
    const double ns = static_cast<double>(first.count()) * power(factor, failures - 1);
    if (!(ns < static_cast<double>(most.count()))) return most.count();
    // A double has fewer digits than a delay: one that grows by little might become less than it was.
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(ns), std::min(first, most).count(), most.count());
  }
  [[nodiscard]] static std::int64_t part_of(std::int64_t whole, double part) noexcept {
    const double ns = static_cast<double>(whole) * part;
    return ns < static_cast<double>(whole) ? static_cast<std::int64_t>(ns) : whole;
  }
  [[nodiscard]] static double power(double base, std::uint64_t exponent) noexcept {
    double product = 1;
    for (; exponent != 0; exponent /= 2, base *= base) product *= exponent % 2 == 0 ? 1 : base;
    return product;
  }
  // From 0 to 1.
  [[nodiscard]] double random_part(std::uint64_t drawn) const noexcept {
    return static_cast<double>(mix(seed + drawn * 0x9e3779b97f4a7c15) >> 11) / 9007199254740992.0;
  }
};

}  // namespace tact::detail
