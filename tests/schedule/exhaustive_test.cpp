// The exhaustive search: which schedules it runs, how many there are, and what it finds.
#include <set>
#include <string>

#include "schedule/small_scenarios.hpp"

namespace exhaustive_test {

namespace {

using namespace tact;
using namespace tact::schedule;

template <class Scenario>
explorer::result exhaust(unsigned preemptions, unsigned late_stores = 0) {
  explorer::bounds b;
  b.preemptions = preemptions;
  b.late_stores = late_stores;
  b.step_limit = 2'000;
  return explorer::exhaust(b, [] { return std::make_unique<Scenario>(); });
}

// Threads of so many operations each, which note the order in which they come.
template <unsigned... Operations>
struct counted : explorer::scenario {
  static constexpr std::array<unsigned, sizeof...(Operations)> operations{Operations...};
  word w;
  std::string order;
  unsigned thread_count() const override { return operations.size(); }
  void thread(unsigned i) override {
    for (unsigned n = 0; n < operations[i]; ++n) {
      static_cast<void>(w.load());
      order += static_cast<char>('a' + i);
    }
  }
  void at_end() override { orders.insert(order); }
  static inline std::set<std::string> orders;
};

// How many orders there are of so many operations, by counting them in another way.
std::uint64_t orders_of(std::vector<unsigned> left, std::size_t running, unsigned preemptions) {
  std::uint64_t sum = 0;
  bool any = false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == 0) continue;
    any = true;
    const bool preempts = i != running && running < left.size() && left[running] != 0;
    if (preempts && preemptions == 0) continue;
    --left[i];
    sum += orders_of(left, i, preemptions - preempts);
    ++left[i];
  }
  return any ? sum : 1;
}

template <unsigned... Operations>
void require_all_orders() {
  using scenario = counted<Operations...>;
  for (unsigned preemptions = 0; preemptions < 4; ++preemptions) {
    scenario::orders.clear();
    const explorer::result r = exhaust<scenario>(preemptions);
    INFO(preemptions << " preemptions");
    REQUIRE(r.exhausted);
    REQUIRE(r.schedules == orders_of({Operations...}, sizeof...(Operations), preemptions));
    REQUIRE(r.schedules == scenario::orders.size());
  }
}

// A sleeper whose deadline may pass at any time counts what it has seen then.
struct patient : two_threads {
  word n;
  static inline std::set<std::uint32_t> seen;
  void thread(unsigned i) override {
    if (i == 0) {
      for (int k = 0; k < 3; ++k) n.fetch_add(1);
    } else {
      static_cast<void>(simulated::futex_wait(n, 0, std::chrono::steady_clock::time_point{}));
      seen.insert(n.load());
    }
  }
};

// The sleeper's deadline passes again and again.
struct impatient : two_threads {
  word n;
  void thread(unsigned i) override {
    if (i == 0) return n.store(1);
    while (n.load() == 0) static_cast<void>(simulated::futex_wait(n, 0, std::chrono::steady_clock::time_point{}));
  }
};

// Two wait, each in a loop that writes, for a third.
struct polite : explorer::scenario {
  word go, tries;
  unsigned thread_count() const override { return 3; }
  void thread(unsigned i) override {
    if (i == 2) {
      tries.fetch_add(1);
      return go.store(1);
    }
    while (go.load() == 0) {
      tries.fetch_add(1);
      simulated::pause();
    }
  }
};

struct woken_first : one_is_woken {
  static inline std::set<unsigned> ever;
  void at_end() override { ever.insert(first); }
};

// How many threads there are depends on how many schedules there were before.
struct moody : explorer::scenario {
  word n;
  static inline unsigned schedules = 0;
  moody() { ++schedules; }
  unsigned thread_count() const override { return 2 + schedules % 2; }
  void thread(unsigned) override { n.fetch_add(1); }
};

}  // namespace

TEST_CASE("exhaustive search: runs every order with so many preemptions, each once", "[explorer]") {
  require_all_orders<3, 4>();
  require_all_orders<2, 3, 2>();
  require_all_orders<1, 1, 1, 2>();
}

TEST_CASE("exhaustive search: a lost update takes one preemption", "[explorer]") {
  const explorer::result none = exhaust<unlocked_count>(0);
  REQUIRE(none.failures == 0);
  REQUIRE(none.exhausted);
  const explorer::result one = exhaust<unlocked_count>(1);
  REQUIRE(one.text == "an increment is lost");
  REQUIRE_FALSE(one.exhausted);
  REQUIRE(exhaust<locked_count>(3).exhausted);
}

TEST_CASE("exhaustive search: holds back as many stores as it may", "[explorer]") {
  REQUIRE(exhaust<relaxed_flags>(3, 0).exhausted);
  REQUIRE(exhaust<relaxed_flags>(0, 1).text == "both saw nothing");
  REQUIRE(exhaust<strict_flags>(3, 2).exhausted);
  REQUIRE(exhaust<in_order>(3, 2).exhausted);
}

TEST_CASE("exhaustive search: names deadlock, livelock and exceptions", "[explorer]") {
  REQUIRE(exhaust<embrace>(0).exhausted);
  REQUIRE(exhaust<embrace>(1).text.rfind("deadlock", 0) == 0);
  REQUIRE(exhaust<endless>(0).text.rfind("livelock", 0) == 0);
  REQUIRE(exhaust<throwing>(0).text == "a thread of the scenario threw");
}

TEST_CASE("exhaustive search: threads that wait in loops do not keep the others from what they wait for",
          "[explorer]") {
  REQUIRE(exhaust<spinning>(2).exhausted);
  REQUIRE(exhaust<polite>(2).exhausted);
  REQUIRE(exhaust<impatient>(3).exhausted);
}

TEST_CASE("exhaustive search: a deadline passes at any time, and any sleeper may be the one that is woken",
          "[explorer]") {
  patient::seen.clear();
  REQUIRE(exhaust<patient>(1).exhausted);
  REQUIRE(patient::seen == std::set<std::uint32_t>{0, 1, 2, 3});
  woken_first::ever.clear();
  REQUIRE(exhaust<woken_first>(0).exhausted);
  REQUIRE(woken_first::ever == std::set<unsigned>{1, 2});
}

TEST_CASE("exhaustive search: says so when it gives up, and when a scenario cannot be searched", "[explorer]") {
  explorer::bounds few;
  few.schedules = 3;
  const explorer::result r = explorer::exhaust(few, [] { return std::make_unique<locked_count>(); });
  REQUIRE(r.schedules == 3);
  REQUIRE_FALSE(r.exhausted);
  REQUIRE(exhaust<moody>(1).text == "the scenario depends on something else than its schedule");
}

TEST_CASE("exhaustive search: finds the same failure every time, and tells it", "[explorer]") {
  const explorer::result r = exhaust<unlocked_count>(1);
  REQUIRE(exhaust<unlocked_count>(1).schedules == r.schedules);
  REQUIRE(r.trace ==
          "  thread 0: load w0 0\n"
          "  thread 0: (is preempted)\n"
          "\n"
          "  thread 1: load w0 0\n"
          "  thread 1: store w0 1\n"
          "\n"
          "  thread 0: store w0 1\n");
}

}  // namespace exhaustive_test
