// What a type is to the codec, found by what it can do, so that a container of any library is known too.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "tact/codec/declaration.hpp"
#include "tact/codec/detail/member_count.hpp"

namespace tact::detail::coding {

enum class codec_kind {
  unknown,
  boolean,
  number,  // enumerations as well
  text,
  list,
  set,
  map,
  array,
  optional,
  variant,
  tuple,
  duration,
  time,
  record,
  image  // is written as a value of another type
};

template <class T>
concept declares_members = requires { typename codec<T>::members; };
template <class T>
concept declares_image = requires(const T& v) { codec<T>::save(v); };

// The type of which a value is written in the place of a T.
template <class T>
using image_of = std::remove_cvref_t<decltype(codec<T>::save(std::declval<const T&>()))>;

template <class T>
inline constexpr bool is_text = false;
template <class Traits, class Allocator>
inline constexpr bool is_text<std::basic_string<char, Traits, Allocator>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... A>
inline constexpr bool is_variant<std::variant<A...>> = true;
template <class T>
inline constexpr bool is_unique_ptr = false;
template <class T>
  requires(!std::is_array_v<T>)
inline constexpr bool is_unique_ptr<std::unique_ptr<T>> = true;

template <class T>
concept ranged = requires(const T& t) {
  typename T::value_type;
  t.begin() != t.end();
  t.size();
};
template <class T>
concept built_aside = requires(typename T::transient_type t) { std::move(t).persistent(); };
template <class T>
concept growing = ranged<T> && requires(T t, typename T::value_type v) { t.push_back(std::move(v)); };
template <class T>
concept keyed = ranged<T> && requires { typename T::key_type; } &&
                (built_aside<T> || requires(T t, typename T::value_type v) { t.insert(std::move(v)).second; });
template <class T>
concept mapped = keyed<T> && requires { typename T::mapped_type; };
template <class T>
concept sized_tuple = requires { std::tuple_size<T>::value; };
template <class T>
concept fixed_array = sized_tuple<T> && requires(const T& t) {
  typename T::value_type;
  t.data();
};
template <class T>
concept optional_value = requires(T t) {
  typename T::value_type;
  { t.has_value() } -> std::same_as<bool>;
  t.emplace();
  *t;
};
template <class T>
concept spans_time = requires(const T& t) {
  typename T::rep;
  T::period::num;
  t.count();
};
// Of std::chrono::system_clock: other clocks mean something else in another run.
template <class T>
concept calendar_time = requires(const T& t) {
  t.time_since_epoch();
  &T::clock::to_time_t;
};
template <class T>
concept fixed_number = (std::integral<T> || std::is_enum_v<T> || std::floating_point<T>)&&sizeof(T) <= 8;
// An enumeration without an underlying type has values that are no values of it.
template <class E>
concept fixed_enumeration = !std::is_enum_v<E> || requires { E{0}; };

template <class T>
consteval bool find_boolean() noexcept {
  if constexpr (std::is_enum_v<T>) return std::same_as<std::underlying_type_t<T>, bool>;
  return std::same_as<T, bool>;
}

template <class T>
consteval codec_kind find_container() noexcept {
  if constexpr (mapped<T>) return codec_kind::map;
  if constexpr (keyed<T> && !mapped<T>) return codec_kind::set;
  if constexpr (growing<T> || (built_aside<T> && ranged<T> && !keyed<T>)) return codec_kind::list;
  if constexpr (fixed_array<T>) return codec_kind::array;
  return codec_kind::unknown;
}
template <class T>
consteval codec_kind find_kind() noexcept {
  if constexpr (declares_image<T>) return codec_kind::image;
  if constexpr (declares_members<T>) return codec_kind::record;
  if constexpr (find_boolean<T>()) return codec_kind::boolean;
  if constexpr (fixed_number<T> && fixed_enumeration<T>) return codec_kind::number;
  if constexpr (!std::is_class_v<T>) return codec_kind::unknown;
  if constexpr (is_text<T>) return codec_kind::text;
  if constexpr (find_container<T>() != codec_kind::unknown) return find_container<T>();
  if constexpr (optional_value<T> || is_unique_ptr<T>) return codec_kind::optional;
  if constexpr (is_variant<T>) return codec_kind::variant;
  if constexpr (sized_tuple<T>) return codec_kind::tuple;
  if constexpr (spans_time<T>) return codec_kind::duration;
  if constexpr (calendar_time<T>) return codec_kind::time;
  if constexpr (std::is_aggregate_v<T>) return codec_kind::record;
  return codec_kind::unknown;
}
template <class T>
inline constexpr codec_kind kind_of = find_kind<T>();

// Numbers in a row are no items: they take no more memory than bytes.
template <class T>
inline constexpr bool is_number = kind_of<T> == codec_kind::number || kind_of<T> == codec_kind::boolean;

// The value that an optional or a std::unique_ptr may have.
template <class T>
struct inner_value {
  using type = typename T::value_type;
};
template <class T>
struct inner_value<std::unique_ptr<T>> {
  using type = T;
};

}  // namespace tact::detail::coding
