// What the runtimes of sieve share.
#pragma once

#include <vector>

#include "savina/parameters.hpp"

namespace bench {

struct sieve_setting {
  explicit sieve_setting(savina_parameters& p)
      : limit(p.number("limit", {100'000, 2'000'000, 300}, "primes below this number are sought", 3)),
        capacity(p.number("capacity", {1'000, 10'000, 8}, "primes that one filter keeps")) {}

  std::uint64_t limit;
  std::uint64_t capacity;
};

// The primes of one filter: the first is there from the beginning.
class prime_filter {
 public:
  prime_filter(std::uint32_t first, std::uint64_t capacity) : capacity_(capacity), primes_{first} {}

  [[nodiscard]] bool lets_pass(std::uint32_t number) const {
    for (const auto prime : primes_) {
      if (number % prime == 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool full() const { return primes_.size() == capacity_; }
  void keep(std::uint32_t prime) { primes_.push_back(prime); }
  [[nodiscard]] std::uint64_t size() const { return primes_.size(); }

 private:
  std::uint64_t capacity_;
  std::vector<std::uint32_t> primes_;
};

struct sieve_result {
  std::uint64_t primes = 0;
  std::uint64_t filters = 0;
  std::uint64_t handled = 0;  // by the filters: numbers, and an end for each
};

// Without a division: each prime marks its multiples. Which filters a number gets to depends on the first of its prime
// factors.
inline sieve_result expected_sieve(const sieve_setting& of) {
  sieve_result expected;
  std::vector<std::uint32_t> factor(of.limit);  // the first: which prime it is, counted from 1
  for (std::uint64_t n = 2; n < of.limit; ++n) {
    const bool prime = factor[n] == 0;
    if (prime) {
      ++expected.primes;
      for (auto m = n; m < of.limit; m += n) {
        if (factor[m] == 0) factor[m] = static_cast<std::uint32_t>(expected.primes);
      }
    }
    if (n % 2 == 0) continue;  // not sent at all
    const std::uint64_t before = factor[n] - 1;
    // A filter is made with its first prime, and does not handle that.
    expected.handled += before / of.capacity + (prime && before % of.capacity == 0 ? 0 : 1);
  }
  expected.filters = (expected.primes + of.capacity - 1) / of.capacity;
  expected.handled += expected.filters;
  return expected;
}

inline void check_sieve(program& p, const sieve_result& found, const sieve_setting& of) {
  const auto expected = expected_sieve(of);
  p.check_equal(found.primes, expected.primes, "primes");
  p.check_equal(found.filters, expected.filters, "filters");
  p.check_equal(found.handled, expected.handled, "messages that the filters handled");
}

}  // namespace bench
