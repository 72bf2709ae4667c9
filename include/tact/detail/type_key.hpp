// The key of a type: says while the program runs of which type something is, in all libraries of a process.
#pragma once

#include <string_view>
#include <typeinfo>

#include "tact/detail/type_name.hpp"

namespace tact::detail {

// Stands for T where its type information is asked for. So it does not matter whether T is complete, or whether its
// virtual table was made by a file that was compiled without type information.
template <class T>
struct type_tag {};

// The type of the exception that is being handled.
[[nodiscard]] const std::type_info& type_of_caught() noexcept;

#if defined(__GXX_RTTI)
template <class T>
const std::type_info& type_info_of() noexcept {
  return typeid(type_tag<T>);
}
#else
// Without RTTI the compiler still makes type information for what is thrown.
template <class T>
const std::type_info& type_info_of() noexcept {
  static const std::type_info& found = []() -> const std::type_info& {
    try {
      throw type_tag<T>{};
    } catch (...) {
      return type_of_caught();
    }
  }();
  return found;
}
#endif

struct type_key {
  std::string_view name;  // for people
  const std::type_info& (*info)() noexcept;
};

// There is one constant for each type in a program. But a shared library has one of its own when its symbols are
// hidden, or when dlopen has loaded it with RTLD_LOCAL: hence same_type compares keys.
template <class T>
[[gnu::visibility("default")]] inline constexpr type_key key_of_type{type_name<T>, &type_info_of<T>};

// Do these keys, which lie at two addresses, belong to types of the same full name? A type in an anonymous namespace,
// or inside a function, has the same name as no other one: it is a type of its library alone.
[[nodiscard]] bool have_same_name(const type_key& a, const type_key& b) noexcept;

// Are these the keys of one type? Types of two libraries are one type when they have the same full name.
[[nodiscard]] inline bool same_type(const type_key& a, const type_key& b) noexcept {
  return &a == &b || have_same_name(a, b);
}

}  // namespace tact::detail
