// The name of an actor, as its ref prints it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/answer_name.hpp"
#include "tact/ref.hpp"

namespace tact::inspect {

// "account@7f3a40#12", "answer@7f3a42#3 to request<load>"; `type`: protocol or class, empty when it is not known.
[[nodiscard]] inline std::string name_of_actor(std::string_view type, std::uint64_t actor) {
  return base::with_address(type.empty() ? "an actor" : type, tact::detail::describe({}, actor));
}

}  // namespace tact::inspect
