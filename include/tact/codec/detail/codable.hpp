// Says what is wrong with a type that cannot be encoded, and what to do.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

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

template <class T>
inline constexpr bool is_aggregate_record = kind_of<T> == codec_kind::record && !declares_members<T>;
template <class T>
consteval bool find_good_aggregate() noexcept {
  if constexpr (!is_aggregate_record<T>) {
    return true;
  } else if constexpr (!has_no_base<T> || !has_few_members<T>) {
    return false;
  } else {
    return has_plain_members<T>;
  }
}
template <class T>
consteval bool find_good_type() noexcept {
  if constexpr (!is_no_constant<T> || !is_known_to_codec<T>) {
    return false;
  } else {
    return is_made_by_braces<T> && find_good_aggregate<T>();
  }
}
// By itself, without the types inside it.
template <class T>
inline constexpr bool is_good_type = find_good_type<T>();

// Is instantiated for a type that is not good. Each assertion leaves to the others what they say.
template <class T>
struct aggregate_complaint {
  static_assert(has_no_base<T>,
                "tact::codec: this struct has a base; make the base a member, or name all members: "
                "template <> struct tact::codec<T> { using members = tact::members<&T::a, &T::b>; };");
  static_assert(has_few_members<T>,
                "tact::codec: this struct has more than 32 members; group some of them in a struct of their own");
  static_assert(!has_no_base<T> || !has_few_members<T> || !is_made_by_braces<T> || has_plain_members<T>,
                "tact::codec: a member of this struct is an array of C, or is not made by {}; use std::array");
};
struct no_complaint {};
template <class T>
struct codec_complaint : std::conditional_t<is_aggregate_record<T>, aggregate_complaint<T>, no_complaint> {
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
  static_assert(is_made_by_braces<T> || !is_plain_type || !is_known_to_codec<T>,
                "tact::codec: this type needs a constructor without arguments, because values are read into it; "
                "a reference must be a value");
};

// The types of which a type is made.
template <class T, std::size_t... I>
type_row<std::tuple_element_t<I, T>...> elements_of(std::index_sequence<I...>);
template <class... A>
type_row<A...> alternatives_of(const std::variant<A...>*);

template <class T>
consteval auto find_parts() noexcept {
  constexpr codec_kind kind = kind_of<T>;
  if constexpr (kind == codec_kind::list || kind == codec_kind::array) {
    return type_row<typename T::value_type>{};
  } else if constexpr (kind == codec_kind::set) {
    return type_row<typename T::key_type>{};
  } else if constexpr (kind == codec_kind::map) {
    return type_row<typename T::key_type, typename T::mapped_type>{};
  } else if constexpr (kind == codec_kind::optional) {
    return type_row<typename inner_value<T>::type>{};
  } else if constexpr (kind == codec_kind::variant) {
    return decltype(alternatives_of(static_cast<const T*>(nullptr))){};
  } else if constexpr (kind == codec_kind::tuple) {
    return decltype(elements_of<T>(std::make_index_sequence<std::tuple_size_v<T>>{})){};
  } else if constexpr (kind == codec_kind::record) {
    return member_types<T>{};
  } else if constexpr (kind == codec_kind::image) {
    return type_row<image_of<T>>{};
  } else {
    return type_row<>{};
  }
}
template <class T, class... Outer>
consteval bool check_all() noexcept;
template <class... Outer, class... Parts>
consteval bool check_parts(type_row<Outer...>, type_row<Parts...>) noexcept {
  return (check_all<Parts, Outer...>() && ...);
}
// A type that contains itself is checked once.
template <class T, class... Outer>
consteval bool check_all() noexcept {
  if constexpr ((std::is_same_v<T, Outer> || ...)) {
    return true;
  } else if constexpr (!is_good_type<T>) {
    return false;
  } else {
    return check_parts(type_row<T, Outer...>{}, find_parts<T>());
  }
}
template <class T>
inline constexpr bool is_codable = check_all<T>();

// For a type that is not codable: the compiler says which type inside it is the reason, and what to do.
template <class T, class... Outer>
constexpr void complain();
template <class... Outer, class... Parts>
constexpr void complain_of_parts(type_row<Outer...>, type_row<Parts...>) {
  (complain<Parts, Outer...>(), ...);
}
template <class T, class... Outer>
constexpr void complain() {
  if constexpr (!is_good_type<T>) {
    static_assert(sizeof(codec_complaint<T>) != 0);
  } else if constexpr (!check_all<T, Outer...>()) {
    complain_of_parts(type_row<T, Outer...>{}, find_parts<T>());
  }
}

}  // namespace tact::detail::coding
