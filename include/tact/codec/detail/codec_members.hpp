// The members of a record: an aggregate as it is, or what its declaration names.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/codec/declaration.hpp"
#include "tact/codec/detail/bound_members.hpp"
#include "tact/codec/detail/codec_kind.hpp"

namespace tact::detail::coding {

template <class... T>
struct type_row {
  static constexpr std::size_t size = sizeof...(T);
};

template <class V, class F, auto... P>
constexpr decltype(auto) with_named(V& v, F&& f, tact::members<P...>) {
  return f(v.*P...);
}
// Returns f(members of v...).
template <class V, class F>
constexpr decltype(auto) with_members(V& v, F&& f) {
  if constexpr (declares_members<std::remove_const_t<V>>) {
    return with_named(v, f, typename codec<std::remove_const_t<V>>::members{});
  } else {
    return with_bound(v, f);
  }
}

struct row_of_types {
  template <class... M>
  constexpr type_row<M...> operator()(M&...) const noexcept {
    return {};
  }
};
template <class T>
using member_types = decltype(with_members(std::declval<T&>(), row_of_types{}));

// Never defined: an address in it names the member to the compiler.
template <class T>
struct never_made {
  T value;
};
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
template <class T>
extern const never_made<T> never;

template <class M>
struct member_address {
  const M* at;
};
template <std::size_t I>
struct nth_address {
  template <class... M>
  constexpr auto operator()(const M&... m) const noexcept {
    return pick<0>(m...);
  }
  template <std::size_t At, class M, class... Rest>
  static constexpr auto pick(const M& m, const Rest&... rest) noexcept {
    if constexpr (At == I) {
      return member_address<M>{std::addressof(m)};
    } else {
      return pick<At + 1>(rest...);
    }
  }
};

// Returns a pointer, so that the text ends with the name and brackets.
template <auto Member>
constexpr const char* spelled_member() noexcept {
  return __PRETTY_FUNCTION__;
}
constexpr bool is_of_name(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c < 0;
}
constexpr std::string_view last_name(std::string_view text) noexcept {
  while (!text.empty() && !is_of_name(text.back())) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin != 0 && is_of_name(text[begin - 1])) --begin;
  return text.substr(begin);
}

template <class... M>
struct name_row {
  std::string_view names[sizeof...(M) + 1] = {};
};
template <class T, auto... P>
constexpr auto names_in(tact::members<P...>) noexcept {
  return name_row<decltype(P)...>{{last_name(spelled_member<P>())...}};
}
template <class T, std::size_t... I>
constexpr auto names_in(std::index_sequence<I...>) noexcept {
  return name_row<std::integral_constant<std::size_t, I>...>{
      {last_name(spelled_member<with_bound(never<T>.value, nth_address<I>{})>())...}};
}
template <class T>
constexpr auto find_member_names() noexcept {
  if constexpr (declares_members<T>) {
    return names_in<T>(typename codec<T>::members{});
  } else {
    return names_in<T>(std::make_index_sequence<member_count<T>>{});
  }
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
// An array of one name more than there are, so that none is empty.
template <class T>
inline constexpr auto member_names = find_member_names<T>();

}  // namespace tact::detail::coding
