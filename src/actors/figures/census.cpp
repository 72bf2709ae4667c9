#include "actors/figures/census.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "actors/cells/actor_names.hpp"
#include "actors/cells/metadata.hpp"
#include "actors/common/grouped_lines.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/figures/run_report.hpp"
#include "actors/pressure/limited_mailbox.hpp"
#include "base/system_blocks.hpp"
#include "mailbox/chunk_memory.hpp"
#include "sync/reports.hpp"

namespace tact::actors {
namespace {

constexpr std::size_t shown_max = 5;

// " (bank, teller 1, ...)"
std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown_max); ++i) text += (text.empty() ? " (" : ", ") + names[i];
  return text.empty() ? text : text + (names.size() > shown_max ? ", ...)" : ")");
}

void read_dispatch(worker_statistics& s, const dispatch::worker_counters& c) {
  s.gulps = c.gulps.read();
  s.gulped = c.gulped.read();
  s.missed_gulps = c.missed_gulps.read();
  s.steal_attempts = c.steal_attempts.read();
  s.steals_without_candidate = c.steals_without_candidate.read();
  s.steals_failed = c.steals_failed.read();
  s.shards_stolen = c.shards_stolen.read();
  s.shards_returned = c.shards_returned.read();
  s.messages_stolen = c.messages_stolen.read();
  s.adoptions = c.adoptions.read();
  s.parks = c.parks.read();
  s.wakes = c.wakes.read();
}

worker_statistics read(const run_state& r) {
  worker_statistics s;
  const published_tally& c = r.counts().published;
  s.commits = c.committed.read();
  s.failures = c.failed.read();
  s.dead_letters = c.dead.read();
  s.restarts = c.restarted.read();
  s.retries = c.retried.read();
  s.collisions = c.collisions.read();
  s.aborts = s.collisions + s.failures;
  s.forwarded = c.forwarded.read();
  r.counts().types.for_each([&](const type_tallies::row& t) {
    s.went_home += t.went_home.read();
    s.came_back += t.came_back.read();
  });
  s.published = r.worker().outboxes().all_published().messages.read();
  s.chunks_published = r.worker().outboxes().all_published().chunks.read();
  s.messages_sent = c.sent();
  s.actors_created = c.created.read();
  return s;
}

}  // namespace

template <class F>
void census::for_each_thread(F f) const {
  for (const auto& w : parts_.workers.workers()) f(w->counters());
  for (const auto& h : parts_.workers.helpers()) f(h->counters());
  parts_.workers.homes().for_each_blocking([&](const dispatch::blocking_thread& t) { f(t.counters()); });
}

std::vector<worker_statistics> census::read_worker_statistics() const {
  std::vector<worker_statistics> all(parts_.workers.workers().size());
  parts_.runs.for_each([&](const run_state& r) {
    if (r.worker().is_worker()) all[r.worker().index()] = read(r);
  });
  for (const auto& w : parts_.workers.workers()) read_dispatch(all[w->index()], w->counters());
  return all;
}

statistics census::read_statistics() const {
  statistics s;
  s.workers = parts_.options.workers == 0 ? 0 : parts_.workers.threads_of_workers();
  s.running = std::min(s.workers, parts_.workers.running());
  s.pinned = parts_.seating.count_pinned(s.workers);
  s.memory_nodes = parts_.pages.nodes();
  s.shards = parts_.options.shards;
  s.searchers = parts_.workers.stealing().count_searchers();
  s.dead_letters = parts_.outside.dead.load() + parts_.outside.late.load();
  s.commits = parts_.outside.orders.load();
  parts_.runs.for_each([&](const run_state& r) { s += read(r); });
  for_each_thread([&](const dispatch::worker_counters& c) {
    worker_statistics of_thread;
    read_dispatch(of_thread, c);
    s += of_thread;
  });
  const std::uint64_t tokens = parts_.outside.tokens.load();
  // These are read again, after what was handled, so that no message counts as handled that does not count as sent.
  s.messages_sent = parts_.outside.sent.load() + parts_.outside.late.load() + parts_.workers.mail().sent_outside();
  s.actors_created = parts_.outside.created.load();
  parts_.runs.for_each([&](const run_state& r) {
    s.messages_sent += r.counts().published.sent();
    s.actors_created += r.counts().published.created.read();
  });
  s.messages_sent -= tokens;
  s.refused = parts_.admitted.refused();
  s.actors_alive = actors_alive();
  s.retired = parts_.workers.reclamation().retired_count();
  read_waits(s);
  read_asks(s);
  read_timers(s);
  s.chunks_held = parts_.workers.mail().spare_chunks().chunks_held();
  const auto blocks = base::read_block_usage();
  const auto chunks = mailbox::read_chunk_usage();
  s.bytes_held = chunks.bytes_held + parts_.cells.bytes_held() + parts_.timed.store().bytes_held() + blocks.bytes_held +
                 parts_.parked.stacks.bytes_held();
  s.allocations = chunks.allocations + parts_.cells.allocations() + parts_.timed.store().allocations() +
                  blocks.allocations + parts_.parked.stacks.allocations();
  return s;
}

// The waits that have ended are read before those that have begun, so that no more seem to have ended than begun.
void census::read_waits(statistics& s) const {
  std::uint64_t ended = 0;
  std::uint64_t begun = 0;
  parts_.runs.for_each([&](const run_state& r) { ended += r.counts().rare.waits_ended.read(); });
  parts_.runs.for_each([&](const run_state& r) { begun += r.counts().rare.waits_begun.read(); });
  s.waiting = begun > ended ? begun - ended : 0;
  s.stacks = parts_.parked.stacks.in_use() + parts_.parked.stacks.kept();
}

// The asks that are over are read before those that have begun, as above.
void census::read_asks(statistics& s) const {
  std::uint64_t over = parts_.outside.asks_over.load();
  parts_.runs.for_each([&](const run_state& r) { over += r.counts().rare.askers_told.read(); });
  const std::uint64_t begun = parts_.outside.asked.load();
  s.outside_asks = begun > over ? begun - over : 0;
}

// The timers that are over are read before those that were set, so that none counts as gone that was never set.
void census::read_timers(statistics& s) const {
  const timer_tally& counted = parts_.timed.counted();
  s.timers_fired = counted.fired.read();
  s.timers_dropped = counted.dropped.load();
  s.reports_lost = sync::count_lost_reports();
  s.timers_cancelled = counted.cancelled();
  parts_.runs.for_each([&](const run_state& r) { s.timers_cancelled += r.counts().rare.timers_cancelled.read(); });
  const std::uint64_t gone = counted.over.read() + s.timers_cancelled + s.timers_dropped;
  std::uint64_t set = counted.set_outside.load();
  parts_.runs.for_each([&](const run_state& r) { set += r.counts().rare.timers_set.read(); });
  s.timers_armed = set > gone ? set - gone : 0;
}

std::vector<type_statistics> census::read_type_statistics() const {
  std::map<std::string_view, type_statistics> all;
  const auto of = [&](std::string_view name) -> type_statistics& {
    type_statistics& s = all[name];
    s.actor = name;
    return s;
  };
  parts_.runs.for_each([&](const run_state& r) {
    r.counts().types.for_each([&](const type_tallies::row& t) {
      if (t.collisions.read() + t.went_home.read() + t.came_back.read() == 0) return;
      type_statistics& s = of(t.type == nullptr ? "others" : t.type->name);
      s.collisions += t.collisions.read();
      s.went_home += t.went_home.read();
      s.came_back += t.came_back.read();
    });
  });
  parts_.cells.for_each([&](const cell& c) {
    const auto word = c.word.load();
    if (word.is_ended() || c.where().is_one_shot()) return;
    type_statistics& s = of(c.type() == nullptr ? "others" : name_of(c));
    ++s.alive;
    s.at_home += word.is_home() && !c.where().is_exclusive();
  });
  std::vector<type_statistics> sorted;
  for (auto& [name, s] : all) sorted.push_back(s);
  return sorted;
}

std::vector<std::uint64_t> census::read_shard_depths() const {
  std::vector<std::uint64_t> depths(parts_.workers.mail().shards().size());
  for (std::uint32_t i = 0; i < depths.size(); ++i) depths[i] = parts_.workers.depth(i);
  return depths;
}

bool census::is_quiet() const noexcept {
  // Reads every `done` before any `sent`: see published_tally.
  std::uint64_t done = parts_.outside.dead.load() + parts_.outside.orders.load() + parts_.outside.tokens.load();
  parts_.runs.for_each([&](const run_state& r) { done += r.counts().published.done(); });
  std::uint64_t sent = parts_.outside.sent.load() + parts_.workers.mail().sent_outside();
  parts_.runs.for_each([&](const run_state& r) { sent += r.counts().published.sent(); });
  return sent == done;
}

std::uint64_t census::actors_alive() const noexcept {
  std::uint64_t ended = 0;
  parts_.runs.for_each([&](const run_state& r) { ended += r.counts().published.ended.read(); });
  ended += parts_.outside.ended.load();
  std::uint64_t created = parts_.outside.created.load();
  parts_.runs.for_each([&](const run_state& r) { created += r.counts().published.created.read(); });
  return created > ended ? created - ended : 0;  // while actors come and go, the two sums are of different moments
}

std::vector<mailbox_depth> census::read_fullest(std::size_t most) const {
  std::vector<mailbox_depth> all;
  const auto now = sync::clock::now();
  const auto add = [&](std::string name, const mailbox_limit& limit, const admission_counter<sync::real>::reading& r) {
    const auto waits = r.oldest == sync::time_point{} ? std::chrono::nanoseconds(0) : now - r.oldest;
    all.push_back({std::move(name), limit, r.now.messages, r.now.bytes, waits, r.refused});
  };
  if (parts_.admitted.outside()) add("threads outside", parts_.admitted.outside(), parts_.admitted.brought().read());
  parts_.cells.for_each([&](cell& c) {
    if (!mailbox::route_of(port_of(c)).is_limited() || c.word.load().is_ended()) return;
    const limited_mailbox& m = mailbox_of(c);
    const admission_counter<sync::real>::reading r = m.space.read();
    if (r.whose != port_of(c)) return;
    add(describe(r.whose), {r.most.messages, r.most.bytes, m.policy()}, r);
  });
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.fill() > b.fill(); });
  if (all.size() > most) all.resize(most);
  return all;
}

// -- what goes on

thread_doing census::doing_of(const run_state& r) const {
  // relaxed: hint, outdated as soon as it is read.
  if (r.handling.load(std::memory_order_relaxed) != 0) return thread_doing::handling;
  const unsigned index = r.worker().index();
  if (!r.worker().is_worker() || parts_.options.workers == 0) return thread_doing::searching;
  if (index >= parts_.workers.threads_of_workers()) return thread_doing::gone;
  if (index >= parts_.workers.running()) return thread_doing::resting;
  return parts_.workers.status_of(index).sleeps() ? thread_doing::asleep : thread_doing::searching;
}

std::vector<thread_description> census::describe_threads() const {
  std::vector<thread_description> all;
  parts_.runs.for_each([&](const run_state& r) {
    // relaxed: hint, as above.
    const port who = r.handling.load(std::memory_order_relaxed);
    thread_description t{name_of(r), doing_of(r), {}, {}, r.counts().published.done(), r.worker().number_in_system()};
    if (t.doing == thread_doing::gone) t.number_in_system = 0;
    if (who != 0) t.actor = describe(who), t.message = message_of(r, who);
    all.push_back(std::move(t));
  });
  return all;
}

engine_description census::describe_engine() const {
  constexpr std::size_t most = 100;  // lines of a text for people; the statistics say how many there are
  engine_description d;
  d.threads = describe_threads();
  d.statistics = read_statistics();
  d.shard_depths = read_shard_depths();
  d.mailboxes = read_fullest(10);
  d.waiting = describe_waiting(most);
  d.types = read_type_statistics();
  return d;
}

// -- for people

std::string census::still_running() const {
  std::string text;
  parts_.runs.for_each([&](const run_state& r) {
    const std::string now = running_now(r);
    if (!now.empty()) text += name_of(r) + " runs " + now + "; ";
  });
  const statistics s = read_statistics();
  text += counted(s.in_flight(), "message") + " in flight";
  if (s.timers_armed != 0) text += ", " + counted(s.timers_armed, "timer") + " set";
  if (s.waiting != 0) {
    text += ", " + counted(s.waiting, "handler") + (s.waiting == 1 ? " waits for an answer" : " wait for answers");
    text += some_of(describe_waiting(shown_max + 1));
  }
  return text + actors_by_type();
}

// Only the stack of a handler says for whom it waits, and no other thread may look at that, nor at whether the actor
// rests instead.
std::vector<std::string> census::describe_waiting(std::size_t most) const {
  if (wait_circles::are_known()) return parts_.parked.circles.describe_some(most);
  std::vector<port> found;
  parts_.cells.for_each([&](cell& c) {
    if (found.size() < most && c.word.load().is_waiting()) found.push_back(port_of(c));
  });
  std::vector<std::string> all;
  for (const port p : found) all.push_back(describe(p));
  return all;
}

// "; actors alive: 3 account (teller 1, teller 2), 1 logger"
std::string census::actors_by_type() const {
  constexpr std::size_t names_max = 3;  // as many are shown; one more says that there are more
  struct kind {
    std::uint64_t count = 0;
    std::vector<std::string> names;
  };
  std::map<std::string_view, kind> alive;
  parts_.cells.for_each([&](cell& c) {
    const behavior_type* type = c.type();
    if (c.word.load().is_ended() || type == nullptr) return;
    kind& k = alive[name_of(c)];
    ++k.count;
    if (k.names.size() > names_max) return;
    std::string name = given_name(port_of(c));
    if (!name.empty()) k.names.push_back(std::move(name));
  });
  std::string text;
  for (const auto& [type, k] : alive) {
    text += (text.empty() ? "; actors alive: " : ", ") + std::to_string(k.count) + " " + std::string(type);
    text += in_brackets(k.names);
  }
  return text;
}

}  // namespace tact::actors
