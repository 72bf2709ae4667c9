// Random programs on real engines and in the reference model: whatever they do, the laws hold.
#include <chrono>
#include <iostream>

#include "model/generator.hpp"
#include "model/laws.hpp"
#include "model/runner.hpp"
#include "model/sequence.hpp"
#include "support/engine_fixture.hpp"

namespace {

using namespace tact::model;
using namespace tact::support;

constexpr std::array<unsigned, 4> worker_counts_here{1, 2, 4, 8};

// TACT_PROGRAMS: of each test case, over all numbers of workers.
std::uint64_t programs() { return count_from_environment("TACT_PROGRAMS", static_cast<std::uint64_t>(scaled(8'000))); }
unsigned workers_of(std::uint64_t seed) { return worker_counts_here[seed % worker_counts_here.size()]; }

std::string lines(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += "  " + line + "\n";
  return text;
}

// A failure on real threads may need luck to be seen again, and one that is a hang takes its time.
constexpr int attempts_when_shrinking = 30;
constexpr std::chrono::seconds shrinking_most{60};

std::vector<std::string> complaints_of(const program& p, mistake wrong = mistake::none) {
  return check(p, play_on_threads(p, wrong));
}

// The program, or the same in which the first thread cancels the engine at the end of what it does.
program with_cancel(program p, bool cancels) {
  if (!cancels) return p;
  outside_act cancel;
  cancel.what = outside_act::sort::cancel;
  if (p.threads.empty()) p.threads.emplace_back();
  p.threads.front().push_back(cancel);
  return p;
}

[[noreturn]] void fail_with_small_program(std::uint64_t seed, bool cancels, const std::vector<std::string>& first) {
  std::cout << "seed=" << seed << ":\n" << lines(first) << std::flush;  // shrinking may take its time
  const auto end = std::chrono::steady_clock::now() + shrinking_most;
  const auto is_bad = [cancels, end](const program& p) {
    for (int i = 0; i < attempts_when_shrinking && std::chrono::steady_clock::now() < end; ++i) {
      if (!complaints_of(with_cancel(p, cancels)).empty()) return true;
    }
    return false;
  };
  const program small = with_cancel(shrunk(seed, workers_of(seed), is_bad), cancels);
  std::cout << "A smaller program that does not hold either:\n" << text_of(small) << lines(complaints_of(small));
  FAIL("seed=" << seed << " (TACT_SEED with TACT_PROGRAMS=1 repeats it): " << first.front());
  std::abort();
}

// What all programs together did: they are of no use if they never come to the point.
struct coverage {
  std::uint64_t messages = 0, collisions = 0, forwarded = 0, failures = 0, dead = 0, created = 0, stolen = 0;

  void add(const tact::statistics& s) {
    messages += s.messages_sent;
    collisions += s.collisions;
    forwarded += s.forwarded;
    failures += s.failures;
    dead += s.dead_letters;
    created += s.actors_created;
    stolen += s.shards_stolen;
  }
};

}  // namespace

TEST_CASE("model: all laws hold for random programs on real threads", "[model]") {
  TACT_SEEDED(seed);
  coverage sum;
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t count = programs();
  for (std::uint64_t n = 0; n < count; ++n) {
    const program p = program_of(seed + n, workers_of(seed + n));
    const history h = play_on_threads(p);
    const auto wrong = check(p, h);
    if (!wrong.empty()) fail_with_small_program(seed + n, false, wrong);
    sum.add(h.figures);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::cout << count << " programs from seed=" << seed << " in " << took.count() << " s: " << sum.messages
            << " messages, " << sum.created << " actors, " << sum.failures << " failures, " << sum.dead
            << " dead letters, " << sum.collisions << " collisions, " << sum.forwarded << " sent home, " << sum.stolen
            << " shards stolen\n";
  if (count < 1'000) return;
  CHECK(sum.failures != 0);
  CHECK(sum.dead != 0);
  CHECK(sum.collisions != 0);
}

TEST_CASE("model: what a cancelled engine did until then keeps the laws, and whoever asked has heard", "[model]") {
  TACT_SEEDED(seed);
  for (std::uint64_t n = 0; n < programs() / 4; ++n) {
    const program p = with_cancel(program_of(seed + n, workers_of(seed + n)), true);
    const auto wrong = check(p, play_on_threads(p));
    if (!wrong.empty()) fail_with_small_program(seed + n, true, wrong);
  }
}

TEST_CASE("model: what the reference model does is what the laws allow", "[model]") {
  TACT_SEEDED(seed);
  for (std::uint64_t n = 0; n < programs(); ++n) {
    const program p = program_of(seed + n, workers_of(seed + n));
    const auto wrong = check(p, play_in_sequence(p, seed + n));
    if (!wrong.empty()) {
      const program small = shrunk(seed + n, workers_of(seed + n), [&](const program& smaller) {
        return !check(smaller, play_in_sequence(smaller, seed + n)).empty();
      });
      std::cout << lines(wrong) << text_of(small) << lines(check(small, play_in_sequence(small, seed + n)));
      FAIL("seed=" << seed + n << ": " << wrong.front());
    }
  }
}
