#include "actors/failure/leak_report.hpp"

#include <ostream>
#include <utility>

#include "actors/cells/actor_names.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/cells/sites.hpp"
#include "actors/common/grouped_lines.hpp"
#include "actors/common/this_thread.hpp"
#include "sync/reports.hpp"

namespace tact::actors {
namespace {

constexpr std::size_t reported_names_max = 10;

// "3 account (teller 1, teller 2) created at bank.cpp:42"
std::string line_of_type(const alive_actors& a) {
  const std::string text = std::to_string(a.count) + " " + std::string(a.actor) + in_brackets(a.names);
  return a.file.empty() ? text : text + " created at " + std::string(a.file) + ":" + std::to_string(a.line);
}

std::string text_of(const std::vector<alive_actors>& alive) {
  const std::uint64_t sum = sum_of(alive, &alive_actors::count);
  return "tact: " + counted(sum, "actor") +
         (sum == 1 ? " was alive at the end of its engine:\n" : " were alive at the end of their engine:\n") +
         lines_of(alive, &alive_actors::count, line_of_type);
}

}  // namespace

void leak_report::add(const cell& c) noexcept {
  try {
    const detail::creation_site site = site_of(c);
    const std::string_view file = site.file == nullptr ? std::string_view() : site.file;
    group& g = groups_[{name_of(c), file, site.line}];
    ++g.count;
    if (g.names.size() == reported_names_max) return;
    std::string name = given_name(port_of(c));
    if (!name.empty()) g.names.push_back(std::move(name));
  } catch (...) {
    // Without memory the report is incomplete.
  }
}

std::vector<alive_actors> leak_report::list() const {
  std::vector<alive_actors> all;
  for (const auto& [key, g] : groups_) {
    const auto& [actor, file, line] = key;
    all.push_back({actor, g.count, file, line, g.names});
    std::sort(all.back().names.begin(), all.back().names.end());
  }
  sort_largest_first(all, &alive_actors::count);
  return all;
}

void leak_report::report(const engine_options& options) const noexcept {
  if (groups_.empty()) return;
  try {
    const this_thread::callback outside;
    const auto alive = list();
    if (options.on_alive) return options.on_alive(alive);
    sync::report(text_of(alive));
  } catch (...) {
    // A report that fails must not fail what it reports.
  }
}

}  // namespace tact::actors

namespace tact {

std::ostream& operator<<(std::ostream& out, const alive_actors& a) { return out << actors::line_of_type(a); }

}  // namespace tact
