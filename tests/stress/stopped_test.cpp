// Workers that the system stops at any moment: no law breaks, what they do not hold goes on, and afterwards they do.
#include <optional>

#include "stress/parade.hpp"
#include "stress/town.hpp"
#include "support/stopped_thread.hpp"

namespace stopped_test {

namespace {

using namespace tact::stress;

// Lets others run for a random time: sometimes hardly any, a few milliseconds at most. Nothing depends on how long.
void let_go_by(dice& d) {
  const unsigned most = d.below(2) == 0 ? 4'000 : 100;
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(d.below(most));
  while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
}

// Sleeps in the kernel, and only once `told` is set, which it awaits without an atomic operation.
__attribute__((no_sanitize("thread"))) void sleep_once_told(const volatile bool& told,
                                                            std::atomic<std::uint32_t>& word) {
  while (!told) {
  }
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
}

}  // namespace

TEST_CASE("stopped: a thread that was on its way to sleep stops, and goes on", "[support]") {
  std::atomic<std::uint32_t> word{0};
  volatile bool told = false;
  std::atomic<pid_t> number{0};
  std::atomic<bool> awake{false};
  std::thread sleeper([&] {
    number = ::gettid();
    sleep_once_told(told, word);
    awake = true;
  });
  while (number == 0) std::this_thread::yield();
  {
    stopped_thread stopped(number);
    told = true;
    stopped.wait_until_stopped();
    CHECK(stopped.has_stopped());
    CHECK_FALSE(awake);
    stopped.go_on();
    CHECK_FALSE(stopped.gave_up());
  }
  word = 1;
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  sleeper.join();
}

TEST_CASE("stopped: no law breaks, whichever workers stand still, and whenever", "[law1][law4][law5][law6]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(from_range(usual_of({1u, 2u, 4u, 8u})));
  INFO("workers=" << workers);
  for (const tact::victim_policy& victims :
       {tact::victim_policy(&tact::longest_victim), tact::victim_policy(&tact::random_victim)}) {
    const nothing_left left;
    std::optional<tact::engine> engine;
    auto options = quiet_options(workers);
    options.victims = victims;
    engine.emplace(options);
    const auto threads = threads_of_workers();
    REQUIRE(threads.size() == workers);
    town t(*engine);
    std::atomic<bool> done{false};
    std::atomic<unsigned> stops{0}, gave_up{0};
    std::thread stopper([&] {
      dice d(seed);
      while (!done) {
        let_go_by(d);
        std::array<std::optional<stopped_thread>, 8> stopped;
        for (unsigned i = 0; i < workers; ++i) {
          if (d.below(2) == 0) stopped[i].emplace(threads[i]);  // so sometimes all
        }
        let_go_by(d);
        for (auto& s : stopped) {
          if (!s) continue;
          s->go_on();
          stops += s->has_stopped() ? 1U : 0U;
          gave_up += s->gave_up() ? 1U : 0U;
        }
      }
    });
    dice d(seed + 1);
    const auto end = std::chrono::steady_clock::now() + generous;
    for (int n = 0; n < scaled(60) || (stops < 20 && std::chrono::steady_clock::now() < end); ++n) {
      t.live(d.next());
      if (d.below(3) != 0) continue;
      if (!engine->wait_idle(generous)) break;
      t.bury();
    }
    const bool idle = engine->wait_idle(generous);
    done = true;
    stopper.join();
    INFO(engine->still_running());
    REQUIRE(idle);
    require_accounted(*engine);
    t.check();
    CHECK(stops >= 20);
    CHECK(gave_up == 0);
  }
}

namespace {

struct stop_figures {
  unsigned stops = 0;
  unsigned holding = 0;       // stops of a worker that held a shard with messages
  unsigned taken_over = 0;    // shards of a stopped worker that other workers ran meanwhile
  unsigned left_waiting = 0;  // stops in which others left more undone than what was held
};

// Stops a worker while all shards have messages, and lets it stand still until all that it does not hold is done.
void stop_one(parade& p, dice& d, unsigned workers, bool only_busy, stop_figures& figures) {
  const unsigned chosen = d.below(workers);
  p.play(100 + d.below(200));
  let_go_by(d);
  // Nothing in here allocates memory, because the stopped worker may stand in the middle of an allocation.
  stopped_thread stopped(p.thread_of(chosen));
  stopped.wait_until_stopped();
  // It might stop later, somewhere where this thread has to wait for it.
  if (!stopped.has_stopped()) return;
  const unsigned waiting = p.waiting_for(chosen);
  // A thief that takes from the worker that has been busy longest passes over a worker that has been told of messages
  // and was stopped before it took up the first of them.
  const bool may_wait = !only_busy || p.is_busy(chosen);
  const auto end = std::chrono::steady_clock::now() + generous / 4;
  bool done = false;
  while (!done && may_wait && std::chrono::steady_clock::now() < end) {
    const unsigned left = p.playing();
    const bool held = left == 1 && p.all_players_taken();
    const bool others_sleep = p.others_sleep(chosen);
    done = left == 0 || (held && others_sleep);
    // Some worker must look round: without anything to do all workers would sleep, and only one that wakes up searches;
    // but one that is told of something all the time does not come to search.
    if (!done && !held && others_sleep) p.pulse_to(d.below(p.size()));
    std::this_thread::yield();
  }
  const unsigned playing = p.playing();
  stopped.go_on();
  REQUIRE_FALSE(stopped.gave_up());
  ++figures.stops;
  if (!may_wait) return;
  figures.left_waiting += done ? 0 : 1;
  figures.holding += playing;
  figures.taken_over += waiting > playing ? waiting - playing : 0;
}

}  // namespace

TEST_CASE("stopped: only the shard that a stopped worker holds waits for it", "[dispatch][law7]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(from_range(usual_of({2u, 4u, 8u})));
  const bool longest = GENERATE(false, true);
  INFO("workers=" << workers << " victims=" << (longest ? "longest" : "random"));
  auto options = quiet_options(workers);
  options.joint_holds = false;
  options.workers_rest = false;  // a worker may be stopped with a shard in hand that it moves to one that runs
  options.victims = longest ? &tact::longest_victim : &tact::random_victim;
  tact::engine engine(options);
  parade p(engine);
  const auto end = std::chrono::steady_clock::now() + generous;
  while (!p.everybody_seen()) REQUIRE(std::chrono::steady_clock::now() < end);
  const auto end_of_search = std::chrono::steady_clock::now() + 5 * generous;  // chance decides what a stop meets
  dice d(seed);
  stop_figures figures;
  const auto enough = [&] { return figures.holding >= 5 && figures.taken_over >= 5; };
  for (int n = 0; n < scaled(200) || (!enough() && std::chrono::steady_clock::now() < end_of_search); ++n) {
    stop_one(p, d, workers, longest, figures);
    REQUIRE(figures.left_waiting == 0);
    require_idle(engine);
    REQUIRE(p.playing() == 0);
  }
  INFO("stops=" << figures.stops << " holding=" << figures.holding << " taken over=" << figures.taken_over);
  CHECK(enough());
}

}  // namespace stopped_test
