// tact::inspect::explore: a page that shows a failing run of a program step by step.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "tact/simulation.hpp"

namespace tact::inspect {

// The result of explore.
struct drawn_exploration : exploration {
  std::string page{};       // the file that was written; empty: none was
  std::string page_lack{};  // why there is no page of the failure, or it shows another run; empty: it shows the failure

  // Everything above, as a text for people.
  [[nodiscard]] std::string text() const;
};
// Prints its text.
std::ostream& operator<<(std::ostream&, const drawn_exploration&);

// Does what tact::explore does. When the program fails it is run once more, by the shortest schedule that was found,
// and that run is written to the file `page` as an HTML page that needs no other file: docs/inspect/explore_page.md. A
// file of that name is replaced; when the program does not fail, no file is written.
//
//   const auto found = tact::inspect::explore(200, program, "failure.html");
//
// The program makes no recorder for its engine, because the page has its own. What is said of tact::explore holds here
// too, also what it throws. Throws usage_error when the name is empty or the folder of the file does not exist.
[[nodiscard]] drawn_exploration explore(std::uint64_t schedules, const std::function<void(simulation&)>& program,
                                        const std::string& page, const explore_options& options = {});

// Runs the program once by this schedule, and writes the page of that run, whether it fails or not:
// write_page(file, {.seed = 7}, program). The page has so many steps at most, those around the failure or the last
// ones, and says how many are left out. Returns the text of the failure, or nothing if the program did not fail. Throws
// std::bad_alloc, and usage_error for 0 steps.
std::optional<std::string> write_page(std::ostream& to, const schedule& as,
                                      const std::function<void(simulation&)>& program, std::size_t most = 5000);

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
