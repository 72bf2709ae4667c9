// The actors that were alive at their engine's end, for a report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "actors/cells/cell.hpp"
#include "tact/alive_actors.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {

// Thread safety: none; only the thread that ends the engine uses it.
class leak_report {
 public:
  // REQUIRES: the actor in the cell has a behaviour, and still has its metadata.
  void add(const cell& c) noexcept;
  // Sorted by their number: the most frequent kind first.
  [[nodiscard]] std::vector<alive_actors> list() const;
  // Calls the user's function, or prints at most ten lines on stderr; does nothing when no actor was alive.
  void report(const engine_options& options) const noexcept;

 private:
  struct group {
    std::uint64_t count = 0;
    std::vector<std::string> names;  // the first ten
  };

  // The key: type of the actor, and file and line of its creation.
  std::map<std::tuple<std::string_view, std::string_view, unsigned>, group> groups_;
};

}  // namespace tact::actors
