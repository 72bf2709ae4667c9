// What a creation says about an actor beside its placement.
#pragma once

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

}  // namespace tact::detail
