// Whichever piece of memory the system refuses, the process goes on, and the laws hold: docs/out_of_memory.md.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/blocks.hpp"
#include "base/reserve.hpp"
#include "base/system_blocks.hpp"
#include "scarce_memory/scarce.hpp"
#include "scarce_memory/town.hpp"
#include "transactions/journal.hpp"

using namespace tact::memory_tests;

namespace {

// Ends the process with a word when the program hangs.
class alarm_clock {
 public:
  explicit alarm_clock(unsigned seconds) noexcept { ::alarm(seconds); }
  ~alarm_clock() { ::alarm(0); }
  alarm_clock(const alarm_clock&) = delete;
  alarm_clock& operator=(const alarm_clock&) = delete;
};

tact::engine_options town_options() {
  tact::engine_options o;
  o.workers = 2;
  o.blocking_max = 4;
  o.ask_stack_bytes = 64 * 1024;
  o.on_failure = [](const tact::failure_report&) {};
  o.on_dead_letter = [](const tact::dead_letter&) {};
  return o;
}

// A timer may send between the wait and the look; a message that is lost is waited for until the alarm.
tact::statistics statistics_at_rest(tact::engine& e) {
  for (;;) {
    e.wait_idle();
    const tact::statistics s = e.statistics();
    if (s.in_flight() == 0) return s;
  }
}

struct result {
  std::int64_t refusals = 0;
  bool made = false;  // the engines could be made
  tact::statistics in_one;
  tact::statistics in_the_other;
};

// From the nth piece of memory on so many are refused, from the first engine's beginning to the last one's end.
result run(std::int64_t nth, std::int64_t in_a_row, scarcity::by counted) {
  result r;
  attempts attempt;
  const auto options = town_options();
  {
    const scarcity scarce(nth, in_a_row, counted);
    attempt([&] {
      tact::engine one(options);
      tact::engine other(options);
      r.made = true;
      use_everything(one, other, attempt, [] {});
      // Each may send to the other.
      for (int i = 0; i < 3; ++i) {
        one.wait_idle();
        other.wait_idle();
      }
      r.in_one = statistics_at_rest(one);
      r.in_the_other = statistics_at_rest(other);
    });
    r.refusals = scarcity::refusals();
  }
  return r;
}

void require_accounted(const tact::statistics& s) {
  INFO(s);
  REQUIRE(s.messages_sent == s.commits + s.failures + s.dead_letters);
}

// Returns the first one that nobody asked for.
std::int64_t require_lawful(std::int64_t in_a_row, std::int64_t step,
                            scarcity::by counted = scarcity::by::all_threads) {
  static_cast<void>(run(INT64_MAX / 2, 1, counted));  // what is made once in a process
  std::int64_t nth = 1;
  for (bool refused = true; refused; nth += step) {
    INFO("refused: " << in_a_row << " pieces of memory from number " << nth << " on");
    const nothing_left left;
    const alarm_clock clock(60);
    const result r = run(nth, in_a_row, counted);
    refused = r.refusals != 0;
    require_accounted(r.in_one);
    require_accounted(r.in_the_other);
  }
  return nth;
}

struct question {
  using reply = int;
};
struct asked : tact::protocol<tact::request<question>> {};

}  // namespace

TEST_CASE("memory: whichever piece is refused, the process goes on, and every message is accounted for",
          "[law4][law8][law11]") {
  CHECK(require_lawful(1, 1) > 150);
}

TEST_CASE("memory: whichever piece is refused to each thread, the process goes on, and every message is accounted for",
          "[law4][law8][law11]") {
  for (const std::int64_t in_a_row : {1, 40}) {
    CHECK(require_lawful(in_a_row, 1, scarcity::by::each_thread) > 20);
  }
}

// What is told only once, such as the end of a turn in a serializer, is handled while nothing may fail.
TEST_CASE("memory: a run that must not fail makes actors although the system refuses everything", "[law4]") {
  tact::base::fill_block_reserve();
  tact::mailbox::depot spare;
  tact::mailbox::chunk_store chunks{spare};
  tact::mailbox::outbox_set outboxes{1};
  tact::detail::run window;
  tact::transactions::journal j{window, outboxes, chunks, 1};
  // Blocks that the library has taken before are refused as well.
  struct refusal final : tact::base::allocation_watch {
    refusal() { tact::base::watch_allocations(this); }
    ~refusal() { tact::base::watch_allocations(nullptr); }
    bool permits_allocation() noexcept override { return false; }
  };
  const refusal all;
  REQUIRE_THROWS_AS(j.make_room_for_creation(), std::bad_alloc);
  const tact::base::may_use_reserve sure;
  for (int made = 0; made < 30; ++made) {
    if (j.is_full()) j.make_room_for_creation();
    j.create({});
  }
  CHECK(j.creations().size() == 30);
}

TEST_CASE("memory: a worker that gets no stack brings answers to handlers that wait", "[law4][law8]") {
  const alarm_clock clock(60);
  auto options = town_options();
  tact::engine e(options);
  const auto helper = e.create(tact::behavior<asked>{[](auto& self, const tact::request<question>& m) {
                                 // Long enough for the other worker to take a part of the messages.
                                 const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
                                 while (std::chrono::steady_clock::now() < end) {
                                 }
                                 self.reply(m, 1);
                               }},
                               tact::parallel);
  const auto waits = e.create(tact::behavior<asked>{[helper](auto& self, const tact::request<question>& m) {
                                static thread_local const scarcity::spares_thread from_now_on;
                                self.reply(m, self.ask(helper, question{}));
                              }},
                              tact::parallel);
  CHECK(e.ask(waits, question{}) == 1);
  attempts attempt;
  unsigned answers = 0;
  {
    const scarcity::spares_thread spared;
    const scarcity scarce(1, 1'000'000'000, scarcity::by::each_thread);
    std::vector<std::thread> others;
    for (int i = 0; i < 2; ++i) {
      others.emplace_back([&] {
        const scarcity::spares_thread spared_too;
        attempts of_thread;
        for (int n = 0; n < 2000; ++n) of_thread([&] { (void)e.ask(helper, question{}); });
      });
    }
    for (int n = 0; n < 2000; ++n) attempt([&] { answers += e.ask(waits, question{}) == 1; });
    for (auto& o : others) o.join();
  }
  CHECK(answers + attempt.refused() == 2000);
  e.wait_idle();
  require_accounted(e.statistics());
}

TEST_CASE("memory: while the system refuses all for a while, what was accepted is accounted for, and the end comes",
          "[law4][law8][law11]") {
  for (const std::int64_t in_a_row : {3, 20, 60}) CHECK(require_lawful(in_a_row, 13) > 100);
}
