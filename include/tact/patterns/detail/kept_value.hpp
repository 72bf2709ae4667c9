// A value that several behaviours and messages share.
#pragma once

#include <utility>

#include "tact/detail/counted.hpp"

namespace tact::detail {

template <class T>
struct kept_value {
  explicit kept_value(const T& v) : value(v) {}
  explicit kept_value(T&& v) : value(std::move(v)) {}

  const T value;
};

// Shared, so that a become or a message that carries the value copies a pointer, which cannot throw. Null: no value.
template <class T>
using kept = counted<kept_value<T>>;

template <class T>
[[nodiscard]] kept<T> keep(const T& v) {
  return kept<T>::make(v);
}

// The order of the values. A value is compared with kept ones, too.
struct kept_order {
  using is_transparent = void;
  template <class A, class B>
  [[nodiscard]] bool operator()(const A& a, const B& b) const {
    return value_of(a) < value_of(b);
  }

 private:
  template <class T>
  [[nodiscard]] static const T& value_of(const kept<T>& k) noexcept {
    return k->value;
  }
  template <class T>
  [[nodiscard]] static const T& value_of(const T& v) noexcept {
    return v;
  }
};

}  // namespace tact::detail
