// The result of a model as a text, and as JSON.
#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>

#include "base/struct_text.hpp"
#include "tact/model.hpp"

namespace tact {
namespace {

template <class... Parts>
std::string form(const char* as, Parts... parts) {
  char text[256];
  std::snprintf(text, sizeof text, as, parts...);
  return text;
}

unsigned long long whole(std::uint64_t n) { return n; }

std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + '"';
}

std::string list_of(const std::vector<std::uint64_t>& numbers) {
  std::string all;
  for (const std::uint64_t n : numbers) all += form(all.empty() ? "%llu" : ", %llu", whole(n));
  return all;
}

std::string table_of(const char* title, const std::vector<model_hot_spot>& spots, double per) {
  std::string all = form("\n%-44s %12s %12s %8s\n", title, "transfers", "waited", "writers");
  for (const model_hot_spot& s : spots)
    all += form("%10.3f %10.2f ns %8u  ", static_cast<double>(s.transfers) / per, s.waited_ns / per, s.writers) +
           s.name + "\n";
  return all;
}

std::string json_of(const std::vector<model_hot_spot>& spots) {
  std::string all;
  for (const model_hot_spot& s : spots)
    all += (all.empty() ? "" : ", ") + ("{\"name\": " + quoted(s.name)) +
           form(", \"transfers\": %llu, \"waited_ns\": %.1f, \"writers\": %u}", whole(s.transfers), s.waited_ns,
                s.writers);
  return "[" + all + "]";
}

}  // namespace

std::string model_result::text() const {
  const auto messages = static_cast<double>(std::max<std::uint64_t>(engines.commits, 1));
  std::string all = form("%.6f s, %.1f threads busy; %u threads, %.1f MiB touched\n", seconds,
                         seconds > 0 ? busy_seconds / seconds : 0.0, threads, static_cast<double>(pages_touched) / 256);
  all += form("%llu messages, %.2f to a chunk; %llu steals, %llu adoptions; %llu wake-ups, %llu sleeps\n",
              whole(engines.commits), engines.average_chunk(), whole(engines.shards_stolen), whole(engines.adoptions),
              whole(wakes), whole(sleeps));
  if (timeline.size() > 1) {
    all += form("busy threads, every %.0f us:", timeline_seconds * 1e6);
    for (const double busy : timeline) all += form(" %.0f", busy);
    all += "\n";
  }
  all += form("\nper message: %.1f accesses, and lines from\n", static_cast<double>(accesses) / messages);
  for (const model_transfers& t : transfers)
    all += form("  %-14s %10.3f  %10.2f ns waited\n", t.from.data(), static_cast<double>(t.lines) / messages,
                t.waited_ns / messages);
  const auto per_message = [&](std::uint64_t count) { return static_cast<double>(count) / messages; };
  all += form("from near memory %.3f, from far %.3f; from each memory:", per_message(lines_from_near()),
              per_message(lines_from_far()));
  for (const std::uint64_t of_node : lines_by_node) all += form(" %.3f", per_message(of_node));
  all += "; pages on each: " + list_of(pages_by_node) + "\n";
  all += table_of("per message: lines of memory", lines, messages);
  all += table_of("per message: places in the source", places, messages);
  return all;
}

std::string model_result::json() const {
  std::string all =
      form("{\"seconds\": %.9f, \"busy_seconds\": %.9f, \"threads\": %u, \"accesses\": %llu, \"sleeps\": %llu, ",
           seconds, busy_seconds, threads, whole(accesses), whole(sleeps)) +
      form("\"wakes\": %llu, \"pages_touched\": %llu, \"messages\": %llu, \"steals\": %llu, \"adoptions\": %llu, ",
           whole(wakes), whole(pages_touched), whole(engines.commits), whole(engines.shards_stolen),
           whole(engines.adoptions)) +
      form("\"gulps\": %llu, \"gulped\": %llu, \"published\": %llu, \"chunks_published\": %llu, \"bytes_held\": %llu, ",
           whole(engines.gulps), whole(engines.gulped), whole(engines.published), whole(engines.chunks_published),
           whole(engines.bytes_held)) +
      form("\"steal_attempts\": %llu, \"parks\": %llu, ", whole(engines.steal_attempts), whole(engines.parks));
  const auto messages = static_cast<double>(std::max<std::uint64_t>(engines.commits, 1));
  all += form("\"near_lines_per_message\": %.6f, \"far_lines_per_message\": %.6f, \"memory_nodes\": %u, ",
              static_cast<double>(lines_from_near()) / messages, static_cast<double>(lines_from_far()) / messages,
              engines.memory_nodes);
  all += "\"pages_by_node\": [" + list_of(pages_by_node) + "], \"lines_by_node\": [" + list_of(lines_by_node) + "], ";
  std::string pieces;
  for (const double busy : timeline) pieces += form(pieces.empty() ? "%.2f" : ", %.2f", busy);
  all += form("\"timeline_seconds\": %.9f, \"timeline\": [", timeline_seconds) + pieces + "], ";
  std::string ways;
  for (const model_transfers& t : transfers)
    ways += form("%s\"%s\": {\"lines\": %llu, \"waited_ns\": %.1f}", ways.empty() ? "" : ", ", t.from.data(),
                 whole(t.lines), t.waited_ns);
  return all + "\"transfers\": {" + ways + "}, \"lines\": " + json_of(lines) + ", \"places\": " + json_of(places) + "}";
}

std::ostream& operator<<(std::ostream& out, const model_result& r) { return out << r.text(); }

std::ostream& operator<<(std::ostream& out, const model_options& o) {
  return out << base::struct_text("model_options")
                    .with("machine", o.machine)
                    .with("seed", o.seed)
                    .with("seconds_max", o.seconds_max)
                    .text();
}

std::ostream& operator<<(std::ostream& out, const model_transfers& t) {
  return out << std::to_string(t.lines) + " lines from " + std::string(t.from) + ", " + base::code_of(t.waited_ns) +
                    " ns waited";
}

std::ostream& operator<<(std::ostream& out, const model_hot_spot& s) {
  return out << s.name + ": " + std::to_string(s.transfers) + " transfers, " + base::code_of(s.waited_ns) +
                    " ns waited, " + std::to_string(s.writers) + (s.writers == 1 ? " writer" : " writers");
}

}  // namespace tact
