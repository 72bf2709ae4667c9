// The table of numbers that tests try on functions and options, each with the extremes of its type.
#pragma once

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/simulation.hpp"

namespace tact::support {

template <class T>
std::vector<T> extremes() {
  using limits = std::numeric_limits<T>;
  std::vector<T> all{T(0), T(1), T(2), T(3), limits::lowest(), limits::max()};
  if constexpr (std::is_floating_point_v<T>) {
    for (const T more : {T(-0.0), T(-1), T(0.5), limits::min(), limits::denorm_min(), limits::infinity(),
                         -limits::infinity(), limits::quiet_NaN()})
      all.push_back(more);
  } else {
    for (const T more : {T(0) - T(1), limits::max() - T(1), limits::max() / T(2), T(63), T(64), T(65)})
      all.push_back(static_cast<T>(more));
  }
  return all;
}

// What was tried, and what is wrong with it; empty: nothing.
struct row {
  const char* name;
  std::function<std::string()> judge;
};

// `tries(sim, engine, value)` returns whether it has worked. Where `refuses(value)` it must throw, and the error names
// `thing`; else it must not.
template <class T, class Refuses, class Tries>
row number(const char* name, const char* thing, Refuses refuses, Tries tries) {
  return {name, [=]() -> std::string {
            for (const T v : extremes<T>()) {
              std::string wrong;
              const bool must_refuse = refuses(v);
              try {
                simulation sim(1);
                engine& e = sim.engine(quiet_options(2));
                if (!tries(sim, e, v)) wrong = "does not work";
                if (must_refuse) wrong = "is not refused";
                if (!sim.failure().empty()) wrong = sim.failure();
              } catch (const std::logic_error& error) {
                const std::string what = error.what();
                if (!must_refuse) wrong = "is refused: " + what;
                if (what.find(thing) == std::string::npos) wrong = "the error does not name it: " + what;
              }
              if (!wrong.empty()) return std::to_string(v) + ": " + wrong;
            }
            return "";
          }};
}

inline constexpr auto never = [](auto) { return false; };
inline constexpr auto zero = [](auto v) { return v == 0; };
inline constexpr auto not_positive = [](auto v) { return v <= 0; };
inline constexpr auto negative = [](auto v) {
  if constexpr (std::is_unsigned_v<decltype(v)>) {
    return false;
  } else {
    return !(v >= 0);  // NaN is refused, too
  }
};

inline void require_right(const std::vector<row>& rows) {
  for (const row& r : rows) {
    INFO(r.name);
    CHECK(r.judge() == "");
  }
}

}  // namespace tact::support
