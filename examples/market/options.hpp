// What the command line asks for.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rules.hpp"
#include "session.hpp"

namespace market {

struct options {
  rules by{};
  session_options session{};
  unsigned workers = 0;        // 0: one per processing unit
  std::uint64_t simulate = 0;  // 0: on threads; else with so many seeds
  bool inspect = false;        // a page for the browser
  bool help = false;
};

// The arguments without the program's name. Throws std::invalid_argument; what() names the argument and the remedy.
options parse_options(std::span<const char* const> arguments);

std::string_view help_text() noexcept;

}  // namespace market
