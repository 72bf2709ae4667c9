#include "actors/figures/structure_view.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "actors/failure/dead_letters.hpp"
#include "actors/figures/part_list.hpp"
#include "actors/time/timers.hpp"
#include "sync/system.hpp"

namespace tact::actors {

namespace {

using place = detail::structure_found::scope_place;

// Puts each scope behind the one around it. A scope whose outer scope is not in the list stands outermost.
class scope_order {
 public:
  scope_order(std::vector<scope_description>& scopes, const std::vector<place>& places) : scopes_(scopes) {
    std::map<const void*, std::size_t> at;
    for (std::size_t i = 0; i != places.size(); ++i) at.emplace(places[i].scope, i);
    for (std::size_t i = 0; i != places.size(); ++i) {
      const auto around = at.find(places[i].around);
      inside_[around == at.end() ? outermost : around->second].push_back(i);
    }
    ordered_.reserve(scopes.size());
    add_inside(outermost, 0);
    scopes_.swap(ordered_);
  }

 private:
  static constexpr std::size_t outermost = ~std::size_t{0};  // no scope has this number

  // The list is bounded, and so is the recursion.
  void add_inside(std::size_t of, unsigned depth) {
    const auto those = inside_.find(of);
    if (those == inside_.end()) return;
    for (const std::size_t i : those->second) {
      scopes_[i].depth = depth;
      ordered_.push_back(std::move(scopes_[i]));
      add_inside(i, depth + 1);
    }
  }

  std::vector<scope_description>& scopes_;
  std::vector<scope_description> ordered_;
  std::map<std::size_t, std::vector<std::size_t>> inside_;
};

void read_timers(timers& timed, structure& to) {
  constexpr std::chrono::milliseconds patience(250);
  const auto found = timed.read_next(sync::clock::now() + patience);
  to.timers_known = found.has_value();
  if (!found) return;
  const std::chrono::nanoseconds now = sync::clock::now().time_since_epoch();
  for (std::size_t i = 0; i != found->count; ++i) {
    const next_timers::timer& t = found->all[i];
    to.timers.push_back({std::chrono::nanoseconds(t.due_ns) - now, describe(t.to), std::string(t.type->name)});
  }
}

}  // namespace

structure read_structure(part_list& parts, timers& timed) {
  detail::structure_found found = parts.tell();
  for (std::size_t i = 0; i != found.scopes.size(); ++i) {
    for (const detail::port p : found.scope_places[i].members) found.scopes[i].some_members.push_back(describe(p));
  }
  for (std::size_t i = 0; i != found.topics.size(); ++i) found.topics[i].actor = describe(found.topic_ports[i]);
  scope_order(found.scopes, found.scope_places);
  read_timers(timed, found);
  return found;
}

}  // namespace tact::actors
