// The texts of failures: of exceptions that handlers throw, and of what users are told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// The text of the exception that is being handled, with those nested in it: all in one line, and one by one.
struct caught {
  std::string what;
  std::vector<std::string> causes;
};
// REQUIRES: called in a catch block. Without memory there is less text.
[[nodiscard]] caught describe_exception() noexcept;
// The report of a handler that threw, with this text. Without memory there is less text.
[[nodiscard]] failure_report report_of(const caught& thrown, detail::port by, std::string_view actor,
                                       std::string_view message) noexcept;

}  // namespace tact::actors
