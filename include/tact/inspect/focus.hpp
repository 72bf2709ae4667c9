// tact::inspect::focus: of which actors a recorder keeps the steps.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

#include "tact/detail/access.hpp"
#include "tact/detail/trace_sink.hpp"
#include "tact/ref.hpp"
#include "tact/scope.hpp"

namespace tact::inspect {

class recent_focus;

// recorder.focus_on(tact::inspect::focus().on(teller).on_type("account"));
//
// With a focus the recorder keeps the messages that these actors handle and those that they send; of another actor only
// the handlers that send to one of these, and of their steps those sends. An empty focus has all actors in it.
// Thread safety: as of a container.
class focus {
 public:
  // The actor, whichever its protocol.
  template <class P>
  focus& on(ref<P> actor) {
    if (actor) actors_.insert(detail::access::port_of(actor) & ~detail::index_mask);
    return *this;
  }
  // All actors of this type, by the name that traces and figures show: that of their protocol or class.
  focus& on_type(std::string_view name) {
    types_.emplace(name);
    return *this;
  }
  // The actors that are members of the scope now, and of the scopes inside it. Throws std::bad_alloc.
  focus& on(const scope& of) {
    for (const detail::port p : detail::list_members(detail::access::members_of(of)))
      actors_.insert(p & ~detail::index_mask);
    return *this;
  }

  [[nodiscard]] bool is_empty() const noexcept { return actors_.empty() && types_.empty(); }

 private:
  friend class recent_focus;
  [[nodiscard]] bool has_actor(std::uint64_t address) const noexcept { return actors_.count(address) != 0; }
  [[nodiscard]] bool has_type(std::string_view name) const noexcept { return types_.find(name) != types_.end(); }

  std::unordered_set<std::uint64_t> actors_;
  std::set<std::string, std::less<>> types_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
