// What went on in a simulation, for people to read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sync/system.hpp"
#include "tact/detail/simulation_watcher.hpp"
#include "tools/simulated/message_contents.hpp"

namespace tact::simulated {

// Invariant: it names no address, so that it is the same in each process. Thread safety: none.
class story {
 public:
  // The names of the actor and of the message must be constants.
  void note(unsigned thread, sync::event what, std::uint64_t actor, std::string_view name,
            const sync::noted_message& message, std::string_view thread_name) noexcept;
  void say(unsigned thread, std::string_view text, std::string_view thread_name) noexcept;
  // Actors are numbered from 1, in the order in which they are met.
  [[nodiscard]] unsigned number_of(std::uint64_t actor) noexcept;
  [[nodiscard]] message_contents& contents() noexcept { return contents_; }
  // Each line is told to it as well; null: to none. REQUIRES: that lives as long as lines are added.
  void tell(detail::simulation_watcher* w) noexcept { watcher_ = w; }
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
  [[nodiscard]] static std::string text_of(const line&);
  void add(line l, std::uint64_t address, std::string_view thread_name);

  std::vector<line> lines_;
  std::unordered_map<std::uint64_t, unsigned> numbers_;
  message_contents contents_;
  detail::simulation_watcher* watcher_ = nullptr;
};

}  // namespace tact::simulated
