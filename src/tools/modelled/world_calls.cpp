// What the threads of a model ask for: memory, time, mutexes; and what is counted.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tools/modelled/symbols.hpp"
#include "tools/modelled/world.hpp"

namespace tact::modelled {

// -- memory

void world::reach(std::uintptr_t address, modelled::use how, std::uintptr_t place) {
  const outside_of_model mine;
  here.now += memory_.reach(here.core, address, how, here.now, place);
}

void world::fetch(std::uintptr_t address, bool to_write, std::uintptr_t place) {
  const outside_of_model mine;
  memory_.fetch(here.core, address, to_write, here.now, place);
}

void world::interleave(const void* first, std::size_t bytes) noexcept {
  const outside_of_model mine;
  memory_.interleave(reinterpret_cast<std::uintptr_t>(first), bytes);
}

void world::barrier_for_all() noexcept {
  const outside_of_model mine;
  spend(of_ns(costs_.barrier));
}

// -- time

picoseconds world::time_of(sync::time_point t) const noexcept {
  // A day before the last moment of the clock: whoever sleeps until then sleeps without a deadline.
  if (t >= sync::time_point::max() - std::chrono::hours(24)) return never;
  const auto since = std::chrono::nanoseconds(t - beginning).count();
  constexpr std::int64_t most = std::int64_t{1} << 53;
  return since <= 0 ? 0 : since >= most ? never : static_cast<picoseconds>(since) * 1000;
}

sync::time_point world::now() noexcept {
  const outside_of_model mine;
  spend(of_ns(costs_.clock));
  return beginning + std::chrono::nanoseconds(here.now / 1000);
}

sync::processor_use world::use(sync::time_point now) noexcept {
  const thread_record& self = running();
  const picoseconds busy = self.busy + here.now - self.awake_since;
  return {now, std::chrono::nanoseconds(busy / 1000), static_cast<long>(self.sleeps)};
}

void world::give_way() noexcept {
  const outside_of_model mine;
  spend(of_ns(costs_.pause));
  if (here.now > here.horizon) pass();
}

// -- mutexes

void world::lock(const void* mutex, std::uintptr_t place) {
  // As with the mutexes of glibc, a thread that is woken has to take the mutex like any other, which may come first. If
  // `unlock` gave it the mutex, each section would take as long as to wake a thread, once threads have begun to wait.
  while (!try_lock(mutex, place)) {
    const outside_of_model mine;
    mutexes_[mutex].waiting.push_back(running_);
    spend(of_ns(costs_.sleep));
    fall_asleep(mutex, never);  // until `unlock` wakes it
  }
}

bool world::try_lock(const void* mutex, std::uintptr_t place) {
  const outside_of_model mine;
  here.now += here.update;
  reach(reinterpret_cast<std::uintptr_t>(mutex), modelled::use::update, place);
  if (here.now > here.horizon) pass();
  mutex_state& m = mutexes_[mutex];
  if (m.owner != nobody) return false;
  m.owner = running_;
  return true;
}

void world::unlock(const void* mutex) {
  const outside_of_model mine;
  here.now += here.update;
  if (here.now > here.horizon) pass();  // a thread that is less far must find it locked
  const auto at = mutexes_.find(mutex);
  if (at == mutexes_.end()) return;  // it was locked before the model began
  mutex_state& m = at->second;
  if (m.waiting.empty()) {
    mutexes_.erase(at);
    return;
  }
  m.owner = nobody;
  const unsigned woken = m.waiting.front();
  m.waiting.pop_front();
  spend(of_ns(costs_.wake));
  rouse(*threads_[woken], here.now, false);
}

// -- what is counted

world::count world::counts() const {
  count c{.time = here.now, .accesses = here.accesses, .wakes = wakes_};
  for (const auto& t : threads_) {
    c.sleeps += t->sleeps;
    c.busy += t->busy;
    if (t->now != phase::ready) continue;
    const picoseconds until = t->index == running_ ? here.now : t->clock;
    if (until > t->awake_since) c.busy += until - t->awake_since;
  }
  return c;
}

void world::note_busy(thread_record& t) {
  if (t.clock <= t.awake_since) return;
  t.busy += t.clock - t.awake_since;
  if (!counted_) timeline_.add(t.awake_since, t.clock);
  t.awake_since = t.clock;
}

double world::busy_seconds() const { return static_cast<double>(counts().busy) * 1e-12; }

void world::begin_counting() noexcept {
  const outside_of_model mine;
  before_ = counts();
  counted_.reset();
  timeline_.begin(here.now);
  memory_.costs_so_far().clear();
  memory_.costs_so_far().counting = true;
}

void world::end_counting() noexcept {
  const outside_of_model mine;
  if (counted_) return;
  for (const auto& t : threads_) {
    if (t->now != phase::ready) continue;
    if (t->index == running_) t->clock = here.now;
    note_busy(*t);
  }
  const count c = counts();
  counted_ = count{c.time - before_.time, c.busy - before_.busy, c.accesses - before_.accesses,
                   c.sleeps - before_.sleeps, c.wakes - before_.wakes};
  memory_.costs_so_far().counting = false;
}

void world::hear(const statistics& s) noexcept {
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

model_result world::result() {
  constexpr std::size_t spots_max = 20;
  const count c = counted_.value_or(count{});
  model_result r;
  r.seconds = static_cast<double>(c.time) * 1e-12;
  r.busy_seconds = static_cast<double>(c.busy) * 1e-12;
  r.threads = static_cast<unsigned>(threads_.size());
  r.accesses = c.accesses;
  r.sleeps = c.sleeps;
  r.wakes = c.wakes;
  r.pages_touched = memory_.pages_touched();
  r.pages_by_node = memory_.pages_by_node();
  r.engines = engines_;
  r.timeline = timeline_.threads();
  r.timeline_seconds = static_cast<double>(timeline_.length()) * 1e-12;
  const accounts& a = memory_.costs_so_far();
  r.lines_by_node.assign(a.by_node.begin(), a.by_node.end());
  const auto ns = [](picoseconds t) { return static_cast<double>(t) * 1e-3; };
  for (std::size_t i = 0; i < sources; ++i)
    r.transfers.push_back({name_of(static_cast<source>(i)), a.by_source[i].transfers, ns(a.by_source[i].waited)});
  std::vector<std::pair<std::uintptr_t, model_hot_spot>> lines, places;
  for (const accounts::of_line& l : a.by_line)
    if (l.transfers != 0) lines.push_back({l.place, {"", l.transfers, ns(l.waited), l.writers.count()}});
  for (const auto& [place, sum] : a.by_place) places.push_back({place, {"", sum.transfers, ns(sum.waited), 0}});
  const auto pick = [&](auto& from, std::vector<model_hot_spot>& to) {
    const auto last = from.begin() + static_cast<std::ptrdiff_t>(std::min(spots_max, from.size()));
    std::partial_sort(from.begin(), last, from.end(), [](const auto& x, const auto& y) {
      return std::pair(y.second.waited_ns, x.first) < std::pair(x.second.waited_ns, y.first);
    });
    from.erase(last, from.end());
    std::vector<std::uintptr_t> addresses;
    for (const auto& f : from) addresses.push_back(f.first);
    const std::vector<std::string> names = names_of(addresses);
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i].second.name = names[i];
      to.push_back(std::move(from[i].second));
    }
  };
  pick(lines, r.lines);
  pick(places, r.places);
  return r;
}

void world::give_up(const char* why) const noexcept {
  std::fprintf(stderr, "tact::model: the program cannot go on: %s. Its threads at %.6f s:\n", why,
               static_cast<double>(here.now) * 1e-12);
  static constexpr const char* phases[] = {"ready", "waits for its processing unit", "asleep", "ended"};
  for (const auto& t : threads_)
    std::fprintf(stderr, "  %-24s %s, at %.6f s\n", t->name.c_str(), phases[static_cast<std::size_t>(t->now)],
                 static_cast<double>(t->clock) * 1e-12);
  std::abort();
}

}  // namespace tact::modelled
