// What went on in a simulation, for people to read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sync/system.hpp"

namespace tact::simulated {

// Thread safety: none.
class story {
 public:
  // The first two texts must be constants.
  void add(unsigned thread, sync::event what, unsigned actor, std::string_view name, std::string_view message,
           std::string contents) {
    if (lines_.size() < lines_max) lines_.push_back({thread, what, actor, name, message, std::move(contents), {}});
  }
  void say(unsigned thread, std::string_view text) noexcept;
  // One line for each event. `names` are those of the threads, by their numbers.
  [[nodiscard]] std::string text(const std::vector<std::string>& names) const;

 private:
  static constexpr std::size_t lines_max = 1'000'000;
  struct line {
    unsigned thread;
    sync::event what;
    unsigned actor;
    std::string_view name;
    std::string_view message;
    std::string contents;  // of the message; may be empty
    std::string said;      // if not empty, stands instead of the rest
  };
  std::vector<line> lines_;
};

}  // namespace tact::simulated
