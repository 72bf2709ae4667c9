// What the runtimes of trapezoid share: the function, its area by trapezoids, and what that must be.
#pragma once

#include <cmath>

#include "savina/parameters.hpp"

namespace bench {

inline double height_at(double x) {
  return std::sin(x * x * x - 1) / (x + 1) * std::sqrt(1 + std::exp(std::sqrt(2 * x)));
}

struct interval {
  double left;
  double right;
  double step;  // the width of one trapezoid
};

struct area {
  double size = 0;
  std::uint64_t pieces = 0;

  void add(const area& other) {
    size += other.size;
    pieces += other.pieces;
  }
};

inline area area_under(const interval& i) {
  // To the nearest: the suite cuts off, and so loses a piece of some intervals.
  const auto pieces = static_cast<std::uint64_t>(std::llround((i.right - i.left) / i.step));
  double size = 0;
  for (std::uint64_t k = 0; k < pieces; ++k) {
    const double x = i.left + static_cast<double>(k) * i.step;
    size += 0.5 * (height_at(x) + height_at(x + i.step)) * i.step;
  }
  return {size, pieces};
}

class trapezoid_setting {
 public:
  explicit trapezoid_setting(savina_parameters& p)
      : pieces(p.number("pieces", {10'000'000, 400'000'000, 1'000}, "trapezoids")),
        workers(p.number("workers", {100, 4'000, 10}, "actors that add them up")) {
    p.of().require(pieces % workers == 0, "--pieces is a multiple of --workers");
  }

  [[nodiscard]] interval whole() const { return {left, right, step()}; }
  [[nodiscard]] interval share(std::uint64_t number) const {
    const double width = (right - left) / static_cast<double>(workers);
    const double begin = left + static_cast<double>(number) * width;
    return {begin, begin + width, step()};
  }
  // What the first actor gets and what it hears, and what its workers get.
  [[nodiscard]] std::uint64_t messages() const { return 1 + 2 * workers; }

  void check(program& p, const area& found) const {
    p.check_equal(found.pieces, pieces, "trapezoids added up");
    // The integral to all digits of a double, and the first term of Euler's and Maclaurin's formula for what trapezoids
    // lack: (f'(right) - f'(left)) / 12 times the square of the step. The next one is below a hundred fourth powers.
    constexpr double integral = 0.271080751953077524;
    constexpr double lack = -0.761193898561343;
    const double square = step() * step();
    const double wrong = std::abs(found.size - (integral + lack * square));
    p.check(wrong <= 1e-11 * integral + 100 * square * square, "the area");
  }

  std::uint64_t pieces;
  std::uint64_t workers;

 private:
  static constexpr double left = 1;
  static constexpr double right = 5;

  [[nodiscard]] double step() const { return (right - left) / static_cast<double>(pieces); }
};

}  // namespace bench
