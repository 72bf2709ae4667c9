// The actor that knows which files wait to be measured, and hands them out one at a time, the largest first. So every
// analyst gets its next file when it is done with the last one, and no worker sits on files that another could take.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <tact/tact.hpp>

#include "listing.hpp"
#include "persistent_map.hpp"
#include "progress.hpp"

namespace loudness {

// Files that are known already change nothing.
struct found {
  std::vector<candidate> files;
};

struct next_file {
  tact::ref<candidate> for_whom;
};

struct agenda : tact::protocol<found, next_file> {};

struct candidate_hash {
  std::size_t operator()(const candidate& c) const noexcept { return std::hash<std::string>{}(c.path); }
};
using candidates = persistent_map<candidate, std::monostate, candidate_hash>;

tact::behavior<agenda> make_agenda(tact::ref<work_found> progress, candidates waiting = {});

}  // namespace loudness
