#include "watcher.hpp"

#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace router {
namespace {

std::string line_about(const command& c) {
  const event& e = *c.last;
  std::ostringstream line;
  line << '#' << e.number << "  " << name_of(e.kind) << ' ';
  if (e.kind == event_kind::key) {
    line << e.text;
  } else {
    line << e.x << ',' << e.y;
  }
  line << ":  ";
  for (const node n : c.way) line << node_names()[n] << " > ";
  line << "document:  " << name_of(c.what);
  return line.str();
}

}  // namespace

void watcher::receive(tact::self<watcher>& self, const command& m) {
  std::optional<node> before;
  const auto count = [&](node n) {
    ++messages_[n];
    if (before) ++connections_[{*before, n}];
    before = n;
  };
  for (const node n : m.way) count(n);
  count(node_of("document"));
  newest_.push_back(m);
  if (newest_.size() > lines) newest_.pop_front();
  is_told_ = false;
  if (asks_) tell(self);
}

void watcher::receive(tact::self<watcher>& self, const more& m) {
  asks_ = m.to;
  if (!is_told_) tell(self);
}

void watcher::tell(tact::self<watcher>& self) {
  traffic t{.messages = messages_, .connections = connections_};
  for (const command& c : newest_) t.newest.push_back(line_about(c));
  t.last = newest_.back().way.then(node_of("document"));
  self.send(std::exchange(asks_, {}), std::move(t));
  is_told_ = true;
}

}  // namespace router
