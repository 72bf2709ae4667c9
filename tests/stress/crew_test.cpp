// Workers that rest and run again on real threads: actors, messages and threads that wait do not notice.
#include <memory>
#include <thread>

#include "stress/town.hpp"
#include "support/insides.hpp"

namespace crew_test {

namespace {

using namespace tact::stress;
using tact::dispatch::dispatcher;

// A message that takes nanoseconds.
struct hop {
  unsigned sender;
  unsigned number;
  unsigned left;
};

constexpr unsigned walkers = 48;

// Numbers what it sends to each other one, and looks at the numbers that come.
class walker : public tact::actor<walker, hop> {
 public:
  walker(unsigned me, std::uint64_t seed) : me_(me), dice_(seed * walkers + me) {}
  void receive(tact::self<walker>& self, const hop& m) {
    wrong += inside_.exchange(true) || next_[m.sender]++ != m.number ? 1U : 0U;
    ++handled;
    if (m.left != 0) {
      const auto to = static_cast<unsigned>(dice_.below(walkers));
      self.send(all[to], hop{me_, sent_[to]++, m.left - 1});
    }
    inside_ = false;
  }
  std::vector<tact::ref<walker>> all;
  unsigned wrong = 0;
  std::uint64_t handled = 0;

 private:
  const unsigned me_;
  dice dice_;
  std::atomic<bool> inside_{false};
  std::array<unsigned, walkers + 1> next_{};  // not atomic on purpose
  std::array<unsigned, walkers> sent_{};
};

// All walkers, and the thread that sends to them.
class crowd {
 public:
  crowd(tact::engine& e, std::uint64_t seed) : engine_(&e) {
    for (unsigned i = 0; i < walkers; ++i) people_.push_back(std::make_unique<walker>(i, seed));
    for (const auto& p : people_) refs_.push_back(e.attach(*p));
    for (const auto& p : people_) p->all = refs_;
  }
  // So many messages are under way at a time, each as long as it says.
  void walk(unsigned messages, unsigned length) {
    for (unsigned i = 0; i < messages; ++i) {
      const unsigned to = i % walkers;
      engine_->send(refs_[to], hop{walkers, sent_[to]++, length});
    }
    expected_ += std::uint64_t{messages} * (length + 1);
  }
  [[nodiscard]] std::uint64_t messages() const { return expected_; }
  // REQUIRES: the engine is idle.
  void check() const {
    std::uint64_t handled = 0;
    for (const auto& p : people_) {
      CHECK(p->wrong == 0);
      handled += p->handled;
    }
    CHECK(handled == expected_);
  }
  void go_home() {
    for (const auto r : refs_) r | tact::finished_msg;
    require_idle(*engine_);
  }

 private:
  tact::engine* engine_;
  std::vector<std::unique_ptr<walker>> people_;
  std::vector<tact::ref<walker>> refs_;
  std::array<unsigned, walkers> sent_{};
  std::uint64_t expected_ = 0;
};

tact::engine_options resting_options(unsigned workers) {
  auto o = quiet_options(workers);
  o.workers_max = workers;
  return o;
}

// Has other workers rest and run, and now and then come and go, until its end.
class changer {
 public:
  changer(tact::engine& e, dispatcher& inside, unsigned most, std::uint64_t seed)
      : thread_([this, &e, &inside, most, seed] {
          dice d(seed);
          while (!over_) {
            const unsigned wanted = 1 + d.below(most);
            if (d.below(16) == 0) {
              e.set_workers(wanted);
            } else if (inside.run_only(wanted)) {
              changes_.fetch_add(1, std::memory_order_relaxed);
            }
            if (d.below(2) == 0) std::this_thread::yield();
          }
        }) {}
  changer(const changer&) = delete;
  changer& operator=(const changer&) = delete;
  ~changer() { end(); }
  void end() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] unsigned changes() const { return changes_; }

 private:
  std::atomic<bool> over_{false};
  std::atomic<unsigned> changes_{0};
  std::thread thread_;
};

}  // namespace

TEST_CASE("crew: while workers rest and run again all laws hold, and nothing is lost, run twice or overtaken",
          "[workers][law1][law4][law5][law6]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u, 64u})));
  INFO("workers=" << workers);
  const nothing_left left;
  auto options = resting_options(workers);
  if (seed % 2 == 0) options.victims = &tact::random_victim;
  tact::engine engine(options);
  auto& inside = inside_of(engine);
  crowd c(engine, seed);
  town t(engine);
  changer around(engine, inside, workers, seed);
  dice d(seed + 1);
  for (int n = 0; n < scaled(100) || around.changes() == 0; ++n) {
    c.walk(1 + d.below(2 * walkers), 100);
    t.live(d.next());
    if (d.below(3) != 0) continue;
    INFO("round " << n);
    require_idle(engine);
  }
  around.end();
  require_idle(engine);
  c.check();
  t.check(c.messages());
  c.go_home();
}

TEST_CASE("crew: while it finds out by itself how many workers gain, nothing is lost, run twice or overtaken",
          "[workers][law1][law5][law6]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u, 64u})));
  INFO("workers=" << workers);
  tact::engine engine(resting_options(workers));
  crowd c(engine, seed);
  // Whether some rest depends on what else the machine does, so it is not asked for.
  for (int n = 0; n < (sanitized ? 4 : 20); ++n) {
    c.walk(4 * walkers, static_cast<unsigned>(scaled(2'000)));
    if (n % 4 == 3) require_idle(engine);
  }
  require_idle(engine);
  c.check();
  c.go_home();
}

TEST_CASE("crew: who waits for quiet is told of it, whichever workers rest", "[workers][law9]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u, 64u})));
  INFO("workers=" << workers);
  tact::engine engine(resting_options(workers));
  auto& inside = inside_of(engine);
  crowd c(engine, seed);
  changer around(engine, inside, workers, seed);
  dice d(seed + 1);
  for (int n = 0; n < scaled(5'000) || around.changes() == 0; ++n) {
    c.walk(1 + d.below(3), d.below(40));
    require_idle(engine);
  }
  around.end();
  c.check();
  c.go_home();
}

TEST_CASE("crew: those that have rested are idle again when the number of workers changes", "[workers]") {
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u})));
  INFO("workers=" << workers);
  auto options = resting_options(workers);
  tact::engine engine(options);
  auto& inside = inside_of(engine);
  // Those that run, and no others: an engine that has been idle for long lets all of them run.
  const auto all_idle = [&] {
    const auto& idle = inside.waker().idle();
    const auto are_all = [&] { return idle.are_all(inside.running()) && idle.count() == inside.running(); };
    const auto end = std::chrono::steady_clock::now() + generous;
    bool seen = are_all();
    for (; !seen && std::chrono::steady_clock::now() < end; seen = are_all()) std::this_thread::yield();
    return seen;
  };
  const auto only_one_runs = [&] {
    while (!inside.run_only(1)) std::this_thread::yield();
  };
  for (int n = 0; n < scaled(100); ++n) {
    only_one_runs();
    REQUIRE(all_idle());
    engine.set_workers(workers);
    CHECK(inside.running() == workers);
    REQUIRE(all_idle());
    only_one_runs();
    REQUIRE(all_idle());
    engine.set_workers(workers - 1);
    CHECK(inside.running() == workers - 1);
    REQUIRE(all_idle());
    engine.set_workers(workers);
    REQUIRE(all_idle());
  }
}

namespace {

struct errand {
  std::function<void()> what;
};
struct messenger : tact::protocol<errand> {};

// Two whose shards differ.
std::array<tact::ref<messenger>, 2> two_apart(tact::engine& e) {
  const auto make = [&] { return e.create(tact::behavior<messenger>{[](auto&, const errand& w) { w.what(); }}); };
  const auto home = [](tact::ref<messenger> m) { return home_of(tact::detail::access::port_of(m)); };
  const auto first = make();
  auto second = make();
  while (home(second) == home(first)) second = make();
  return {first, second};
}

}  // namespace

TEST_CASE("crew: behind a handler that takes long nothing waits because the others rest", "[workers][law7]") {
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u})));
  INFO("workers=" << workers);
  for (int n = 0; n < scaled(50); ++n) {
    std::atomic<unsigned> in_time{0};
    door came, done;
    tact::engine engine(resting_options(workers));
    auto& inside = inside_of(engine);
    const auto [slow, quick] = two_apart(engine);
    require_idle(engine);
    while (!inside.run_only(1)) std::this_thread::yield();
    engine.send(slow, errand{[&] {
                  came.open();
                  in_time += done.pass() ? 1U : 0U;
                }});
    REQUIRE(came.pass());
    engine.send(quick, errand{[&] { done.open(); }});
    require_idle(engine);
    REQUIRE(in_time == 1);
  }
}

}  // namespace crew_test
