// What the runtimes of matrix_multiply share: the matrices, how a product is divided, and whether the result is right.
#pragma once

#include <memory>
#include <vector>

#include "savina/parameters.hpp"

namespace bench {

class matrix {
 public:
  // Rows lie as far apart as if each was allocated: a power of two would measure cache conflicts.
  explicit matrix(std::size_t dimension) : stride_(dimension + 4), elements_(dimension * stride_) {}

  double& operator()(std::size_t row, std::size_t column) { return elements_[row * stride_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return elements_[row * stride_ + column]; }

 private:
  std::size_t stride_;
  std::vector<double> elements_;
};

// What one square block of the left matrix, times one of the right, adds to one of the result.
struct product {
  std::uint32_t row;     // where the block begins, in the left matrix and in the result
  std::uint32_t column;  // in the right matrix and in the result
  std::uint32_t inner;   // where the left one's columns begin, and the right one's rows
  std::uint32_t dimension;
};

// The eight products that it is the sum of.
template <class F>
void for_each_part(const product& whole, F f) {
  const std::uint32_t half = whole.dimension / 2;
  for (const std::uint32_t down : {0U, half}) {
    for (const std::uint32_t right : {0U, half}) {
      for (const std::uint32_t in : {0U, half})
        f(product{whole.row + down, whole.column + right, whole.inner + in, half});
    }
  }
}

struct matrix_multiply_setting {
  explicit matrix_multiply_setting(savina_parameters& p)
      : n(static_cast<std::uint32_t>(p.number("n", {1'024, 2'048, 32}, "rows and columns"))),
        workers(p.number("workers", {20, 40, 4}, "actors that multiply")),
        threshold(p.number("threshold", {16'384, 16'384, 64}, "blocks with more elements are divided")),
        result(n) {
    p.of().require(n <= 16'384, "--n is at most 16384");
    for (std::uint32_t size = n; is_divided({0, 0, 0, size}); size /= 2) {
      p.of().require(size % 2 == 0, "--n can be halved until a block is not divided");
    }
    matrix rows(n);
    matrix columns(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        rows(i, j) = i;
        columns(i, j) = j;
      }
    }
    left = std::make_shared<const matrix>(std::move(rows));
    right = std::make_shared<const matrix>(std::move(columns));
  }

  [[nodiscard]] product whole() const { return {0, 0, 0, n}; }
  [[nodiscard]] bool is_divided(const product& m) const { return std::uint64_t{m.dimension} * m.dimension > threshold; }
  // All products of one block of the result go to the same worker, so no other one adds to it meanwhile.
  [[nodiscard]] std::size_t worker_of(const product& m) const { return (m.row + m.column) % workers; }

  // Walks down the columns of the right matrix, which caches do not like: so it is meant.
  void multiply(const product& m) {
    const matrix& a = *left;
    const matrix& b = *right;
    for (std::uint32_t i = m.row; i < m.row + m.dimension; ++i) {
      for (std::uint32_t j = m.column; j < m.column + m.dimension; ++j) {
        double sum = result(i, j);
        for (std::uint32_t k = m.inner; k < m.inner + m.dimension; ++k) sum += a(i, k) * b(k, j);
        result(i, j) = sum;
      }
    }
  }

  // Each product comes to the master, but for the first one, which it hands out when it is told to start; goes to a
  // worker; and is reported. Each worker is told to stop, and says when it does.
  [[nodiscard]] std::uint64_t messages() const { return 3 * count_products(whole()) + 2 * workers; }

  void check(program& p) const {
    bool right_everywhere = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) right_everywhere &= result(i, j) == static_cast<double>(n) * i * j;
    }
    p.check(right_everywhere, "the elements of the product");
    if (n == 1'024 && threshold == 16'384) p.check_equal(count_products(whole()), 585, "products in all");
  }

  std::uint32_t n;
  std::uint64_t workers;
  std::uint64_t threshold;
  std::shared_ptr<const matrix> left;   // each element is the number of its row
  std::shared_ptr<const matrix> right;  // of its column
  matrix result;

 private:
  [[nodiscard]] std::uint64_t count_products(const product& m) const {
    return is_divided(m) ? 1 + 8 * count_products({0, 0, 0, m.dimension / 2}) : 1;
  }
};

}  // namespace bench
