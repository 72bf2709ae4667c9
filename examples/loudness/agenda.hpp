// The actor that knows what waits to be searched and to be measured. It hands out files one at a time, the largest
// first: so every analyst gets its next file when it is done with the last one, and none sits on files that another
// could take.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <tact/tact.hpp>

#include "listing.hpp"
#include "persistent_map.hpp"
#include "walker.hpp"
#include "work.hpp"

namespace loudness {

// Sent by an analyst that has nothing to do.
struct next_file {
  tact::ref<candidate> for_whom;
};

// Files that wait already, found again, change nothing.
struct agenda : tact::protocol<found, next_file, pause, go_on> {};

struct candidate_hash {
  std::size_t operator()(const candidate& c) const noexcept { return std::hash<std::string>{}(c.path); }
};
using candidates = persistent_map<candidate, std::monostate, candidate_hash>;

struct agenda_state {
  tact::ref<visit> walker;
  tact::ref<found> report;  // hears of what is new
  candidates files{};
  std::vector<std::filesystem::path> folders{};
  std::vector<tact::ref<candidate>> idle{};
  bool is_paused = false;
};

tact::behavior<agenda> make_agenda(agenda_state state);

}  // namespace loudness
