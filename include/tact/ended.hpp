// tact::ended: the message by which a watcher learns that an actor has ended, and why.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <iosfwd>
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
  stopped,         // by itself, by stop() or an allocation state; or by a tact::poison_pill, whose reason is in `what`
  became_nothing,  // by a become of nothing
  failed,          // a handler threw, and the failure rule ended the actor; `what` says by which exception
  scope_ended,     // its tact::scope has ended
  owner_gone,      // its last tact::owner is gone
  loop_ended,      // its tact::loop was destroyed
  link_failed,     // an actor with which it is linked (tact::link) has failed
  engine_ended,    // its engine has ended
  gone,  // it had ended long before it was watched, and the reason is not known any more: another actor may have
         // its memory
};

// The reason in words: "scope ended".
std::string_view to_string(end_reason) noexcept;
std::ostream& operator<<(std::ostream&, end_reason);

// The message that a monitor sends when it was given no other; list it in the protocol of the watcher. Source of the
// idea: the down messages of Erlang.
struct ended {
  end_reason reason = end_reason::stopped;
  bool earlier = false;  // it had ended before it was watched
  std::string actor{};   // as reports name it: "teller 3 (account@7f3a40#12)"
  std::string what{};    // of the exception, for end_reason::failed; or the reason that a poison pill gave

  // Is `r` a ref of the actor that ended?
  template <class P>
  [[nodiscard]] bool was(ref<P> r) const noexcept {
    return detail::same_actor(detail::address_of(r), address);
  }

  detail::port address = 0;  // of the actor that ended, for `was`
};
// Prints "teller 3 (account@7f3a40#12) has ended: scope ended".
std::ostream& operator<<(std::ostream&, const ended&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
