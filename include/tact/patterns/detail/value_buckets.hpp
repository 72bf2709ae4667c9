// The buckets of distributions: which numbers are counted together.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tact::detail {

// 32 buckets for each power of two. A number below 64 has a bucket of its own.
struct value_buckets {
  static constexpr unsigned split_bits = 5;
  static constexpr std::size_t split = std::size_t{1} << split_bits;
  static constexpr std::size_t count = split * (64 - split_bits + 1);

  static constexpr std::size_t index_of(std::uint64_t value) noexcept {
    if (value < split) return static_cast<std::size_t>(value);
    const auto shift = static_cast<unsigned>(std::bit_width(value)) - split_bits - 1;
    return split * shift + static_cast<std::size_t>(value >> shift);
  }
  static constexpr std::uint64_t least_of(std::size_t bucket) noexcept {
    if (bucket < split) return bucket;
    return static_cast<std::uint64_t>(split + bucket % split) << shift_of(bucket);
  }
  static constexpr std::uint64_t greatest_of(std::size_t bucket) noexcept {
    return least_of(bucket) + (width_of(bucket) - 1);
  }
  static constexpr std::uint64_t middle_of(std::size_t bucket) noexcept {
    return least_of(bucket) + width_of(bucket) / 2;
  }

  // A sum beyond 64 bits stays the largest number.
  static constexpr std::uint64_t sum_of(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();
    return b > most - a ? most : a + b;
  }
  // The same for a product.
  static constexpr std::uint64_t product_of(std::uint64_t a, std::uint64_t b) noexcept {
    constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)();
    return a != 0 && b > most / a ? most : a * b;
  }

 private:
  static constexpr unsigned shift_of(std::size_t bucket) noexcept {
    return bucket < split ? 0 : static_cast<unsigned>(bucket / split) - 1;
  }
  static constexpr std::uint64_t width_of(std::size_t bucket) noexcept { return std::uint64_t{1} << shift_of(bucket); }
};

}  // namespace tact::detail
