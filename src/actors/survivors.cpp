#include "actors/survivors.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "actors/papers.hpp"
#include "actors/sites.hpp"
#include "actors/this_thread.hpp"

namespace tact::actors {
namespace {

constexpr std::size_t lines_max = 10;
constexpr std::size_t names_max = 10;
constexpr std::size_t names_shown = 3;

// "  3 account (teller 1, teller 2) created at bank.cpp:42\n"
std::string line_of(const alive_actors& a) {
  std::string text = "  " + std::to_string(a.count) + " " + std::string(a.actor);
  for (std::size_t i = 0; i < a.names.size() && i < names_shown; ++i) text += (i == 0 ? " (" : ", ") + a.names[i];
  if (!a.names.empty()) text += a.names.size() > names_shown ? ", ...)" : ")";
  if (!a.file.empty()) text += " created at " + std::string(a.file) + ":" + std::to_string(a.line);
  return text + "\n";
}

std::string lines_of(const std::vector<alive_actors>& alive) {
  std::uint64_t count = 0;
  for (const alive_actors& a : alive) count += a.count;
  std::string text = "tact: " + std::to_string(count) + " actors were alive at the end of their engine:\n";
  // The first line says how many actors there are, and the last one how many are not shown.
  const std::size_t shown = alive.size() < lines_max ? alive.size() : lines_max - 2;
  for (std::size_t i = 0; i < shown; ++i) {
    count -= alive[i].count;
    text += line_of(alive[i]);
  }
  if (shown < alive.size()) {
    text += "  and " + std::to_string(count) + " more of " + std::to_string(alive.size() - shown) + " other kinds\n";
  }
  return text;
}

}  // namespace

void survivors::add(const cell& c) noexcept {
  try {
    const detail::creation_site site = site_of(c);
    const std::string_view file = site.file == nullptr ? std::string_view() : site.file;
    group& g = groups_[{c.type()->name, file, site.line}];
    ++g.count;
    if (g.names.size() == names_max) return;
    std::string name = given_name(port_of(c));
    if (!name.empty()) g.names.push_back(std::move(name));
  } catch (...) {
    // Without memory the report is incomplete.
  }
}

std::vector<alive_actors> survivors::list() const {
  std::vector<alive_actors> all;
  for (const auto& [key, g] : groups_) {
    const auto& [actor, file, line] = key;
    all.push_back({actor, g.count, file, line, g.names});
  }
  std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.count > b.count; });
  return all;
}

void survivors::report(const engine_options& options) const noexcept {
  if (groups_.empty()) return;
  try {
    const this_thread::callback outside;
    const auto alive = list();
    if (options.on_alive) return options.on_alive(alive);
    std::fputs(lines_of(alive).c_str(), stderr);
  } catch (...) {
    // A report that fails must not fail what it reports.
  }
}

}  // namespace tact::actors
