// Writes what came of a message as a sequence chart in the language of Mermaid.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ostream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tact/inspect/trace.hpp"

namespace tact::inspect {

namespace {

// Some characters, and the word "end", have a meaning in the language: they are written by their numbers.
std::string plain(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_letter = [&](std::size_t at) {
      return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
    };
    const bool is_end = text.substr(i, 3) == "end" && !is_letter(i + 3) && (i == 0 || !is_letter(i - 1));
    const char c = text[i];
    if (is_end || c == ';' || c == '#' || c == ':' || c == '<' || c == '>' || c == '"') {
      all.append("#").append(std::to_string(static_cast<unsigned>(static_cast<unsigned char>(c)))).append(";");
    } else {
      all += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return all;
}

// The columns of the chart, in the order in which they are met.
class columns {
 public:
  [[nodiscard]] std::string of(std::uint64_t actor, std::string_view type) {
    const auto [found, is_new] = numbers_.try_emplace(actor, names_.size() + 1);
    if (is_new) names_.push_back(name_of(actor, type));
    return "a" + std::to_string(found->second);
  }
  void write(std::ostream& to) const {
    for (std::size_t n = 0; n < names_.size(); ++n) to << "  participant a" << n + 1 << " as " << names_[n] << "\n";
  }

 private:
  [[nodiscard]] static std::string name_of(std::uint64_t actor, std::string_view type) {
    if (actor == 0) return "outside";
    char address[24];
    std::snprintf(address, sizeof address, "@%llx", static_cast<unsigned long long>(actor >> detail::index_bits));
    return plain(type.empty() ? "an actor" : type) + address;
  }

  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::vector<std::string> names_;
};

}  // namespace

void trace::write_mermaid(std::ostream& to, std::uint64_t message, std::size_t most) const {
  // Who handles a message of the task, as far as that has been told.
  struct handler {
    std::uint64_t actor = 0;
    std::string_view type{};
  };
  std::unordered_map<std::uint64_t, handler> of_task{{message, {}}};
  columns all;
  std::string arrows;
  std::size_t drawn = 0;
  std::size_t left_out = 0;
  const auto add = [&](std::string line) {
    if (drawn == most) {
      ++left_out;
    } else {
      ++drawn;
      arrows.append("  ").append(line).append("\n");
    }
  };
  for (const event& e : events_) {
    const auto cause = of_task.find(e.cause);
    const bool is_first = e.what == step::sent && e.message == message;
    if (e.what == step::begun && of_task.contains(e.message)) {
      of_task[e.message] = {e.actor, e.actor_type};
    } else if (e.what == step::sent && (is_first || (e.cause != 0 && cause != of_task.end()))) {
      const handler from = is_first && cause == of_task.end() ? handler{} : cause->second;
      const std::string sender = all.of(from.actor, from.type);
      if (!is_first) of_task.try_emplace(e.message);
      const std::string target = all.of(e.actor, e.actor_type);
      add(sender + (e.is_undone ? "--x" : "->>") + target + ": " + plain(e.message_type) + " " +
          name_of_message(e.message) + (e.is_undone ? " (undone)" : ""));
    } else if (e.what == step::over && e.how == outcome::failed && of_task.contains(e.message)) {
      const handler& who = of_task[e.message];
      add("Note over " + all.of(who.actor, who.type) + ": failed at " + name_of_message(e.message));
    } else if (e.what == step::marked && e.cause != 0 && cause != of_task.end()) {
      add("Note over " + all.of(cause->second.actor, cause->second.type) + ": " + plain(e.text));
    }
  }
  to << "sequenceDiagram\n";
  all.write(to);
  to << arrows;
  if (left_out != 0) to << "  Note over a1: " << left_out << " more steps are not shown\n";
}

}  // namespace tact::inspect
