#include "actors/failure/drop_report.hpp"

#include <ostream>
#include <string>

#include "actors/cells/metadata.hpp"
#include "actors/common/grouped_lines.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/dead_letters.hpp"
#include "sync/reports.hpp"

namespace tact::actors {
namespace {

constexpr auto how_many = &dropped_messages::messages;

// "12 deposit for 3 account (teller 1)"
std::string line_of(const dropped_messages& d) {
  return std::to_string(d.messages) + " " + std::string(d.message) + " for " + std::to_string(d.actors) + " " +
         std::string(d.actor) + (d.name.empty() ? "" : " (" + d.name + ")");
}

std::string text_of(const std::vector<dropped_messages>& dropped) {
  if (dropped.empty()) return "";
  return "tact: an engine dropped " + counted(sum_of(dropped, how_many), "message") + " at its end:\n" +
         lines_of(dropped, how_many, line_of);
}

// One line is enough for timers, which are no messages yet.
std::string line_of_timed(const std::vector<dropped_messages>& dropped) {
  constexpr std::size_t kinds_max = 3;
  if (dropped.empty()) return "";
  std::string text = "tact: an engine ended with " + counted(sum_of(dropped, how_many), "timer") +
                     " set, which will not fire (call drain() before, which drops timers on purpose)";
  for (std::size_t i = 0; i < dropped.size() && i < kinds_max; ++i)
    text += (i == 0 ? ": " : ", ") + line_of(dropped[i]);
  return text + (dropped.size() > kinds_max ? ", ...\n" : "\n");
}

}  // namespace

void drop_report::add(detail::port target, const detail::message_type& message) noexcept {
  add_to(sent_, target, message);
}
void drop_report::add_timed(detail::port target, const detail::message_type& message) noexcept {
  add_to(timed_, target, message);
}

void drop_report::add_to(groups& all, detail::port target, const detail::message_type& message) noexcept {
  try {
    group& g = all[{type_name_of(target), given_name(target), message.name}];
    ++g.messages;
    g.actors.insert(target & ~detail::index_mask);
  } catch (...) {
    // Without memory the report leaves the message out; it is a dead letter all the same.
  }
}

void drop_report::list_of(const groups& all, bool were_timed, std::vector<dropped_messages>& into) {
  const std::size_t first = into.size();
  for (const auto& [key, g] : all) {
    const auto& [actor, name, message] = key;
    into.push_back({actor, message, g.messages, g.actors.size(), name, were_timed});
  }
  sort_largest_first(into, how_many, first);
}

std::vector<dropped_messages> drop_report::list() const {
  std::vector<dropped_messages> all;
  list_of(sent_, false, all);
  list_of(timed_, true, all);
  return all;
}

void drop_report::report(const engine_options& options) const noexcept {
  if (sent_.empty() && timed_.empty()) return;
  try {
    const this_thread::callback outside;
    const auto dropped = list();
    if (options.on_dropped) return options.on_dropped(dropped);
    std::vector<dropped_messages> sent;
    std::vector<dropped_messages> timed;
    for (const dropped_messages& d : dropped) (d.were_timed ? timed : sent).push_back(d);
    sync::report(text_of(sent) + line_of_timed(timed));
  } catch (...) {
    // The end of the engine must not fail because its report does.
  }
}

}  // namespace tact::actors

namespace tact {

std::ostream& operator<<(std::ostream& out, const dropped_messages& d) { return out << actors::line_of(d); }

}  // namespace tact
