// Reads what the parts of an engine have counted, and prints it.
#include "tact/statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/core.hpp"
#include "actors/papers.hpp"
#include "actors/transactor.hpp"
#include "base/blocks.hpp"
#include "mailbox/chunk_memory.hpp"

namespace tact {
namespace {

using counter = std::uint64_t worker_statistics::*;

// Everything that is counted per worker, by the name under which it is printed.
constexpr std::array<std::pair<std::string_view, counter>, 23> counters{{
    {"actors created", &worker_statistics::actors_created},
    {"messages sent", &worker_statistics::messages_sent},
    {"commits", &worker_statistics::commits},
    {"failures", &worker_statistics::failures},
    {"dead letters", &worker_statistics::dead_letters},
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

std::ostream& operator<<(std::ostream& out, const statistics& s) {
  std::string text;
  const auto row = [&](std::string_view name, const std::string& value) {
    text.append("  ").append(name).append(20 - name.size(), ' ');
    text.append(value.size() < 16 ? 16 - value.size() : 0, ' ').append(value).append("\n");
  };
  row("workers", std::to_string(s.workers));
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
  row("stacks", std::to_string(s.stacks));
  row("timers armed", std::to_string(s.timers_armed));
  row("timers fired", std::to_string(s.timers_fired));
  row("timers cancelled", std::to_string(s.timers_cancelled));
  row("timers dropped", std::to_string(s.timers_dropped));
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

namespace tact::detail {
namespace {

void read_dispatch(worker_statistics& s, const dispatch::worker_counters& c) {
  s.gulps = c.gulps.read();
  s.gulped = c.gulped.read();
  s.missed_gulps = c.missed_gulps.read();
  s.steal_attempts = c.steal_attempts.read();
  s.steals_without_candidate = c.steals_without_candidate.read();
  s.steals_failed = c.steals_failed.read();
  s.shards_stolen = c.shards_stolen.read();
  s.messages_stolen = c.messages_stolen.read();
  s.adoptions = c.adoptions.read();
  s.parks = c.parks.read();
  s.wakes = c.wakes.read();
}

worker_statistics read(const transactor& r, const dispatch::worker_counters& w) {
  worker_statistics s;
  const actors::published_tally& c = r.counters();
  s.commits = c.committed.read();
  s.failures = c.failed.read();
  s.dead_letters = c.dead.read();
  s.collisions = c.collisions.read();
  s.aborts = s.collisions + s.failures;
  s.forwarded = c.forwarded.read();
  r.types().for_each([&](const actors::type_tallies::row& t) {
    s.went_home += t.went_home.read();
    s.came_back += t.came_back.read();
  });
  read_dispatch(s, w);
  s.published = r.outboxes().all_published().messages.read();
  s.chunks_published = r.outboxes().all_published().chunks.read();
  s.messages_sent = c.sent();
  s.actors_created = c.created.read();
  return s;
}

}  // namespace

std::vector<worker_statistics> core::read_worker_statistics() const {
  std::vector<worker_statistics> all;
  for (const auto& w : dispatcher_.workers())
    all.push_back(read(static_cast<const transactor&>(w->running()), w->counters()));
  return all;
}

statistics core::read_statistics() const {
  statistics s;
  s.workers = count_workers();
  s.shards = options_.shards;
  s.searchers = dispatcher_.searchers();
  s.dead_letters = outside_.dead.load() + outside_.late.load();
  s.commits = outside_.orders.load();
  for_each_run([&](const transactor& r, const dispatch::worker_counters& w) { s += read(r, w); });
  const std::uint64_t tokens = outside_.tokens.load();
  // These are read again, after what was handled, so that no message counts as handled that does not count as sent.
  s.messages_sent = outside_.sent.load() + outside_.late.load() + dispatcher_.sent_outside();
  s.actors_created = outside_.created.load();
  for_each_run([&](const transactor& r, auto&) {
    s.messages_sent += r.counters().sent();
    s.actors_created += r.counters().created.read();
  });
  s.messages_sent -= tokens;
  s.refused = refused_.load();
  s.actors_alive = actors_alive();
  s.retired = dispatcher_.reclamation().retired_count();
  read_waits(s);
  read_timers(s);
  s.chunks_held = dispatcher_.spare_chunks().chunks_held();
  const auto blocks = base::read_block_usage();
  const auto chunks = mailbox::read_chunk_usage();
  s.bytes_held =
      chunks.bytes_held + cells_.bytes_held() + timed_.store().bytes_held() + blocks.bytes_held + stacks_.bytes_held();
  s.allocations = chunks.allocations + cells_.allocations() + timed_.store().allocations() + blocks.allocations +
                  stacks_.allocations();
  return s;
}

// The waits that have ended are read before those that have begun, so that no more seem to have ended than begun.
void core::read_waits(statistics& s) const {
  std::uint64_t ended = 0;
  std::uint64_t begun = 0;
  for_each_run([&](const transactor& r, auto&) { ended += r.waits_ended(); });
  for_each_run([&](const transactor& r, auto&) { begun += r.waits_begun(); });
  s.waiting = begun > ended ? begun - ended : 0;
  s.stacks = stacks_.in_use() + stacks_.kept();
}

// The timers that are over are read before those that were set, so that none counts as gone that was never set.
void core::read_timers(statistics& s) const {
  s.timers_fired = timed_.fired();
  s.timers_dropped = timed_.dropped();
  s.timers_cancelled = timed_.cancelled();
  for_each_run([&](const transactor& r, auto&) { s.timers_cancelled += r.timers_cancelled(); });
  const std::uint64_t gone = timed_.over() + s.timers_cancelled + s.timers_dropped;
  std::uint64_t set = timed_.set_outside();
  for_each_run([&](const transactor& r, auto&) { set += r.timers_set(); });
  s.timers_armed = set > gone ? set - gone : 0;
}

std::vector<type_statistics> core::read_type_statistics() {
  std::map<std::string_view, type_statistics> all;
  const auto of = [&](const behavior_type* type) -> type_statistics& {
    const std::string_view name = type == nullptr ? "others" : type->name;
    type_statistics& s = all[name];
    s.actor = name;
    return s;
  };
  for_each_run([&](const transactor& r, auto&) {
    r.types().for_each([&](const actors::type_tallies::row& t) {
      if (t.collisions.read() + t.went_home.read() + t.came_back.read() == 0) return;
      type_statistics& s = of(t.type);
      s.collisions += t.collisions.read();
      s.went_home += t.went_home.read();
      s.came_back += t.came_back.read();
    });
  });
  cells_.for_each([&](const actors::cell& c) {
    const auto word = c.word.load();
    if (word.is_ended() || c.where().is_one_shot()) return;
    type_statistics& s = of(c.type());
    ++s.alive;
    s.at_home += word.is_home() && !c.where().is_exclusive();
  });
  std::vector<type_statistics> sorted;
  for (auto& [name, s] : all) sorted.push_back(s);
  return sorted;
}

std::vector<std::uint64_t> core::read_shard_depths() const {
  std::vector<std::uint64_t> depths(dispatcher_.shards().size());
  for (std::uint32_t i = 0; i < depths.size(); ++i) depths[i] = dispatcher_.depth(i);
  return depths;
}

// -- for people

std::string core::still_running() {
  std::string text;
  for_each_run([&](const transactor& r, auto&) {
    const std::string now = r.running_now();
    if (!now.empty()) text += r.name() + " runs " + now + "; ";
  });
  const statistics s = read_statistics();
  text += std::to_string(s.in_flight()) + " messages in flight";
  if (s.timers_armed != 0) text += ", " + std::to_string(s.timers_armed) + " timers set";
  if (s.waiting != 0) {
    text += ", " + std::to_string(s.waiting) + " handlers wait for answers";
    text += actors::waits::are_known ? waits_.list() : waiting_actors();
  }
  return text + actors_by_type();
}

// " (bank, teller 1)": a few of the actors that handle nothing else while they wait. Only the stacks of their handlers
// say for whom they wait, and no other thread may look at those.
std::string core::waiting_actors() {
  constexpr std::size_t shown_max = 5;
  std::vector<port> some;
  cells_.for_each([&](actors::cell& c) {
    if (some.size() <= shown_max && c.word.load().is_waiting()) some.push_back(actors::port_of(c));
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(some.size(), shown_max); ++i) {
    text += (text.empty() ? " (" : ", ") + actors::describe(some[i]);
  }
  if (text.empty()) return text;
  return text + (some.size() > shown_max ? ", ...)" : ")");
}

// "; actors alive: 3 account (teller 1, teller 2), 1 logger"
std::string core::actors_by_type() {
  constexpr std::size_t names_max = 3;  // shown for each type
  struct kind {
    std::uint64_t count = 0;
    std::vector<std::string> names;
  };
  std::map<std::string_view, kind> alive;
  cells_.for_each([&](actors::cell& c) {
    const behavior_type* type = c.type();
    if (c.word.load().is_ended() || type == nullptr) return;
    kind& k = alive[type->name];
    ++k.count;
    if (k.names.size() > names_max) return;
    std::string name = actors::given_name(actors::port_of(c));
    if (!name.empty()) k.names.push_back(std::move(name));
  });
  std::string text;
  for (const auto& [type, k] : alive) {
    text += (text.empty() ? "; actors alive: " : ", ") + std::to_string(k.count) + " " + std::string(type);
    for (std::size_t i = 0; i < k.names.size() && i < names_max; ++i) text += (i == 0 ? " (" : ", ") + k.names[i];
    if (!k.names.empty()) text += k.names.size() > names_max ? ", ...)" : ")";
  }
  return text;
}

}  // namespace tact::detail
