// tact::ended: the message by which somebody learns that an actor has ended, and why.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <string>
#include <string_view>

#include "tact/detail/core.hpp"

namespace tact {

template <class P>
class ref;

namespace detail {
template <class P>
constexpr port address_of(ref<P>) noexcept;  // in ref.hpp
}

enum class end_reason : unsigned char {
  stopped,         // by itself: stop(), an allocation state; or by a poison pill
  became_nothing,  // by a become of nothing
  failed,          // a handler threw, and the failure rule ended the actor; `what` says by which exception
  scope_ended,     // its tact::scope
  owner_gone,      // its last tact::owner
  loop_ended,      // its tact::loop
  engine_ended,    // with its engine
  gone,            // before anybody watched it: why is not known any more
};

// The reason in words: "scope ended".
std::string_view to_string(end_reason) noexcept;

// What a monitor sends when no other message was given to it; list it in the protocol of who is to hear it. Source of
// the idea: the down messages of Erlang.
struct ended {
  end_reason reason = end_reason::stopped;
  std::string actor{};  // as reports name it: "teller 3 (account@7f3a40#12)"
  std::string what{};   // of the exception, for end_reason::failed

  // Was it this one?
  template <class P>
  [[nodiscard]] bool was(ref<P> r) const noexcept {
    return detail::same_actor(detail::address_of(r), address);
  }

  detail::port address = 0;  // see was
};

}  // namespace tact
