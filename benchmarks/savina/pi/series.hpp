// What the runtimes of pi share: the terms of its series, and pi by another one to compare with.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

#include "savina/parameters.hpp"

namespace bench {

// A number with so many decimals as the setting says, without the point: 1 is a unit in the last place.
using decimal = boost::multiprecision::cpp_int;

// a / b, to the nearest; of two that are as near to the even one.
inline decimal divide(const decimal& a, const decimal& b) {
  decimal quotient;
  decimal rest;
  boost::multiprecision::divide_qr(a, b, quotient, rest);
  const int half = decimal(2 * rest).compare(b);
  if (half > 0 || (half == 0 && bit_test(quotient, 0))) ++quotient;
  return quotient;
}

// The arc tangent of 1 / n, a few units too large or small.
inline decimal arc_tangent(const decimal& one, unsigned n) {
  decimal power = one / n;
  decimal sum = power;
  for (unsigned i = 1; power != 0; ++i) {
    power /= n * n;
    const decimal term = power / (2 * i + 1);
    sum += i % 2 == 0 ? term : -term;
  }
  return sum;
}

struct pi_sum {
  decimal value;
  std::uint64_t terms = 0;
};

class pi_setting {
 public:
  explicit pi_setting(savina_parameters& p)
      : digits(static_cast<unsigned>(p.number("digits", {5'000, 10'000, 100}, "decimals of pi", 10))),
        workers(p.number("workers", {20, 20, 4}, "actors that compute terms")),
        one(power_of_ten(digits)) {}

  // Of the series of Bailey, Borwein and Plouffe.
  [[nodiscard]] decimal term(std::uint64_t k) const {
    const decimal sum =
        divide(4 * one, 8 * k + 1) - divide(2 * one, 8 * k + 4) - divide(one, 8 * k + 5) - divide(one, 8 * k + 6);
    decimal sixteen_to_k = 1;
    sixteen_to_k <<= 4 * k;
    return divide(sum, sixteen_to_k);
  }
  // A master that gets so small a term asks for no more.
  [[nodiscard]] static bool is_last(const decimal& term) { return term <= 1; }
  // How many terms are asked for at once.
  [[nodiscard]] std::uint64_t terms_ahead() const { return std::min<std::uint64_t>(digits, 10 * workers); }

  // A start; each term is asked for, and comes; each worker is told to stop, and says when it does.
  [[nodiscard]] std::uint64_t messages(std::uint64_t terms) const { return 1 + 2 * terms + 2 * workers; }

  // The number of terms depends on the schedule: when the first one comes that is small enough, those asked for before
  // are on their way.
  void check(program& p, const pi_sum& found, std::uint64_t ahead) const {
    p.check(found.terms != 0 && is_last(term(found.terms - 1)), "terms enough");
    p.check(found.terms <= ahead || !is_last(term(found.terms - ahead - 1)), "no terms too many");
    if (digits == 5'000) p.check(found.terms >= 4'147 && found.terms < 4'147 + ahead, "terms for 5000 decimals");
    p.check(abs(found.value - by_machin()) <= 3 * found.terms, "pi");
  }

  unsigned digits;
  std::uint64_t workers;
  decimal one;

 private:
  static decimal power_of_ten(unsigned exponent) { return pow(decimal(10), exponent); }
  [[nodiscard]] decimal by_machin() const {
    constexpr unsigned spare = 10;
    const decimal finer = one * power_of_ten(spare);
    return 4 * (4 * arc_tangent(finer, 5) - arc_tangent(finer, 239)) / power_of_ten(spare);
  }
};

}  // namespace bench
