// creation_options: what a creation says about an actor, beside its placement.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#if !defined(NDEBUG)
#include <source_location>
#endif
#include <string>
#include <type_traits>

#include "tact/detail/core.hpp"
#include "tact/detail/loop_place.hpp"
#include "tact/detail/mailbox_order.hpp"
#include "tact/detail/maker.hpp"
#include "tact/failure_rule.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::detail {

class members;  // the actors of a scope

// Where an actor was created. The layout is the same whether that is known or not, so a program that is compiled for
// debugging may use a library that is not, and the other way round.
struct creation_site {
  const char* file = nullptr;  // a constant; null: not known
  unsigned line = 0;
};

// What a call that creates an actor passes on about where it stands: in a debug build its place, in others nothing.
// These are two types, so that a function which is compiled both ways has two names.
struct unknown_site {
  static constexpr unknown_site current() noexcept { return {}; }
};
#if defined(NDEBUG)
using call_site = unknown_site;
#else
using call_site = std::source_location;
#endif
template <class Site>
inline constexpr bool is_known = !std::is_same_v<Site, unknown_site>;

template <class Site>
constexpr creation_site site_of(const Site& at) noexcept {
  if constexpr (is_known<Site>) {
    return {at.file_name(), at.line()};
  } else {
    return {};
  }
}

// Only actors that have a name, a rule, a scope, a limit, an order or something to be restarted from pay for these.
struct creation_options {
  placement where = placement::ordered;
  creation_site made_at{};
  std::string name{};
  failure_rule rule{};
  std::shared_ptr<members> scope{};
  mailbox_limit limit{};
  loop_place loop{};  // for placement::on_loop
  mailbox_order order{};
  restart_plan restart{};

  // True when there is something that must be kept as long as the actor lives.
  [[nodiscard]] bool are_kept() const noexcept {
    return !name.empty() || rule || scope != nullptr || has_mailbox() || restart.again != nullptr;
  }
  // True when what waits for the actor is counted, or ordered.
  [[nodiscard]] bool has_mailbox() const noexcept { return limit || order; }
};

// As create and reserve with a placement alone; see core.hpp.
[[nodiscard]] port create(run&, closure& takes_over, creation_options&&);
[[nodiscard]] port create(core&, closure& takes_over, creation_options&&);
[[nodiscard]] port reserve(run&, creation_options&&);
[[nodiscard]] port reserve(core&, creation_options&&);

// -- scopes. Any thread may call these.
[[nodiscard]] std::shared_ptr<members> open_scope(core&, const std::shared_ptr<members>& around, failure_rule&& rule,
                                                  std::string&& name);
// The engine lists it until it closes.
[[nodiscard]] std::shared_ptr<members> open_listed_scope(core&, const std::shared_ptr<members>& around,
                                                         failure_rule&& rule, std::string&& name);
// As the calls with a run or a core, in the engine of the scope. They throw usage_error when that has ended.
[[nodiscard]] port create(const std::shared_ptr<members>&, closure& takes_over, creation_options&&);
[[nodiscard]] port reserve(const std::shared_ptr<members>&, creation_options&&);
void install(const std::shared_ptr<members>&, port, closure& takes_over);
void abandon(const std::shared_ptr<members>&, port) noexcept;
void end_scope(members&) noexcept;
void close_scope(members&) noexcept;         // ends the scope, and waits unless an engine's thread calls
void close_ending_scope(members&) noexcept;  // closes a scope whose members end already, or will
[[nodiscard]] bool wait_scope(members&, deadline) noexcept;  // false: the deadline passed first
[[nodiscard]] std::size_t count_members(const members&) noexcept;

// Sends the actor an order to end, unless it has ended. The order leaves at once, in a handler too.
void order_end(port, end_reason) noexcept;
// Sends the actor an order to restart when it has rested for `rest`. The order waits in the actor's mailbox like a
// message.
void order_restart(port, std::chrono::nanoseconds rest) noexcept;

}  // namespace tact::detail
