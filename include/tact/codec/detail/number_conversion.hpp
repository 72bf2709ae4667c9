// Converts numbers of one kind to another one, if that keeps their value.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/shape_data.hpp"

namespace tact::detail::coding {

// A number of any kind.
class any_number {
 public:
  // From the bytes of a number; a bool must be 0 or 1.
  static any_number load(shape_part leaf, const char* at) noexcept {
    switch (leaf) {
      case leaf::int8:
        return of_signed(load_little<std::int8_t>(at));
      case leaf::int16:
        return of_signed(load_little<std::int16_t>(at));
      case leaf::int32:
        return of_signed(load_little<std::int32_t>(at));
      case leaf::int64:
        return of_signed(load_little<std::int64_t>(at));
      case leaf::uint16:
        return of_unsigned(load_little<std::uint16_t>(at));
      case leaf::uint32:
        return of_unsigned(load_little<std::uint32_t>(at));
      case leaf::uint64:
        return of_unsigned(load_little<std::uint64_t>(at));
      case leaf::float32:
        return of_floating(static_cast<double>(load_little<float>(at)));
      case leaf::float64:
        return of_floating(load_little<double>(at));
      default:
        return of_unsigned(load_little<std::uint8_t>(at));
    }
  }

  // Returns false, and writes nothing, if a number of that kind cannot have the value.
  [[nodiscard]] bool append_to(std::string& out, shape_part leaf) const {
    switch (leaf) {
      case leaf::int8:
        return append_integer<std::int8_t>(out);
      case leaf::int16:
        return append_integer<std::int16_t>(out);
      case leaf::int32:
        return append_integer<std::int32_t>(out);
      case leaf::int64:
        return append_integer<std::int64_t>(out);
      case leaf::uint16:
        return append_integer<std::uint16_t>(out);
      case leaf::uint32:
        return append_integer<std::uint32_t>(out);
      case leaf::uint64:
        return append_integer<std::uint64_t>(out);
      case leaf::float32:
        return append_float(out);
      case leaf::float64:
        return append_double(out);
      case leaf::boolean:
        return is_bool() && append_integer<std::uint8_t>(out);
      default:
        return append_integer<std::uint8_t>(out);
    }
  }
  // This, times numerator / denominator. As a floating number it may be rounded; as an integer it is exact, or false is
  // returned.
  [[nodiscard]] bool scale(std::int64_t numerator, std::int64_t denominator, bool to_floating) noexcept {
    if (to_floating) {
      *this = of_floating(as_double() * static_cast<double>(numerator) / static_cast<double>(denominator));
      return true;
    }
    std::int64_t n = 0;
    if (!to_integer(n) || n % denominator != 0) return false;
    if (__builtin_mul_overflow(n / denominator, numerator, &n)) return false;
    *this = of_signed(n);
    return true;
  }

  [[nodiscard]] std::string text() const {
    if (kind_ == kind::floating) return std::to_string(floating_);
    return kind_ == kind::negative ? std::to_string(static_cast<std::int64_t>(bits_)) : std::to_string(bits_);
  }

 private:
  enum class kind { natural, negative, floating };

  static any_number of_signed(std::int64_t n) noexcept {
    any_number a;
    a.kind_ = n < 0 ? kind::negative : kind::natural;
    a.bits_ = static_cast<std::uint64_t>(n);
    return a;
  }
  static any_number of_unsigned(std::uint64_t n) noexcept {
    any_number a;
    a.bits_ = n;
    return a;
  }
  static any_number of_floating(double d) noexcept {
    any_number a;
    a.kind_ = kind::floating;
    a.floating_ = d;
    return a;
  }

  [[nodiscard]] bool is_bool() const noexcept { return kind_ == kind::natural && bits_ <= 1; }
  [[nodiscard]] double as_double() const noexcept {
    if (kind_ == kind::floating) return floating_;
    return kind_ == kind::negative ? static_cast<double>(static_cast<std::int64_t>(bits_)) : static_cast<double>(bits_);
  }
  // Neither infinite nor no number; by the bits, because the user's compiler may take it that there is none.
  [[nodiscard]] bool is_finite() const noexcept {
    return (std::bit_cast<std::uint64_t>(floating_) >> 52 & 0x7FF) != 0x7FF;
  }

  template <class I>
  [[nodiscard]] bool to_integer(I& out) const noexcept {
    if (kind_ == kind::natural) return is_in_range(bits_, out);
    if (kind_ == kind::negative) return is_in_range(static_cast<std::int64_t>(bits_), out);
    constexpr double end_of_signed = 9223372036854775808.0;  // 2^63
    if (!is_finite() || std::trunc(floating_) != floating_) return false;
    if (floating_ < -end_of_signed || floating_ >= 2 * end_of_signed) return false;
    if (floating_ < 0) return is_in_range(static_cast<std::int64_t>(floating_), out);
    return is_in_range(static_cast<std::uint64_t>(floating_), out);
  }
  template <class I, class From>
  [[nodiscard]] static bool is_in_range(From n, I& out) noexcept {
    if (!std::in_range<I>(n)) return false;
    out = static_cast<I>(n);
    return true;
  }
  template <class N>
  static void append_bytes(std::string& out, N n) {
    char bytes[sizeof n];
    store_little(bytes, n);
    out.append(bytes, sizeof bytes);
  }
  template <class I>
  [[nodiscard]] bool append_integer(std::string& out) const {
    I n = 0;
    if (!to_integer(n)) return false;
    append_bytes(out, n);
    return true;
  }
  [[nodiscard]] bool is_kept_by(double d) const noexcept {
    if (kind_ == kind::floating) return true;
    std::uint64_t natural = 0;
    std::int64_t negative = 0;
    const any_number back = of_floating(d);
    return kind_ == kind::natural ? back.to_integer(natural) && natural == bits_
                                  : back.to_integer(negative) && static_cast<std::uint64_t>(negative) == bits_;
  }
  [[nodiscard]] bool append_double(std::string& out) const {
    const double d = as_double();
    if (!is_kept_by(d)) return false;
    append_bytes(out, d);
    return true;
  }
  [[nodiscard]] bool append_float(std::string& out) const {
    const double d = as_double();
    if (!is_kept_by(d)) return false;
    const bool is_special = kind_ == kind::floating && !is_finite();
    if (!is_special && std::abs(d) > static_cast<double>(std::numeric_limits<float>::max())) return false;
    const auto f = static_cast<float>(d);
    if (!is_special && static_cast<double>(f) != d) return false;
    append_bytes(out, f);
    return true;
  }

  kind kind_ = kind::natural;
  std::uint64_t bits_ = 0;
  double floating_ = 0;
};

}  // namespace tact::detail::coding
