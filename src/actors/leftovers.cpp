#include "actors/leftovers.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "actors/dead_letters.hpp"
#include "actors/papers.hpp"
#include "actors/this_thread.hpp"

namespace tact::actors {
namespace {

constexpr std::size_t lines_max = 10;

std::string lines_of(const std::vector<dropped_messages>& dropped) {
  std::uint64_t messages = 0;
  for (const dropped_messages& d : dropped) messages += d.messages;
  std::string text = "tact: an engine dropped " + std::to_string(messages) + " messages at its end:\n";
  // The first line says how many messages there are, the last line how many of them are not listed.
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

// One line is enough for timers, which are no messages yet.
std::string line_of_timed(const std::vector<dropped_messages>& dropped) {
  constexpr std::size_t kinds_max = 3;
  std::uint64_t timers = 0;
  for (const dropped_messages& d : dropped) timers += d.messages;
  std::string text = "tact: an engine ended with " + std::to_string(timers) + " timers set, which will not fire";
  for (std::size_t i = 0; i < dropped.size() && i < kinds_max; ++i) {
    const dropped_messages& d = dropped[i];
    text += (i == 0 ? ": " : ", ") + std::to_string(d.messages) + " " + std::string(d.message) + " for " +
            std::to_string(d.actors) + " " + std::string(d.actor) + (d.name.empty() ? "" : " (" + d.name + ")");
  }
  return text + (dropped.size() > kinds_max ? ", ...\n" : "\n");
}

}  // namespace

void leftovers::add(detail::port target, const detail::message_type& message) noexcept {
  add_to(sent_, target, message);
}
void leftovers::add_timed(detail::port target, const detail::message_type& message) noexcept {
  add_to(timed_, target, message);
}

void leftovers::add_to(groups& all, detail::port target, const detail::message_type& message) noexcept {
  try {
    group& g = all[{type_name_of(target), given_name(target), message.name}];
    ++g.messages;
    g.actors.insert(target & ~detail::index_mask);
  } catch (...) {
    // Without memory the report leaves the message out; it is a dead letter all the same.
  }
}

void leftovers::list_of(const groups& all, bool were_timed, std::vector<dropped_messages>& into) {
  const auto first = static_cast<std::ptrdiff_t>(into.size());
  for (const auto& [key, g] : all) {
    const auto& [actor, name, message] = key;
    into.push_back({actor, message, g.messages, g.actors.size(), name, were_timed});
  }
  std::stable_sort(into.begin() + first, into.end(), [](auto& a, auto& b) { return a.messages > b.messages; });
}

std::vector<dropped_messages> leftovers::list() const {
  std::vector<dropped_messages> all;
  list_of(sent_, false, all);
  list_of(timed_, true, all);
  return all;
}

void leftovers::report(const engine_options& options) const noexcept {
  if (sent_.empty() && timed_.empty()) return;
  try {
    const this_thread::callback outside;
    const auto dropped = list();
    if (options.on_dropped) return options.on_dropped(dropped);
    std::vector<dropped_messages> sent;
    std::vector<dropped_messages> timed;
    for (const dropped_messages& d : dropped) (d.were_timed ? timed : sent).push_back(d);
    std::fputs(((sent.empty() ? "" : lines_of(sent)) + (timed.empty() ? "" : line_of_timed(timed))).c_str(), stderr);
  } catch (...) {
    // The end of the engine must not fail because its report does.
  }
}

}  // namespace tact::actors
