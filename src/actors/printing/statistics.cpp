// Prints what the parts of an engine have counted.
#include "tact/statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tact {
namespace {

using counter = std::uint64_t worker_statistics::*;

// Everything that is counted per worker, by the name under which it is printed.
constexpr std::array<std::pair<std::string_view, counter>, 26> counters{{
    {"actors created", &worker_statistics::actors_created},
    {"messages sent", &worker_statistics::messages_sent},
    {"commits", &worker_statistics::commits},
    {"failures", &worker_statistics::failures},
    {"dead letters", &worker_statistics::dead_letters},
    {"restarts", &worker_statistics::restarts},
    {"retries", &worker_statistics::retries},
    {"collisions", &worker_statistics::collisions},
    {"aborts", &worker_statistics::aborts},
    {"forwarded", &worker_statistics::forwarded},
    {"went home", &worker_statistics::went_home},
    {"came back", &worker_statistics::came_back},
    {"gulps", &worker_statistics::gulps},
    {"messages gulped", &worker_statistics::gulped},
    {"missed gulps", &worker_statistics::missed_gulps},
    {"messages published", &worker_statistics::published},
    {"chunks published", &worker_statistics::chunks_published},
    {"steal attempts", &worker_statistics::steal_attempts},
    {"without candidate", &worker_statistics::steals_without_candidate},
    {"failed swaps", &worker_statistics::steals_failed},
    {"shards stolen", &worker_statistics::shards_stolen},
    {"shards returned", &worker_statistics::shards_returned},
    {"messages stolen", &worker_statistics::messages_stolen},
    {"adoptions", &worker_statistics::adoptions},
    {"parks", &worker_statistics::parks},
    {"wakes", &worker_statistics::wakes},
}};
static_assert(sizeof(worker_statistics) == counters.size() * sizeof(std::uint64_t), "each counter has its line above");

std::string with_one_decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

void add_row(std::string& table, std::string_view name, const std::string& value) {
  table.append("  ").append(name).append(20 - name.size(), ' ');
  table.append(value.size() < 16 ? 16 - value.size() : 0, ' ').append(value).append("\n");
}

// A column of numbers, with a heading of two lines at most.
struct column {
  std::string first_line;
  std::string second_line;
  std::vector<std::string> cells;

  column(std::string_view heading, std::vector<std::string> numbers) : cells(std::move(numbers)) {
    const std::size_t space = heading.find(' ');
    first_line = space == std::string_view::npos ? "" : heading.substr(0, space);
    second_line = space == std::string_view::npos ? heading : heading.substr(space + 1);
  }
  [[nodiscard]] std::size_t width() const {
    std::size_t most = std::max(first_line.size(), second_line.size());
    for (const std::string& c : cells) most = std::max(most, c.size());
    return most;
  }
};

std::string as_table(const std::vector<column>& columns) {
  std::string text;
  const auto line = [&](auto cell_of) {
    for (const column& c : columns) {
      const std::string& cell = cell_of(c);
      text.append(2 + c.width() - cell.size(), ' ').append(cell);
    }
    text += '\n';
  };
  line([](const column& c) -> const std::string& { return c.first_line; });
  line([](const column& c) -> const std::string& { return c.second_line; });
  for (std::size_t i = 0; i < columns.front().cells.size(); ++i) {
    line([i](const column& c) -> const std::string& { return c.cells[i]; });
  }
  return text;
}

}  // namespace

worker_statistics& worker_statistics::operator+=(const worker_statistics& other) noexcept {
  for (const auto& [name, member] : counters) this->*member += other.*member;
  return *this;
}

std::ostream& operator<<(std::ostream& out, const worker_statistics& s) {
  std::string text;
  const auto row = [&](std::string_view name, const std::string& value) { add_row(text, name, value); };
  for (const auto& [name, member] : counters) row(name, std::to_string(s.*member));
  row("average gulp", with_one_decimal(s.average_gulp()));
  row("average chunk", with_one_decimal(s.average_chunk()));
  row("average steal", with_one_decimal(s.average_steal()));
  return out << text;
}

std::ostream& operator<<(std::ostream& out, const statistics& s) {
  std::string text;
  const auto row = [&](std::string_view name, const std::string& value) { add_row(text, name, value); };
  row("workers", std::to_string(s.workers));
  row("running", std::to_string(s.running));
  row("pinned", std::to_string(s.pinned));
  row("memory nodes", std::to_string(s.memory_nodes));
  row("shards", std::to_string(s.shards));
  row("searchers", std::to_string(s.searchers));
  row("actors alive", std::to_string(s.actors_alive));
  row("in flight", std::to_string(s.in_flight()));
  for (const auto& [name, member] : counters) row(name, std::to_string(s.*member));
  row("average gulp", with_one_decimal(s.average_gulp()));
  row("average chunk", with_one_decimal(s.average_chunk()));
  row("average steal", with_one_decimal(s.average_steal()));
  row("refused", std::to_string(s.refused));
  row("retired", std::to_string(s.retired));
  row("waiting", std::to_string(s.waiting));
  row("outside asks", std::to_string(s.outside_asks));
  row("stacks", std::to_string(s.stacks));
  row("timers armed", std::to_string(s.timers_armed));
  row("timers fired", std::to_string(s.timers_fired));
  row("timers cancelled", std::to_string(s.timers_cancelled));
  row("timers dropped", std::to_string(s.timers_dropped));
  row("reports lost", std::to_string(s.reports_lost));
  row("chunks held", std::to_string(s.chunks_held));
  row("KiB held", with_one_decimal(static_cast<double>(s.bytes_held) / 1024.0));
  row("allocations", std::to_string(s.allocations));
  return out << text;
}

std::ostream& operator<<(std::ostream& out, const std::vector<worker_statistics>& workers) {
  std::vector<column> columns;
  const auto add = [&](std::string_view heading, auto value_of) {
    std::vector<std::string> numbers;
    for (const worker_statistics& w : workers) numbers.push_back(value_of(w));
    columns.emplace_back(heading, std::move(numbers));
  };
  unsigned number = 0;
  add("worker", [&](const worker_statistics&) { return std::to_string(number++); });
  for (const auto& [name, member] : counters) {
    const bool counted = std::any_of(workers.begin(), workers.end(), [m = member](auto& w) { return w.*m != 0; });
    if (counted) add(name, [m = member](const worker_statistics& w) { return std::to_string(w.*m); });
    if (counted && member == &worker_statistics::gulped) {
      add("average gulp", [](const worker_statistics& w) { return with_one_decimal(w.average_gulp()); });
    }
    if (counted && member == &worker_statistics::chunks_published) {
      add("average chunk", [](const worker_statistics& w) { return with_one_decimal(w.average_chunk()); });
    }
    if (counted && member == &worker_statistics::messages_stolen) {
      add("average steal", [](const worker_statistics& w) { return with_one_decimal(w.average_steal()); });
    }
  }
  return out << as_table(columns);
}

std::ostream& operator<<(std::ostream& out, const type_statistics& t) {
  const auto times = [](std::uint64_t n) { return std::to_string(n) + (n == 1 ? " time" : " times"); };
  return out << std::string(t.actor) + ": " + std::to_string(t.alive) + " alive, " + std::to_string(t.at_home) +
                    " at home, " + std::to_string(t.collisions) + (t.collisions == 1 ? " collision" : " collisions") +
                    ", went home " + times(t.went_home) + ", came back " + times(t.came_back);
}

std::ostream& operator<<(std::ostream& out, const std::vector<type_statistics>& types) {
  std::vector<column> columns;
  const auto add = [&](std::string_view heading, auto value_of) {
    std::vector<std::string> values;
    for (const type_statistics& t : types) values.push_back(value_of(t));
    columns.emplace_back(heading, std::move(values));
  };
  add("actor", [](const type_statistics& t) { return std::string(t.actor); });
  add("alive", [](const type_statistics& t) { return std::to_string(t.alive); });
  add("at home", [](const type_statistics& t) { return std::to_string(t.at_home); });
  add("collisions", [](const type_statistics& t) { return std::to_string(t.collisions); });
  add("went home", [](const type_statistics& t) { return std::to_string(t.went_home); });
  add("came back", [](const type_statistics& t) { return std::to_string(t.came_back); });
  return out << as_table(columns);
}

}  // namespace tact
