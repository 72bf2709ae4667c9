#include "desk.hpp"

#include <filesystem>
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

void begin_survey(desk_self& self, const desk_links& links, desk_state& state, const std::filesystem::path& folder) {
  end_work(state);
  survey_view begin{.number = ++state.surveys, .folder = folder.string(), .analysts = links.engine.workers()};
  begin.rows = begin.rows.sorted_by(state.order);
  begin.sum.folders_left = 1;
  state.ledger = self.create(make_ledger({begin, links.shown, links.writer}), tact::owned);
  const tact::ref<ledger> ledger = state.ledger.ref();
  self.send(ledger, refresh{});
  state.work = std::make_shared<tact::scope>(links.engine);
  state.team = make_team(*state.work, begin.analysts, ledger, ledger, links.kept);
  self.send(state.team.agenda, found{.folders = {folder}, .searched = 1});  // in the place of the one that is counted
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
        begin_survey(self, links, next, folder);
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
      [state](desk_self& self, const export_to& m) {
        if (state.ledger) self.send(state.ledger.ref(), m);
      },
  };
}

}  // namespace loudness
