// The actor that knows what waits to be searched and to be measured. It hands out files one at a time, the largest
// first: so every analyst gets its next file when it is done with the last one, and none sits on files that another
// could take.
#pragma once

#include <vector>

#include <tact/data/set.hpp>
#include <tact/tact.hpp>

#include "listing.hpp"
#include "walker.hpp"
#include "work.hpp"

namespace loudness {

// Sent by an analyst that has nothing to do.
struct next_file {
  tact::ref<candidate> for_whom;
};

// Files that wait already, found again, change nothing.
struct agenda : tact::protocol<found, next_file, pause, go_on> {};

using candidates = tact::set<candidate>;

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
