// Looks for a random program, a failure and a moment to cut the power after which the store is in a wrong state.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "store/crash/child.hpp"
#include "store/crash/subject.hpp"

namespace tact::store_tests {

// A folder that goes with its owner, in memory if the system has a place for that.
class scratch {
 public:
  scratch();
  ~scratch();
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  // A folder in it, which is empty.
  [[nodiscard]] std::filesystem::path folder(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

// Each plays one random program in these folders, and throws broken. Returns how many images were opened.
using play = std::uint64_t (*)(const scratch&, std::uint64_t seed, mistake wrong);

// A short program on a new file; power is cut at each call.
std::uint64_t play_short(const scratch& in, std::uint64_t seed, mistake wrong);
// Three programs, each on what a power cut has left of the one before, with power cuts while it is opened.
std::uint64_t play_lives(const scratch& in, std::uint64_t seed, mistake wrong);
// A program whose process ends at any call; what it has written and not flushed is in memory, and is opened; then power
// cuts.
std::uint64_t play_restarts(const scratch& in, std::uint64_t seed, mistake wrong);
// A program in which one call fails, each in turn; it is opened again as it is in memory, and goes on; then power cuts.
std::uint64_t play_failures(const scratch& in, std::uint64_t seed, mistake wrong);
// The same for the writes of the page that says which version is the last.
std::uint64_t play_meta_failures(const scratch& in, std::uint64_t seed, mistake wrong);

// Plays programs for so long, or TACT_PROGRAMS of them, in a process of its own; counts[0] is how many,
// counts[1] how many images were opened.
child_end hunt(play p, std::uint64_t seed, mistake wrong = mistake::none, std::uint64_t programs_most = 0);

}  // namespace tact::store_tests
