// The actor that takes what the person asks for, and has it done: one survey at a time, by a team and a ledger that are
// made for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tact/tact.hpp>

#include "ledger.hpp"
#include "team.hpp"

namespace loudness {

// Begins a survey; one that goes on ends.
struct open_folder {
  std::string path;
};
// The same for files and folders that were dropped.
struct open_dropped {
  std::vector<std::string> paths;
};
// Shows all that was kept, also of files that are gone.
struct show_kept {};
struct pause_or_go_on {};
// The table keeps what was measured.
struct cancel {};
// A second time turns the order round.
struct sort_by {
  sort_key key;
};

struct desk : tact::protocol<open_folder, open_dropped, show_kept, pause_or_go_on, cancel, sort_by, search, export_to> {
};

// What the desk is given, for as long as it lives.
struct desk_links {
  tact::engine& engine;
  tact::ref<survey_view> shown;
  tact::ref<notice> told;
  tact::ref<write_report> writer;
  std::shared_ptr<const archive> kept{};  // null: results are not kept
};

struct desk_state {
  row_order order{};
  std::string text{};  // that is searched for
  int surveys = 0;
  tact::owner<loudness::ledger> ledger{};
  std::shared_ptr<tact::scope> work{};  // the team lives in it; null: no survey goes on
  loudness::team team{};
  bool is_paused = false;
};

tact::behavior<desk> make_desk(const desk_links& links, desk_state state = {});

}  // namespace loudness
