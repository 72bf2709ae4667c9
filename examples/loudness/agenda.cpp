#include "agenda.hpp"

#include <utility>

namespace loudness {
namespace {

// Adds the files, and returns those that were not there.
std::vector<candidate> add(candidates& waiting, const std::vector<candidate>& files) {
  std::vector<candidate> added;
  for (const candidate& file : files) {
    const std::size_t known = waiting.size();
    waiting = std::move(waiting).insert(file);
    if (waiting.size() != known) added.push_back(file);
  }
  return added;
}

void hand_out(tact::self<agenda>& self, agenda_state state) {
  if (!state.is_paused) {
    for (const std::filesystem::path& folder : state.folders) self.send(state.walker, visit{folder, self.ref()});
    state.folders.clear();
    while (!state.idle.empty() && !state.files.empty()) {
      const candidate& next = *state.files.begin();
      self.send(state.idle.back(), next);
      state.idle.pop_back();
      state.files = std::move(state.files).erase(next);
    }
  }
  self.become(make_agenda(std::move(state)));
}

}  // namespace

tact::behavior<agenda> make_agenda(agenda_state state) {
  return {
      [state](tact::self<agenda>& self, const found& m) {
        agenda_state next = state;
        self.send(state.report, found{add(next.files, m.files), m.folders, m.searched});
        next.folders.insert(next.folders.end(), m.folders.begin(), m.folders.end());
        hand_out(self, std::move(next));
      },
      [state](tact::self<agenda>& self, const next_file& m) {
        agenda_state next = state;
        next.idle.push_back(m.for_whom);
        hand_out(self, std::move(next));
      },
      [state](tact::self<agenda>& self, const pause&) {
        agenda_state next = state;
        next.is_paused = true;
        self.become(make_agenda(std::move(next)));
      },
      [state](tact::self<agenda>& self, const go_on&) {
        agenda_state next = state;
        next.is_paused = false;
        hand_out(self, std::move(next));
      },
  };
}

}  // namespace loudness
