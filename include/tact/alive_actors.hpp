// tact::alive_actors: which actors had not ended when their engine did, for reports.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tact {

// Actors of one type that were created at one place and were alive at the end of their engine: see
// engine_options::report_alive.
struct alive_actors {
  std::string_view actor{};          // protocol or class
  std::uint64_t count = 0;           // how many of them
  std::string_view file{};           // of the call that created them; empty when its code was compiled with NDEBUG
  unsigned line = 0;                 // in that file; 0 when `file` is empty
  std::vector<std::string> names{};  // that users gave them (tact::named), ten at most
};
// Prints "3 account (teller 1, teller 2, teller 3) created at bank.cpp:42".
std::ostream& operator<<(std::ostream&, const alive_actors&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
