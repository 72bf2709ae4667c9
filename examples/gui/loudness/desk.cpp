#include "desk.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace loudness {
namespace {

using desk_self = tact::self<desk>;

void end_work(desk_state& state) {
  if (state.work) state.work->end();
  state.work.reset();
  state.team = {};
  state.is_paused = false;
}

void begin_ledger(desk_self& self, const desk_links& links, desk_state& state, survey_view begin) {
  end_work(state);
  begin.number = ++state.surveys;
  begin.rows = begin.rows.sorted_by(state.order).with_text(state.text);
  state.ledger = self.create(make_ledger({std::move(begin), links.shown, links.writer}), tact::owned);
  self.send(state.ledger.ref(), refresh{});
}

// `seen_from` is how the paths are shown.
void begin_survey(desk_self& self, const desk_links& links, desk_state& state, const std::filesystem::path& seen_from,
                  found roots) {
  survey_view begin{.folder = seen_from.string(), .analysts = links.engine.workers()};
  begin.sum.folders_left = 1;
  const unsigned analysts = begin.analysts;
  begin_ledger(self, links, state, std::move(begin));
  const tact::ref<ledger> ledger = state.ledger.ref();
  state.work = std::make_shared<tact::scope>(links.engine);
  state.team = make_team(*state.work, analysts, ledger, ledger, links.kept);
  roots.searched = 1;  // in the place of the one that is counted
  self.send(state.team.agenda, std::move(roots));
  for (const auto& analyst : state.team.analysts) self.send(state.team.agenda, next_file{analyst});
}

// What the path means, and why there is nothing to search; empty: there is.
std::string refusal(const std::string& path, const std::filesystem::path& folder) {
  if (path.empty()) return "no folder given: type the path of one, or choose one";
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  const auto reason = error ? error.message() : "this is a file, not a folder";
  return "'" + folder.string() + "' cannot be searched: " + reason + "; check the path";
}

std::filesystem::path normal(const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::absolute(path, error).lexically_normal();
  return folder.has_filename() || folder == folder.root_path() ? folder : folder.parent_path();
}

bool is_inside(const std::filesystem::path& folder, const std::filesystem::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// What lies in a folder that is searched as well would be found, and measured, once more.
void drop_what_is_inside(found& roots) {
  auto& folders = roots.folders;
  std::sort(folders.begin(), folders.end());  // a folder comes before those in it
  std::vector<std::filesystem::path> outer;
  for (const auto& folder : folders) {
    if (outer.empty() || !is_inside(outer.back(), folder)) outer.push_back(folder);
  }
  folders = std::move(outer);
  std::erase_if(roots.files, [&](const candidate& file) {
    return std::any_of(folders.begin(), folders.end(),
                       [&](const auto& folder) { return is_inside(folder, file.path); });
  });
}

// What was dropped, as far as it is there.
found roots_of(const std::vector<std::string>& paths) {
  found roots;
  for (const std::string& each : paths) {
    const std::filesystem::path path = normal(each);
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) {
      roots.folders.push_back(path);
    } else if (std::filesystem::exists(path, unknown)) {
      roots.files.push_back(make_candidate(path));
    }
  }
  drop_what_is_inside(roots);
  return roots;
}

// The folder that all of them are in, or the only one itself.
std::filesystem::path folder_of(const found& roots) {
  std::vector<std::filesystem::path> all = roots.folders;
  for (const candidate& file : roots.files) all.push_back(std::filesystem::path(file.path).parent_path());
  std::filesystem::path common = all.front();
  for (const auto& each : all) {
    while (!is_inside(common, each)) common = common.parent_path();
  }
  return common;
}

survey_view view_of_kept(const archive& kept) {
  survey_view view;
  for (result& row : kept.all()) {
    row.was_known = true;
    if (is_cut_short(row)) ++view.sum.files_cut_short;
    view.rows = view.rows.with_result(std::make_shared<const result>(std::move(row)));
  }
  view.sum.files = view.sum.files_done = view.sum.files_known = view.rows.size();
  return view;
}

void show_all_kept(desk_self& self, const desk_links& links, desk_state& state) {
  try {
    if (links.kept == nullptr) throw std::runtime_error("no results are kept: this window was opened without a store");
    begin_ledger(self, links, state, view_of_kept(*links.kept));
    self.send(links.told, notice{});
  } catch (const std::runtime_error& error) {
    self.send(links.told, notice{error.what(), true});
  }
}

template <class M>
void send_to_team(desk_self& self, const team& team, const M& m) {
  self.send(team.agenda, m);
  for (const auto& analyst : team.analysts) self.send(analyst, m);
}

void pause_team(desk_self& self, desk_state& state) {
  state.is_paused = !state.is_paused;
  if (state.is_paused) {
    send_to_team(self, state.team, pause{});
  } else {
    send_to_team(self, state.team, go_on{});
  }
  self.send(state.ledger.ref(), state.is_paused ? survey_phase::paused : survey_phase::running);
}

row_order order_after(row_order now, sort_key asked) {
  return asked == now.key ? row_order{asked, !now.is_turned} : row_order{asked};
}

}  // namespace

tact::behavior<desk> make_desk(const desk_links& links, desk_state state) {
  return {
      [links, state](desk_self& self, const open_folder& m) {
        const std::filesystem::path folder = normal(m.path);
        const std::string why_not = refusal(m.path, folder);
        self.send(links.told, notice{why_not, !why_not.empty()});
        if (!why_not.empty()) return;
        desk_state next = state;
        begin_survey(self, links, next, folder, {.folders = {folder}});
        self.become(make_desk(links, std::move(next)));
      },
      [links, state](desk_self& self, const open_dropped& m) {
        found roots = roots_of(m.paths);
        const bool is_empty = roots.folders.empty() && roots.files.empty();
        self.send(links.told,
                  notice{is_empty ? "what was dropped is no file or folder of this machine" : "", is_empty});
        if (is_empty) return;
        desk_state next = state;
        const std::filesystem::path folder = folder_of(roots);
        begin_survey(self, links, next, folder, std::move(roots));
        self.become(make_desk(links, std::move(next)));
      },
      [links, state](desk_self& self, const show_kept&) {
        desk_state next = state;
        show_all_kept(self, links, next);
        self.become(make_desk(links, std::move(next)));
      },
      [links, state](desk_self& self, const pause_or_go_on&) {
        if (!state.work) return;
        desk_state next = state;
        pause_team(self, next);
        self.become(make_desk(links, std::move(next)));
      },
      [links, state](desk_self& self, const cancel&) {
        if (!state.work) return;
        desk_state next = state;
        end_work(next);
        self.send(next.ledger.ref(), survey_phase::cancelled);
        self.become(make_desk(links, std::move(next)));
      },
      [links, state](desk_self& self, const sort_by& m) {
        desk_state next = state;
        next.order = order_after(state.order, m.key);
        if (next.ledger) self.send(next.ledger.ref(), next.order);
        self.become(make_desk(links, std::move(next)));
      },
      [links, state](desk_self& self, const search& m) {
        desk_state next = state;
        next.text = m.text;
        if (next.ledger) self.send(next.ledger.ref(), m);
        self.become(make_desk(links, std::move(next)));
      },
      [state](desk_self& self, const export_to& m) {
        if (state.ledger) self.send(state.ledger.ref(), m);
      },
  };
}

}  // namespace loudness
