// What a creation says about an actor beside its placement.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tact/detail/core.hpp"
#include "tact/failure_rule.hpp"

namespace tact::detail {

class members;  // the actors of a scope

// Only actors that have one of these pay for them.
struct particulars {
  placement where = placement::parallel;
  std::string name{};
  failure_rule rule{};
  std::shared_ptr<members> scope{};
};

// As create with a placement alone.
[[nodiscard]] port create(run&, closure& takes_over, particulars&&);
[[nodiscard]] port create(core&, closure& takes_over, particulars&&);

// -- scopes. From any thread.
[[nodiscard]] std::shared_ptr<members> open_scope(const std::shared_ptr<members>& around, failure_rule&& rule);
void end_scope(members&) noexcept;
void close_scope(members&) noexcept;                         // ends it, and waits unless an engine's thread calls
[[nodiscard]] bool wait_scope(members&, deadline) noexcept;  // false: the deadline passed first
[[nodiscard]] std::size_t count_members(const members&) noexcept;

// Ends the actor, unless it has ended: a message to it that leaves at once, in a handler too.
void order_end(port, end_reason) noexcept;

}  // namespace tact::detail
