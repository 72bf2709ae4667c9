// What this test program tells when another process runs it.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

#include "support/catch.hpp"

namespace tact::support {

// All that it prints when it runs these test cases only. `environment`: what precedes it in the command of the shell.
inline std::string told_by_another_process(const std::string& test_cases, const std::string& environment = "") {
  std::string self(4096, '\0');
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  REQUIRE(length > 0);
  self.resize(static_cast<std::size_t>(length));
  std::FILE* pipe = ::popen((environment + " '" + self + "' '" + test_cases + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string told;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) told += static_cast<char>(c);
  ::pclose(pipe);
  return told;
}

}  // namespace tact::support
