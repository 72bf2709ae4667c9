// Makes metrics for Prometheus of the figures of an engine, and writes them as text.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <ostream>
#include <string>
#include <string_view>

#include "inspect/utf8.hpp"
#include "tact/inspect/metrics.hpp"

namespace tact::inspect {

namespace {

using kind = metric::kind;
using series = metric::series;

constexpr double per_second = 1e9;

series with(std::string label, std::string value, double number) {
  return {{{std::move(label), std::move(value)}}, number, {}};
}

metric one(std::string name, std::string help, kind what, double value) {
  return {std::move(name), std::move(help), what, {{{}, value, {}}}};
}

// The edges are powers of two of nanoseconds, in which every distribution is exact: from 128 ns to two minutes.
series histogram_of(const std::string& actor, const distribution& d) {
  series s = with("actor", actor, d.mean() * static_cast<double>(d.count()) / per_second);
  for (unsigned bit = 7; bit <= 37; bit += 2) {
    const std::uint64_t edge = std::uint64_t{1} << bit;
    s.buckets.push_back({static_cast<double>(edge) / per_second, d.count_up_to(edge - 1)});
  }
  s.buckets.push_back({std::numeric_limits<double>::infinity(), d.count()});
  return s;
}

void add_messages(std::vector<metric>& all, const metrics_snapshot& s) {
  const statistics& sums = s.statistics;
  const auto counter = [&](const char* name, const char* help, std::uint64_t n) {
    all.push_back(one(name, help, kind::counter, static_cast<double>(n)));
  };
  counter("tact_messages_sent_total", "Messages that were accepted.", sums.messages_sent);
  counter("tact_commits_total", "Messages whose handler has committed.", sums.commits);
  counter("tact_failures_total", "Messages whose handler has thrown.", sums.failures);
  counter("tact_collisions_total", "Runs that were discarded because another run was committed first.",
          sums.collisions);
  counter("tact_retries_total", "Messages that were handled again because their handler had thrown.", sums.retries);
  counter("tact_restarts_total", "Actors that were made anew.", sums.restarts);
  counter("tact_refused_total", "Messages lost because a mailbox was full.", sums.refused);
  metric dead{"tact_dead_letters_total", "Messages that no handler saw, by the reason.", kind::counter, {}};
  for (const dead_letter_count& d : s.dead_letters)
    dead.all.push_back(with("reason", std::string(to_string(d.reason)), static_cast<double>(d.messages)));
  all.push_back(std::move(dead));
  all.push_back(one("tact_messages_in_flight", "Messages that are sent and not handled.", kind::gauge,
                    static_cast<double>(sums.in_flight())));
}

void add_engine(std::vector<metric>& all, const metrics_snapshot& s) {
  const statistics& sums = s.statistics;
  const auto gauge = [&](const char* name, const char* help, std::uint64_t n) {
    all.push_back(one(name, help, kind::gauge, static_cast<double>(n)));
  };
  gauge("tact_actors_alive", "Actors that have not ended.", sums.actors_alive);
  gauge("tact_handlers_waiting", "Handlers that wait for an answer.", sums.waiting);
  gauge("tact_outside_asks_open", "Asks of threads outside that have no answer yet.", sums.outside_asks);
  all.push_back(one("tact_oldest_request_seconds", "How long an actor has not answered a request that it has; samples.",
                    kind::gauge, s.kept.empty() ? 0 : static_cast<double>(s.kept.front().kept.count()) / per_second));
  gauge("tact_timers_armed", "Timers that are set.", sums.timers_armed);
  all.push_back(one("tact_timers_fired_total", "Messages that timers have sent.", kind::counter,
                    static_cast<double>(sums.timers_fired)));
  gauge("tact_memory_bytes", "Memory for actors, messages, timers and stacks, in use or spare.", sums.bytes_held);
  gauge("tact_shard_messages", "Messages that wait in shards.",
        std::accumulate(s.shard_depths.begin(), s.shard_depths.end(), std::uint64_t{0}));
  gauge("tact_fullest_shard_messages", "Messages that wait in the shard with most of them.",
        s.shard_depths.empty() ? 0 : *std::max_element(s.shard_depths.begin(), s.shard_depths.end()));
}

void add_workers(std::vector<metric>& all, const metrics_snapshot& s) {
  metric now{"tact_threads", "Threads that run handlers, by what they are at.", kind::gauge, {}};
  for (const thread_doing d : {thread_doing::handling, thread_doing::searching, thread_doing::asleep,
                               thread_doing::resting, thread_doing::gone}) {
    const auto count =
        std::count_if(s.threads.begin(), s.threads.end(), [d](const thread_description& t) { return t.doing == d; });
    now.all.push_back(with("state", std::string(to_string(d)), static_cast<double>(count)));
  }
  all.push_back(std::move(now));
  const auto by_worker = [&](const char* name, const char* help, std::uint64_t worker_statistics::*figure) {
    metric m{name, help, kind::counter, {}};
    for (std::size_t i = 0; i < s.workers.size(); ++i)
      m.all.push_back(with("worker", std::to_string(i), static_cast<double>(s.workers[i].*figure)));
    all.push_back(std::move(m));
  };
  by_worker("tact_worker_commits_total", "Messages whose handler has committed.", &worker_statistics::commits);
  by_worker("tact_worker_parks_total", "Times that the worker fell asleep.", &worker_statistics::parks);
  by_worker("tact_worker_steals_total", "Shards that the worker took from others.", &worker_statistics::shards_stolen);
}

void add_types(std::vector<metric>& all, const metrics_snapshot& s) {
  metric messages{"tact_actor_messages_total", "Messages handled, estimated from samples.", kind::counter, {}};
  metric sent{
      "tact_actor_sent_total", "Messages that its handlers have sent, estimated from samples.", kind::counter, {}};
  metric requests{"tact_actor_requests_total", "Requests that are over, by how; samples.", kind::counter, {}};
  metric busy{"tact_actor_busy_seconds_total", "Time of all handlers, estimated from samples.", kind::counter, {}};
  metric handling{"tact_handler_seconds", "How long a handler kept its thread; samples.", kind::histogram, {}};
  metric waiting{"tact_wait_seconds", "From the send of a message to its handler; samples.", kind::histogram, {}};
  for (const type_metrics& t : s.types) {
    messages.all.push_back(with("actor", t.actor, t.messages));
    sent.all.push_back(with("actor", t.actor, t.sent));
    for (const auto& [end, n] : {std::pair("answered", t.answered), std::pair("unanswered", t.unanswered)}) {
      if (t.answered + t.unanswered == 0) continue;
      requests.all.push_back({{{"actor", t.actor}, {"end", end}}, static_cast<double>(n), {}});
    }
    busy.all.push_back(with("actor", t.actor, static_cast<double>(t.busy.count()) / per_second));
    handling.all.push_back(histogram_of(t.actor, t.handling));
    waiting.all.push_back(histogram_of(t.actor, t.waiting));
  }
  for (metric* const m : {&messages, &sent, &requests, &busy, &handling, &waiting}) all.push_back(std::move(*m));
}

// -- the text format

std::string escaped(std::string_view text, bool also_quotes) {
  std::string all;
  for (const char c : as_utf8(text)) {
    if (c == '\n') {
      all += "\\n";
    } else if (c == '\\' || (also_quotes && c == '"')) {
      all += '\\';
      all += c;
    } else {
      all += c;
    }
  }
  return all;
}

std::string number(double value) {
  if (std::isinf(value)) return "+Inf";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  for (int digits = 6; digits < 17; ++digits) {  // the shortest that says the same
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, value);
    if (std::stod(shorter) == value) return shorter;
  }
  return text;
}

std::string labels_of(const series& s, std::string_view up_to = {}) {
  std::string text;
  for (const auto& [name, value] : s.labels)
    text += (text.empty() ? "{" : ",") + name + "=\"" + escaped(value, true) + '"';
  if (!up_to.empty()) text += (text.empty() ? "{le=\"" : ",le=\"") + std::string(up_to) + '"';
  return text.empty() ? text : text + '}';
}

const char* word_of(kind k) noexcept {
  return k == kind::counter ? "counter" : k == kind::gauge ? "gauge" : "histogram";
}

}  // namespace

std::vector<metric> metrics_of(const metrics_snapshot& s) {
  std::vector<metric> all;
  add_messages(all, s);
  add_engine(all, s);
  add_workers(all, s);
  add_types(all, s);
  return all;
}

void write_prometheus(std::ostream& to, const std::vector<metric>& all) {
  for (const metric& m : all) {
    if (m.all.empty()) continue;
    to << "# HELP " << m.name << ' ' << escaped(m.help, false) << "\n# TYPE " << m.name << ' ' << word_of(m.what)
       << '\n';
    for (const series& s : m.all) {
      if (m.what != kind::histogram) {
        to << m.name << labels_of(s) << ' ' << number(s.value) << '\n';
        continue;
      }
      for (const metric::bucket& b : s.buckets)
        to << m.name << "_bucket" << labels_of(s, number(b.up_to)) << ' ' << b.count << '\n';
      to << m.name << "_sum" << labels_of(s) << ' ' << number(s.value) << '\n';
      to << m.name << "_count" << labels_of(s) << ' ' << (s.buckets.empty() ? 0 : s.buckets.back().count) << '\n';
    }
  }
}

}  // namespace tact::inspect
