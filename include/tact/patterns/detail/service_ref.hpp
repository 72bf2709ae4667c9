// Which refs are those of a service.
#pragma once

#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact::detail {

// Is T a ref of nothing but request<Q>?
template <class T>
inline constexpr bool is_service = false;
template <class Q>
inline constexpr bool is_service<ref<request<Q>>> = true;

}  // namespace tact::detail
