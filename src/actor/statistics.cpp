#include "tact/statistics.hpp"

#include <iomanip>
#include <ostream>

namespace tact {

std::ostream& operator<<(std::ostream& out, const statistics& s) {
  const auto row = [&](const char* name, auto value) {
    out << "  " << std::left << std::setw(16) << name << std::right << std::setw(16) << value << '\n';
  };
  const auto flags = out.flags();
  const auto precision = out.precision();
  row("workers", s.workers);
  row("shards", s.shards);
  row("actors created", s.actors_created);
  row("actors alive", s.actors_alive);
  row("messages sent", s.messages_sent);
  row("in flight", s.in_flight());
  row("commits", s.commits);
  row("failures", s.failures);
  row("dead letters", s.dead_letters);
  row("collisions", s.collisions);
  row("aborts", s.aborts);
  row("forwarded", s.forwarded);
  row("gulps", s.gulps);
  out << std::fixed << std::setprecision(1);
  row("average gulp", s.average_gulp());
  row("missed gulps", s.missed_gulps);
  row("parks", s.parks);
  row("wakes", s.wakes);
  row("KiB held", static_cast<double>(s.bytes_held) / 1024.0);
  row("allocations", s.allocations);
  out.flags(flags);
  out.precision(precision);
  return out;
}

}  // namespace tact
