// Says what is wrong with a type that cannot be encoded, and what to do.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "tact/codec/detail/codec_kind.hpp"
#include "tact/codec/detail/codec_members.hpp"

namespace tact::detail::coding {

// The conditions have names of their own, because the compiler prints them with the type.
template <class T>
inline constexpr bool is_no_pointer =
    !std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::is_null_pointer_v<T>;
template <class T>
inline constexpr bool is_no_array = !std::is_array_v<T>;
template <class T>
inline constexpr bool is_no_union = !std::is_union_v<T>;
template <class T>
inline constexpr bool is_no_constant = !std::is_const_v<T> && !std::is_reference_v<T>;
template <class T>
inline constexpr bool has_fixed_values = fixed_enumeration<T>;
template <class T>
inline constexpr bool is_made_by_braces = std::is_default_constructible_v<T>;
template <class T>
inline constexpr bool is_known_to_codec = kind_of<T> != codec_kind::unknown;
template <class T>
inline constexpr bool has_no_base = !has_base<T>;
template <class T>
inline constexpr bool has_few_members = member_count<T> <= most_members;

template <class T, class Before, class Behind>
inline constexpr bool takes_braces_between = false;
template <class T, std::size_t... Before, std::size_t... Behind>
inline constexpr bool takes_braces_between<T, std::index_sequence<Before...>, std::index_sequence<Behind...>> =
    requires {
      T{any_at<T, Before>{}..., {}, any_at<T, Behind>{}...};
    };
template <class T, std::size_t... I>
consteval bool takes_braces(std::index_sequence<I...>) noexcept {
  return (takes_braces_between<T, std::make_index_sequence<I>, std::make_index_sequence<sizeof...(I) - 1 - I>> && ...);
}
// Braces stand for one member, and for a whole array. So there are fewer members than were counted if one is an array.
template <class T>
inline constexpr bool has_plain_members = takes_braces<T>(std::make_index_sequence<member_count<T>>{});

// Asserts once for each type; says whether members may be looked at.
template <class T>
struct aggregate_check {
  static_assert(has_no_base<T>,
                "tact::codec: this struct has a base; make the base a member, or name all members: "
                "template <> struct tact::codec<T> { using members = tact::members<&T::a, &T::b>; };");
  static_assert(has_few_members<T>,
                "tact::codec: this struct has more than 32 members; group some of them in a struct of their own");
  static constexpr bool is_countable = has_no_base<T> && has_few_members<T>;
  static constexpr bool is_good = [] {
    if constexpr (is_countable) return has_plain_members<T>;
    return true;
  }();
  static_assert(is_good,
                "tact::codec: a member of this struct is an array of C, a reference, or is not made by {}; "
                "use std::array for an array, and values for references");
  static constexpr bool value = is_countable && is_good;
};

template <class T>
struct codec_check {
  static_assert(is_no_constant<T>, "tact::codec: a constant or a reference cannot be decoded; take the value itself");
  static_assert(is_no_pointer<T>,
                "tact::codec: an address means nothing to another run; hold the value itself, a std::optional or a "
                "std::unique_ptr of it, or a key by which it is found");
  static_assert(is_no_array<T>, "tact::codec: an array of C cannot be encoded; use std::array");
  static_assert(is_no_union<T>, "tact::codec: nothing says which member of a union is there; use std::variant");
  static_assert(has_fixed_values<T>,
                "tact::codec: an enumeration needs its underlying type, as in `enum color : int`; else a value that "
                "was read may be none");
  static constexpr bool is_plain_type =
      is_no_constant<T> && is_no_pointer<T> && is_no_array<T> && is_no_union<T> && has_fixed_values<T>;
  static_assert(is_known_to_codec<T> || !is_plain_type,
                "tact::codec: this type cannot be encoded as it is; specialize tact::codec<T> with its members, or "
                "with save and load. Of views and clocks take the value: std::string, std::vector, "
                "std::chrono::system_clock");
  static constexpr bool has_kind = is_plain_type && is_known_to_codec<T>;
  static_assert(is_made_by_braces<T> || !has_kind,
                "tact::codec: this type needs a constructor without arguments, for values that are read into it");

  static constexpr bool value = [] {
    if constexpr (!has_kind) {
      return false;
    } else if constexpr (kind_of<T> == codec_kind::record && !declares_members<T>) {
      return aggregate_check<T>::value;
    } else {
      return true;
    }
  }();
};

// False if the type cannot be encoded; then an assertion has said so.
template <class T>
inline constexpr bool is_codable = codec_check<T>::value;

}  // namespace tact::detail::coding
