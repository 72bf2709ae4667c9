#include "actor/leftovers.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "actor/dead_letters.hpp"
#include "actor/papers.hpp"
#include "actor/this_thread.hpp"

namespace tact::actor {
namespace {

constexpr std::size_t lines_max = 10;

std::string lines_of(const std::vector<dropped_messages>& dropped) {
  std::uint64_t messages = 0;
  for (const dropped_messages& d : dropped) messages += d.messages;
  std::string text = "tact: an engine dropped " + std::to_string(messages) + " messages at its end:\n";
  // The first line says how many there are, the last one what does not fit.
  const std::size_t shown = dropped.size() < lines_max ? dropped.size() : lines_max - 2;
  for (std::size_t i = 0; i < shown; ++i) {
    const dropped_messages& d = dropped[i];
    messages -= d.messages;
    text += "  " + std::to_string(d.messages) + " " + std::string(d.message) + " for " + std::to_string(d.actors) +
            " " + std::string(d.actor) + (d.name.empty() ? "" : " (" + d.name + ")") + "\n";
  }
  if (shown < dropped.size()) {
    text +=
        "  and " + std::to_string(messages) + " more of " + std::to_string(dropped.size() - shown) + " other kinds\n";
  }
  return text;
}

}  // namespace

void leftovers::add(detail::port target, const detail::message_type& message) noexcept {
  try {
    group& g = groups_[{type_name_of(target), given_name(target), message.name}];
    ++g.messages;
    g.actors.insert(target & ~detail::index_mask);
  } catch (...) {
    // Without memory the report is short; the messages are dead letters all the same.
  }
}

std::vector<dropped_messages> leftovers::list() const {
  std::vector<dropped_messages> all;
  for (const auto& [key, g] : groups_) {
    const auto& [actor, name, message] = key;
    all.push_back({actor, message, g.messages, g.actors.size(), name});
  }
  std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.messages > b.messages; });
  return all;
}

void leftovers::report(const engine_options& options) const noexcept {
  if (groups_.empty()) return;
  try {
    const this_thread::callback outside;
    const auto dropped = list();
    if (options.on_dropped) return options.on_dropped(dropped);
    std::fputs(lines_of(dropped).c_str(), stderr);
  } catch (...) {
    // A report that fails must not fail what it reports.
  }
}

}  // namespace tact::actor
