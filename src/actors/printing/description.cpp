// Prints what an engine does at the moment.
#include "tact/description.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

namespace tact {
namespace {

template <class Items, class F>
void section(std::ostream& out, std::string_view title, const Items& items, F line) {
  if (items.empty()) return;
  out << title << ":\n";
  for (const auto& item : items) {
    out << "  ";
    line(item);
    out << '\n';
  }
}

void print_mailbox(std::ostream& out, const mailbox_depth& m) {
  using milliseconds = std::chrono::duration<double, std::milli>;
  out << m.actor << ": " << m.messages << " messages";
  if (m.limit.messages != 0) out << " of " << m.limit.messages;
  if (m.oldest.count() != 0) out << ", the oldest waits for " << milliseconds(m.oldest).count() << " ms";
  if (m.refused != 0) out << ", " << m.refused << " refused";
}

// "messages wait in shards: 17 in 3, 4 in 0"
void print_depths(std::ostream& out, const std::vector<std::uint64_t>& depths) {
  std::vector<std::size_t> fullest;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    if (depths[i] != 0) fullest.push_back(i);
  }
  std::stable_sort(fullest.begin(), fullest.end(), [&](std::size_t a, std::size_t b) { return depths[a] > depths[b]; });
  constexpr std::size_t most = 10;  // as many as a line has room for
  if (fullest.empty()) return;
  out << "messages wait in shards:";
  for (std::size_t i = 0; i < std::min(fullest.size(), most); ++i)
    out << (i == 0 ? " " : ", ") << depths[fullest[i]] << " in " << fullest[i];
  out << (fullest.size() > most ? ", ...\n" : "\n");
}

}  // namespace

std::string_view to_string(thread_doing d) noexcept {
  switch (d) {
    case thread_doing::handling:
      return "handling";
    case thread_doing::searching:
      return "searching";
    case thread_doing::asleep:
      return "asleep";
    case thread_doing::resting:
      return "resting";
    case thread_doing::gone:
      return "gone";
  }
  return "unknown";
}
std::ostream& operator<<(std::ostream& out, thread_doing d) { return out << to_string(d); }

std::ostream& operator<<(std::ostream& out, const thread_description& t) {
  if (t.actor.empty()) return out << t.thread << " is " << t.doing;
  return out << t.thread << " runs " << t.actor << " handling " << t.message;
}

std::ostream& operator<<(std::ostream& out, const engine_description& d) {
  const tact::statistics& s = d.statistics;
  out << s.in_flight() << " messages in flight, " << s.actors_alive << " actors alive, " << s.waiting
      << " handlers waiting, " << s.timers_armed << " timers set\n";
  const auto print = [&](const auto& item) { out << item; };
  section(out, "threads", d.threads, print);
  section(out, "what waits", d.waiting, print);
  print_depths(out, d.shard_depths);
  out << d.structure;
  section(out, "mailboxes", d.mailboxes, [&](const mailbox_depth& m) { print_mailbox(out, m); });
  section(out, "actors", d.types, print);
  section(out, "latest dead letters", d.dead_letters, print);
  return out;
}

}  // namespace tact
