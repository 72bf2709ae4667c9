// Prints what an engine holds beside its actors.
#include "tact/structure.hpp"

#include <ostream>
#include <string_view>

namespace tact {
namespace {

std::ostream& indent(std::ostream& out, unsigned depth) {
  for (; depth != 0; --depth) out << "  ";
  return out;
}

struct counted {
  std::uint64_t count;
  std::string_view what;
};
std::ostream& operator<<(std::ostream& out, const counted& c) {
  return out << c.count << ' ' << c.what << (c.count == 1 ? "" : "s");
}

// "scopes, 100 of 3000:"
template <class Items>
void list(std::ostream& out, std::string_view title, const Items& items, std::uint64_t there_are) {
  if (items.empty()) return;
  out << title;
  if (there_are > items.size()) out << ", " << items.size() << " of " << there_are;
  out << ":\n";
  for (const auto& item : items) out << "  " << item << '\n';
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const scope_description& d) {
  indent(out, d.depth) << (d.name.empty() ? "a scope" : d.name) << ": " << counted{d.members, "member"};
  for (std::size_t i = 0; i != d.some_members.size(); ++i) out << (i == 0 ? " (" : ", ") << d.some_members[i];
  if (!d.some_members.empty()) out << (d.members > d.some_members.size() ? ", ...)" : ")");
  return out << (d.ends ? ", ends" : "");
}

std::ostream& operator<<(std::ostream& out, const supervised_description& d) {
  indent(out, d.depth) << d.name << (d.is_supervisor ? " [" : " (") << d.kind << (d.is_supervisor ? "]" : ")");
  if (d.restarts != 0) out << ": " << counted{d.restarts, "restart"};
  if (!d.last_failure.empty()) out << (d.restarts == 0 ? ": " : ", ") << "last failure: " << d.last_failure;
  return out << (d.has_failed ? ", failed" : d.ends ? ", ends" : "");
}

std::ostream& operator<<(std::ostream& out, const topic_description& d) {
  return out << d.actor << ": " << counted{d.subscribers, "subscriber"} << " of " << d.message;
}

std::ostream& operator<<(std::ostream& out, const timer_description& d) {
  const double ms = std::chrono::duration<double, std::milli>(d.left).count();
  ms < 0 ? out << "late by " << -ms : out << "in " << ms;
  return out << " ms: " << d.message << " for " << d.actor;
}

std::ostream& operator<<(std::ostream& out, const structure& s) {
  list(out, "scopes", s.scopes, s.scopes_open);
  list(out, "supervisors", s.supervised, 0);
  list(out, "topics", s.topics, s.topics_alive);
  list(out, "next timers", s.timers, 0);
  if (!s.timers_known) out << "next timers: not known, because the thread that serves them does not answer\n";
  return out;
}

}  // namespace tact
