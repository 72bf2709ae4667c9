// tact::subscriber: an actor that can subscribe to an observable, and the message by which it hears of changes.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/monitor.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"

namespace tact {

template <class T>
struct observable_protocol;  // the protocol of an observable

namespace detail {
template <class T>
struct observed_value;
}  // namespace detail

// Tells a subscriber the value of an observable: first the present one, and then each change. A subscriber that does
// not take it is sent a plain T.
template <class T>
struct value_changed {
  T value;
  ref<observable_protocol<T>> of{};  // for subscribers of several
};

// An actor that can subscribe to an observable of T: one that takes value_changed<T>, or T. Made implicitly of a ref of
// it.
template <class T>
class subscriber {
 public:
  template <class P>
    requires(detail::narrows_to<P, value_changed<T>> || detail::narrows_to<P, T>)
  subscriber(ref<P> who) noexcept {  // NOLINT: implicit by design
    if constexpr (detail::narrows_to<P, value_changed<T>>) {
      hears_changes_ = who;
    } else {
      hears_values_ = who;
    }
  }

  // Equal subscribers are the same actor, which is told by the same message.
  friend bool operator==(const subscriber&, const subscriber&) noexcept = default;

 private:
  friend struct detail::observed_value<T>;

  // Sends the value to the subscriber.
  void tell(self<observable_protocol<T>>& self, const T& value) const {
    if (hears_changes_) {
      self.send(hears_changes_, value_changed<T>{value, self.ref()});
    } else {
      self.send(hears_values_, value);
    }
  }
  // Makes the observable hear of the subscriber's end.
  [[nodiscard]] monitor watch(self<observable_protocol<T>>& self) const {
    return hears_changes_ ? self.monitor(hears_changes_) : self.monitor(hears_values_);
  }
  friend detail::port address_of_member(const subscriber& s) noexcept {
    return s.hears_changes_ ? detail::address_of(s.hears_changes_) : detail::address_of(s.hears_values_);
  }

  ref<value_changed<T>> hears_changes_{};
  ref<T> hears_values_{};
};

// Names of earlier versions; they go with the next one.
template <class T>
using changed [[deprecated("use tact::value_changed")]] = value_changed<T>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
