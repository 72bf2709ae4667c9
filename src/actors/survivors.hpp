// The actors that were alive at their engine's end, for a report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "actors/cell.hpp"
#include "tact/alive_actors.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {

// Thread safety: none; the thread that ends the engine.
class survivors {
 public:
  // REQUIRES: the actor in the cell has a behaviour, and its papers.
  void add(const cell& c) noexcept;
  // Most actors first.
  [[nodiscard]] std::vector<alive_actors> list() const;
  // Calls the user's handler, or prints ten lines at most on stderr. Nothing when there is nothing to report.
  void report(const engine_options& options) const noexcept;

 private:
  struct group {
    std::uint64_t count = 0;
    std::vector<std::string> names;  // the first ten
  };

  // By type of actor, and file and line of the creation.
  std::map<std::tuple<std::string_view, std::string_view, unsigned>, group> groups_;
};

}  // namespace tact::actors
