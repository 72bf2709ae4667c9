#include "tools/modelled/measurement.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tools/modelled/symbols.hpp"

namespace tact::modelled {
namespace {

double ns_of(picoseconds t) noexcept { return static_cast<double>(t) * 1e-3; }

// With the place in the source of each.
using spots = std::vector<std::pair<std::uintptr_t, model_hot_spot>>;

// Those at which most time was waited, the first one first, with the names of their places.
std::vector<model_hot_spot> hottest(spots all) {
  constexpr std::size_t spots_max = 20;
  const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(spots_max, all.size()));
  std::partial_sort(all.begin(), last, all.end(), [](const auto& x, const auto& y) {
    return std::pair(y.second.waited_ns, x.first) < std::pair(x.second.waited_ns, y.first);
  });
  all.erase(last, all.end());
  std::vector<std::uintptr_t> addresses;
  for (const auto& [place, spot] : all) addresses.push_back(place);
  const std::vector<std::string> names = names_of(addresses);
  std::vector<model_hot_spot> named;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].second.name = names[i];
    named.push_back(std::move(all[i].second));
  }
  return named;
}

void add_accounts(const accounts& a, model_result& to) {
  to.lines_by_node.assign(a.by_node.begin(), a.by_node.end());
  for (std::size_t i = 0; i < sources; ++i)
    to.transfers.push_back({name_of(static_cast<source>(i)), a.by_source[i].transfers, ns_of(a.by_source[i].waited)});
  spots lines, places;
  for (const accounts::of_line& l : a.by_line)
    if (l.transfers != 0) lines.push_back({l.place, {"", l.transfers, ns_of(l.waited), l.writers.count()}});
  for (const auto& [place, sum] : a.by_place) places.push_back({place, {"", sum.transfers, ns_of(sum.waited), 0}});
  to.lines = hottest(std::move(lines));
  to.places = hottest(std::move(places));
}

}  // namespace

void measurement::begin() noexcept {
  const outside_of_model mine;
  before_ = until_now();
  counted_.reset();
  scheduler_.timeline().begin(here.now);
  memory_.costs_so_far().clear();
  memory_.costs_so_far().counting = true;
}

void measurement::end() noexcept {
  const outside_of_model mine;
  if (counted_) return;
  scheduler_.bring_timeline_up_to_date();
  scheduler_.timeline().end();
  const count c = until_now();
  counted_ = count{c.time - before_.time, c.busy - before_.busy, c.accesses - before_.accesses,
                   c.sleeps - before_.sleeps, c.wakes - before_.wakes};
  memory_.costs_so_far().counting = false;
}

measurement::count measurement::until_now() const noexcept {
  count c{.time = here.now, .busy = scheduler_.busy(), .accesses = here.accesses, .wakes = scheduler_.wakes()};
  for (const auto& t : scheduler_.threads()) c.sleeps += t->sleeps;
  return c;
}

void measurement::hear(const statistics& s) noexcept {
  const outside_of_model mine;
  static_cast<worker_statistics&>(engines_) += s;
  engines_.workers += s.workers;
  engines_.pinned += s.pinned;
  engines_.memory_nodes = std::max(engines_.memory_nodes, s.memory_nodes);
  engines_.shards += s.shards;
  engines_.refused += s.refused;
  engines_.timers_fired += s.timers_fired;
  engines_.timers_cancelled += s.timers_cancelled;
  engines_.timers_dropped += s.timers_dropped;
  engines_.bytes_held = std::max(engines_.bytes_held, s.bytes_held);
  engines_.allocations += s.allocations;
}

model_result measurement::result() const {
  const count c = counted_.value_or(count{});
  model_result r;
  r.seconds = static_cast<double>(c.time) * 1e-12;
  r.busy_seconds = static_cast<double>(c.busy) * 1e-12;
  r.threads = static_cast<unsigned>(scheduler_.threads().size());
  r.accesses = c.accesses;
  r.sleeps = c.sleeps;
  r.wakes = c.wakes;
  r.pages_touched = memory_.pages_touched();
  r.pages_by_node = memory_.pages_by_node();
  r.engines = engines_;
  r.timeline = scheduler_.timeline().threads();
  r.timeline_seconds = static_cast<double>(scheduler_.timeline().length()) * 1e-12;
  add_accounts(memory_.costs_so_far(), r);
  return r;
}

}  // namespace tact::modelled
