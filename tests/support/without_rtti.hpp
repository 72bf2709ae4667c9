// A user's program that is compiled with -fno-rtti.
#pragma once

#include <string>
#include <vector>

namespace tact::support {

// What a handler throws there is reported so.
struct reported_without_rtti {
  std::string plain;                // of an exception of its own class
  std::string nested;               // of one in which another is nested
  std::vector<std::string> causes;  // of that
  std::string asked;                // what an asker is told
};
reported_without_rtti report_without_rtti();

}  // namespace tact::support
