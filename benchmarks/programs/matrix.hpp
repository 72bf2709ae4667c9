// Matrix, for every runtime: a product of two matrices, each message one row of it. Source: C∀.
#pragma once

#include <cstddef>
#include <vector>

#include "programs/program.hpp"

namespace bench {

struct matrix_setting {
  explicit matrix_setting(program& p)
      : n(p.number("n", 1024, 64, "rows and columns")), stride(n + 4), x(n * stride), y(n * stride), z(n * stride) {
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) x[r * stride + c] = y[r * stride + c] = static_cast<int>(r * c % 37);
    }
  }
  std::size_t n;
  std::size_t stride;  // rows lie as far apart as if each was allocated: a power of two would measure cache conflicts
  std::vector<int> x;
  std::vector<int> y;
  std::vector<int> z;
};

struct matrix_row {
  int* z;
  const int* x;
  const matrix_setting* all;

  // Walks down the columns of y, which caches do not like: so it is meant.
  void multiply() const {
    const std::size_t n = all->n;
    const std::size_t stride = all->stride;
    const int* const y = all->y.data();
    for (std::size_t i = 0; i < n; ++i) {
      int sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += x[j] * y[j * stride + i];
      z[i] = sum;
    }
  }
};

inline matrix_row row_of(matrix_setting& m, std::size_t r) { return {&m.z[r * m.stride], &m.x[r * m.stride], &m}; }

inline void check_matrix(program& p, const matrix_setting& m) {
  std::uint64_t expected = 0;
  for (std::size_t c = 0; c < m.n; ++c) {
    std::uint64_t s = 0;
    for (std::size_t i = 0; i < m.n; ++i) s += i * c % 37;
    expected += s * s;
  }
  std::uint64_t found = 0;
  for (const int z : m.z) found += static_cast<std::uint64_t>(z);
  p.check_equal(found, expected, "sum of the product");
  for (std::size_t r = 0; r < m.n; r += m.n / 8 + 1) {
    for (std::size_t i = 0; i < m.n; ++i) {
      int sum = 0;
      for (std::size_t j = 0; j < m.n; ++j) sum += static_cast<int>(r * j % 37) * static_cast<int>(j * i % 37);
      p.check(m.z[r * m.stride + i] == sum, "an element of the product");
    }
  }
}

}  // namespace bench
