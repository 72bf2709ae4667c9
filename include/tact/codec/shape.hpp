// tact::shape: what values of a type look like in bytes, with the names of their members.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "tact/codec/detail/shape_data.hpp"
#include "tact/codec/detail/shape_parser.hpp"
#include "tact/codec/detail/shape_text.hpp"

namespace tact {

// What is kept beside values, or sent before them, so that a program with other members can read them. A value; const
// functions may be called by any number of threads at once.
class shape {
 public:
  // From the description of another program's type. Takes memory in the size of the description. Throws
  // tact::decode_error if it is none: also if it has more than 64 KiB, or 1,024 parts.
  explicit shape(std::string_view description) : data_(detail::coding::shape_parser(description).parse()) {}

  // Tells shapes apart: shapes that are not made for it never have the same one. An enemy may make two that have.
  [[nodiscard]] std::uint64_t fingerprint() const noexcept { return data_.fingerprint; }
  // The shape as bytes; valid as long as this object.
  [[nodiscard]] std::string_view description() const noexcept { return data_.description; }
  // For people: "account{owner: text, amount: int64}".
  [[nodiscard]] std::string text() const { return detail::coding::text_of_shape(data_); }

  friend bool operator==(const shape& a, const shape& b) noexcept { return a.description() == b.description(); }

 private:
  friend struct detail::coding::shape_access;
  explicit shape(detail::coding::shape_data data) noexcept : data_(std::move(data)) {}

  detail::coding::shape_data data_;
};

namespace detail::coding {

struct shape_access {
  [[nodiscard]] static const shape_data& data(const tact::shape& s) noexcept { return s.data_; }
  [[nodiscard]] static tact::shape made(shape_data data) noexcept { return tact::shape(std::move(data)); }
};

}  // namespace detail::coding

}  // namespace tact

#include "tact/detail/end.hpp"  // last
