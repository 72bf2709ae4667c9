// How many members an aggregate has, and whether they can be bound one by one.
#pragma once

#include <cstddef>
#include <type_traits>

namespace tact::detail::coding {

inline constexpr std::size_t most_members = 32;

// Nothing is defined here that is only asked about; clang warns of that in types that other files cannot name.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif
// Is taken for whatever a member is made from, but not for the whole.
template <class Whole>
struct any_member {
  template <class M>
    requires(!std::is_same_v<M, Whole>)
  operator M() const noexcept;
};
// Is taken for a base class of Whole only.
template <class Whole>
struct any_base {
  template <class B>
    requires(std::is_base_of_v<B, Whole> && !std::is_same_v<B, Whole>)
  operator B() const noexcept;
};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
template <class Whole, std::size_t>
using any_at = any_member<Whole>;

template <class T, class... Any>
consteval std::size_t count_members() noexcept {
  if constexpr (sizeof...(Any) > most_members) {
    return sizeof...(Any);
  } else if constexpr (requires { T{Any{}..., any_member<T>{}}; }) {
    return count_members<T, Any..., any_member<T>>();
  } else {
    return sizeof...(Any);
  }
}
// An array in an aggregate counts as its elements; more than 32 count as 33.
template <class T>
inline constexpr std::size_t member_count = count_members<T>();

template <class T>
inline constexpr bool has_base = requires { T{any_base<T>{}}; };

}  // namespace tact::detail::coding
