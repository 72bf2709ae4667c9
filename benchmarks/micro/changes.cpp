// What one change costs the patterns that have members, names, children or requests which wait, by how many they have:
// 100, 1,000, 10,000 and, with --most, 100,000. The program fails when a curve bends: when with ten times as many a
// change costs more than `bend` times as much. What takes the logarithm of their number costs a third more, and some
// more when the members do not fit into a cache; what looks at all of them costs ten times as much.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <tact/patterns.hpp>
#include <vector>

namespace tact::bench {
namespace {

constexpr double bend = 6;

struct note {};
struct stop {};
struct member_of : protocol<note, stop> {};
struct echo {
  using reply = int;
  int number = 0;
  friend bool operator<(const echo& a, const echo& b) { return a.number < b.number; }
};

// CPU time of the whole process: what other programs do changes it little.
double cpu_ns() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

engine_options one_worker() {
  engine_options o;
  o.workers = 1;
  o.on_dead_letter = [](const dead_letter&) {};
  return o;
}

behavior<member_of> open_member() {
  return {[](auto&, const note&) {}, [](tact::self<member_of>& self, const stop&) { self.stop(); }};
}
behavior<request<echo>> open_echo() {
  return {[](auto& self, const request<echo>& m) { self.reply(m, m.body.number); }};
}

using members = std::vector<ref<member_of>>;

members open_members(engine& e, std::size_t count) {
  members all;
  for (std::size_t i = 0; i != count; ++i) all.push_back(e.create(open_member()));
  return all;
}

// Nanoseconds for one of so many changes.
double timed(engine& e, std::size_t changes, const std::function<void(std::size_t)>& change) {
  e.wait_idle();
  const double before = cpu_ns();
  for (std::size_t i = 0; i != changes; ++i) change(i);
  e.wait_idle();
  return (cpu_ns() - before) / static_cast<double>(changes);
}

// -- the patterns: each has `n` members, and is changed so many times.

template <class Policy>
double router_changes(std::size_t n, std::size_t changes, Policy policy) {
  engine e(one_worker());
  std::vector<ref<note>> all;
  for (const auto& m : open_members(e, n)) all.push_back(m);
  const auto r = e.create(router<note>(std::move(all), std::move(policy)));
  const ref<note> comes = e.create(open_member());
  e.send(r, note{});
  return timed(e, changes, [&](std::size_t) {
    e.send(r, add_member<note>{comes});
    e.send(r, remove_member<note>{comes});
  });
}
template <class Policy>
double router_ends(std::size_t n, std::size_t changes, Policy policy) {
  engine e(one_worker());
  const members all = open_members(e, n);
  const auto r = e.create(router<note>(std::vector<ref<note>>(all.begin(), all.end()), std::move(policy)));
  e.send(r, note{});
  return timed(e, std::min(changes, n), [&](std::size_t i) { e.send(all[i], stop{}); });
}
auto any_key() {
  return by_key([](const note&) { return 1; });
}

double scatter_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  std::vector<ref<request<echo>>> all;
  for (std::size_t i = 0; i != n; ++i) all.push_back(e.create(open_echo()));
  const auto s = e.create(scatter_gather<echo>(all));
  static_cast<void>(e.ask(s, to_all<echo>{}));
  const auto comes = e.create(open_echo());
  return timed(e, changes, [&](std::size_t) {
    e.send(s, add_member<request<echo>>{comes});
    e.send(s, remove_member<request<echo>>{comes});
  });
}
double topic_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const auto t = e.create(topic<note>());
  const members all = open_members(e, n);
  for (const auto& m : all) e.send(t, request<subscribe_topic<note>>{{}, {m}});
  return timed(e, changes, [&](std::size_t i) {
    e.send(t, request<unsubscribe_topic<note>>{{}, {all[i % n]}});
    e.send(t, request<subscribe_topic<note>>{{}, {all[i % n]}});
  });
}
double group_changes_of(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const auto g = e.create(process_group<note>());
  const members all = open_members(e, n);
  for (const auto& m : all) e.send(g, request<join_group<note>>{{}, {m}});
  return timed(e, changes, [&](std::size_t i) {
    e.send(g, request<leave_group<note>>{{}, {all[i % n]}});
    e.send(g, request<join_group<note>>{{}, {all[i % n]}});
  });
}
double observable_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const auto o = e.create(observable(1));
  std::vector<ref<int>> all;
  for (std::size_t i = 0; i != n; ++i) all.push_back(e.create(behavior<int>{[](auto&, int) {}}));
  for (const auto& m : all) e.send(o, subscribe_observable<int>{m});
  return timed(e, changes, [&](std::size_t i) {
    e.send(o, unsubscribe_observable<int>{all[i % n]});
    e.send(o, subscribe_observable<int>{all[i % n]});
  });
}
double registry_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const registry names(e);
  const auto who = e.create(open_member());
  for (std::size_t i = 0; i != n; ++i) names.add("name " + std::to_string(i), who);
  return timed(e, changes, [&](std::size_t) {
    names.add("one more", who);
    names.remove("one more");
  });
}
// So many wait for other names.
double registry_waits(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const registry names(e);
  const auto who = e.create(open_member());
  const auto waits = e.create(behavior<int>{[names](auto& self, int i) {
    names.await<member_of>(
        self, "never " + std::to_string(i), [](auto&, ref<member_of>) {}, [](auto&, const failure&) {});
  }});
  for (std::size_t i = 0; i != n; ++i) e.send(waits, static_cast<int>(i));
  return timed(e, changes, [&](std::size_t) {
    names.add("one more", who);
    names.remove("one more");
  });
}
// The oldest child ends, and one is made.
double supervisor_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  supervisor s(e);
  members all;
  const auto make = [&] { all.push_back(s.create(restarting([] { return open_member(); }))); };
  for (std::size_t i = 0; i != n; ++i) make();
  return timed(e, changes, [&](std::size_t i) {
    s.end(all[i]);
    make();
  });
}
double scope_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  scope s(e);
  members all;
  for (std::size_t i = 0; i != n; ++i) all.push_back(s.create(open_member()));
  return timed(e, changes, [&](std::size_t i) {
    e.send(all[i], stop{});
    all.push_back(s.create(open_member()));
  });
}
// One of so many monitors of one actor is taken back, and another one is made.
double monitor_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const auto whom = e.create(open_member());
  const auto told = e.create(open_member());
  std::vector<monitor> all;
  for (std::size_t i = 0; i != n; ++i) all.push_back(e.monitor(whom, told, note{}));
  return timed(e, changes, [&](std::size_t i) {
    all[i % n].cancel();
    all[i % n] = e.monitor(whom, told, note{});
  });
}
// So many leases are given back and granted.
double lock_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const auto lock = e.create(read_write_lock(std::chrono::hours(1)));
  std::vector<ticket> all;
  for (std::size_t i = 0; i != n; ++i) all.push_back(e.ask(lock, read_lease{}));
  const double cost = timed(e, changes, [&](std::size_t i) {
    e.send(all[i % n], give_back{});
    all[i % n] = e.ask(lock, read_lease{});
  });
  for (const ticket& t : all) e.send(t, give_back{});
  e.wait_idle();
  return cost;
}
// So many requests wait in a pool whose only member is busy; one more comes, and is refused in the end.
double pool_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  std::vector<request<echo>> held;
  const auto busy = e.create(behavior<request<echo>>{[&](auto& self, const request<echo>& m) {
    self.defer(m);
    held.push_back(m);
  }});
  const auto p = e.create(pool<echo>({busy}, {.queue = n + changes + 2}));
  const auto customer = e.create(behavior<int>{[](auto&, int) {}});
  for (std::size_t i = 0; i != n; ++i) e.send(p, request<echo>{customer, {}});
  return timed(e, changes, [&](std::size_t i) {
    e.send(p, request<echo>{customer, {}});
    e.wait_idle();
    e.send(held[i].customer, 1);  // the member is free, and the first that waits has its turn
    e.wait_idle();
  });
}
double cache_changes(std::size_t n, std::size_t changes) {
  engine e(one_worker());
  const auto service = e.create(open_echo());
  const auto c = e.create(cache<echo>(service, {.entries = n, .age = std::chrono::hours(1)}));
  const auto customer = e.create(behavior<int>{[](auto&, int) {}});
  for (std::size_t i = 0; i != n; ++i) e.send(c, request<echo>{customer, {static_cast<int>(i)}});
  return timed(e, changes, [&](std::size_t i) { e.send(c, request<echo>{customer, {static_cast<int>(n + i)}}); });
}

struct case_of {
  const char* name;
  double (*cost)(std::size_t n, std::size_t changes);
};
constexpr case_of cases[] = {
    {"router round_robin: add and remove",
     [](std::size_t n, std::size_t c) { return router_changes(n, c, round_robin()); }},
    {"router round_robin: a member ends",
     [](std::size_t n, std::size_t c) { return router_ends(n, c, round_robin()); }},
    {"router by_key: add and remove", [](std::size_t n, std::size_t c) { return router_changes(n, c, any_key()); }},
    {"router by_key: a member ends", [](std::size_t n, std::size_t c) { return router_ends(n, c, any_key()); }},
    {"scatter_gather: add and remove", &scatter_changes},
    {"topic: unsubscribe and subscribe", &topic_changes},
    {"process_group: leave and join", &group_changes_of},
    {"observable: unsubscribe and subscribe", &observable_changes},
    {"registry: add and remove a name", &registry_changes},
    {"registry: the same while others wait", &registry_waits},
    {"supervisor: a child ends, one is made", &supervisor_changes},
    {"scope: a member ends, one is made", &scope_changes},
    {"monitor: taken back and made", &monitor_changes},
    {"read_write_lock: a lease ends, one is granted", &lock_changes},
    {"pool: a request waits, one has its turn", &pool_changes},
    {"cache: an answer goes, one comes", &cache_changes},
};

double least_of_three(const case_of& c, std::size_t n, std::size_t changes) {
  double least = c.cost(n, changes);
  for (int i = 0; i != 2; ++i) least = std::min(least, c.cost(n, changes));
  return least;
}

// Prints a row. False: the curve bends, also when it is measured again.
bool is_straight(const case_of& c, const std::vector<std::size_t>& sizes, std::size_t changes) {
  std::printf("%-48s", c.name);
  bool straight = true;
  double before = 0;
  for (std::size_t at = 0; at != sizes.size(); ++at) {
    double cost = least_of_three(c, sizes[at], changes);
    for (int again = 0; at != 0 && cost > bend * before && again != 3; ++again) {
      before = std::max(before, least_of_three(c, sizes[at - 1], changes));
      cost = std::min(cost, least_of_three(c, sizes[at], changes));
    }
    straight = straight && (at == 0 || cost <= bend * before);
    before = cost;
    std::printf("%12.0f", cost);
    std::fflush(stdout);
  }
  std::printf("%s\n", straight ? "" : "   BENDS");
  return straight;
}

int run(bool tiny, bool most, const char* filter) {
  std::vector<std::size_t> sizes{100, 1'000, 10'000};
  if (tiny) sizes.pop_back();
  if (most) sizes.push_back(100'000);
  std::printf("%-48s", "ns of CPU time for one change, with so many:");
  for (const std::size_t n : sizes) std::printf("%12zu", n);
  std::printf("\n");
  bool straight = true;
  for (const case_of& c : cases) {
    if (std::strstr(c.name, filter) == nullptr) continue;
    straight = is_straight(c, sizes, tiny ? 100 : 1'000) && straight;
  }
  if (!straight)
    std::fprintf(stderr, "changes: a change costs more than %.0f times as much with ten times as many\n", bend);
  return straight ? 0 : 1;
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  bool tiny = false;
  bool most = false;
  const char* filter = "";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--tiny") {
      tiny = true;
    } else if (word == "--most") {
      most = true;
    } else if (word == "--filter" && i + 1 < argc) {
      filter = argv[++i];
    } else {
      std::fprintf(word == "--help" ? stdout : stderr, "changes [--tiny | --most] [--filter WORDS]\n");
      return word == "--help" ? 0 : 2;
    }
  }
  return tact::bench::run(tiny, most, filter);
}
