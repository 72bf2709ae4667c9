#include "model/hunt.hpp"

#include <chrono>
#include <iostream>

#include "model/generator.hpp"
#include "model/laws.hpp"
#include "support/catch.hpp"
#include "support/seed.hpp"

namespace tact::model {

namespace {

constexpr std::array<unsigned, 5> worker_counts_here{0, 1, 2, 4, 8};
constexpr unsigned orders_usually = 2;
constexpr std::chrono::seconds shrinking_most{60};
constexpr unsigned programs_until_found_most = 2'000;

program with_cancel(program p, bool cancels) {
  if (!cancels) return p;
  outside_act cancel;
  cancel.what = outside_act::sort::cancel;
  if (p.threads.empty()) p.threads.emplace_back();
  p.threads.front().push_back(cancel);
  return p;
}

std::string lines(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += "  " + line + "\n";
  return text;
}

[[noreturn]] void fail_with_small_program(const ground& on, std::uint64_t program_seed, unsigned order, bool cancels,
                                          const std::vector<std::string>& first) {
  std::cout << "seed=" << program_seed << ":\n" << lines(first) << std::flush;  // shrinking may take its time
  const finding small = make_small(on, program_seed, cancels, program_seed + order);
  // Printed by itself: Catch2 would break the lines.
  std::cout << text_of(small, on, program_seed, order) << std::flush;
  FAIL("seed=" << program_seed << ": " << first.front());
  std::abort();
}

}  // namespace

ground on_real_threads() {
  ground g;
  g.play = [](const program& p, std::uint64_t, mistake wrong, std::string*) { return play_on_threads(p, wrong); };
  g.attempts = 30;
  return g;
}

ground in_simulations() {
  ground g;
  g.play = [](const program& p, std::uint64_t seed, mistake wrong, std::string* told) {
    return play_in_simulation(p, seed, wrong, told);
  };
  g.orders = static_cast<unsigned>(support::count_from_environment("TACT_ORDERS", orders_usually));
  g.attempts = 30;
  g.has_seed = true;
  return g;
}

unsigned workers_of(std::uint64_t seed) noexcept { return worker_counts_here[seed % worker_counts_here.size()]; }
program random_program(std::uint64_t seed, bool cancels) {
  return with_cancel(program_of(seed, workers_of(seed)), cancels);
}

void coverage::add(const statistics& s) noexcept {
  ++plays;
  messages += s.messages_sent;
  created += s.actors_created;
  failures += s.failures;
  dead += s.dead_letters;
  collisions += s.collisions;
  forwarded += s.forwarded;
  stolen += s.shards_stolen;
}

coverage hunt(const ground& on, std::uint64_t seed, bool cancels) {
  coverage sum;
  const auto began = std::chrono::steady_clock::now();
  const std::uint64_t most = support::count_from_environment("TACT_PROGRAMS", 0);
  const auto goes_on = [&](std::uint64_t played) {
    return most > 0 ? played < most
                    : std::chrono::steady_clock::now() - began < on.scenarios * support::exploring_time();
  };
  std::uint64_t n = 0;
  for (; goes_on(n); ++n) {
    const program p = random_program(seed + n, cancels);
    for (unsigned order = 0; order < on.orders; ++order) {
      const history h = on.play(p, seed + n + order, mistake::none, nullptr);
      const auto wrong = check(p, h);
      if (!wrong.empty()) fail_with_small_program(on, seed + n, order, cancels, wrong);
      sum.add(h.figures);
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::cout << n << " programs from seed=" << seed << ", played " << sum.plays << " times in " << took.count()
            << " s: " << sum.messages << " messages, " << sum.created << " actors, " << sum.failures << " failures, "
            << sum.dead << " dead letters, " << sum.collisions << " collisions, " << sum.forwarded << " sent home, "
            << sum.stolen << " shards stolen\n";
  return sum;
}

finding make_small(const ground& on, std::uint64_t program_seed, bool cancels, std::uint64_t seed, mistake wrong) {
  finding last{random_program(program_seed, cancels), seed};
  const auto end = std::chrono::steady_clock::now() + shrinking_most;
  const auto is_bad = [&](const program& p) {
    for (unsigned i = 0; i < on.attempts && std::chrono::steady_clock::now() < end; ++i) {
      finding f{with_cancel(p, cancels), seed + i};
      f.wrong = check(f.small, on.play(f.small, f.seed, wrong, &f.told));
      if (f.wrong.empty()) continue;
      last = std::move(f);
      return true;
    }
    return false;
  };
  if (is_bad(program_of(program_seed, workers_of(program_seed)))) {
    static_cast<void>(shrunk(program_seed, workers_of(program_seed), is_bad));  // ends with the last that is bad
  }
  return last;
}

std::string text_of(const finding& f, const ground& on, std::uint64_t program_seed, unsigned order) {
  std::string text = "repeat: TACT_SEED=" + std::to_string(program_seed) + " TACT_PROGRAMS=1 ";
  if (on.has_seed) text += "TACT_ORDERS=" + std::to_string(order + 1) + " ";
  text += "./dev test --filter \"" + Catch::getResultCapture().getCurrentTestName() + "\"\n";
  if (f.wrong.empty()) return text + "It was not seen again.\n";
  text += "A small program that does not hold";
  if (on.has_seed) text += ", under seed " + std::to_string(f.seed);
  return text + ":\n" + text_of(f.small) + lines(f.wrong) + f.told;
}

unsigned programs_until_found(const ground& on, std::uint64_t seed, const broken_law& mistaken) {
  for (unsigned n = 0; n < programs_until_found_most; ++n) {
    const program p = program_of(seed + n, 1 + n % 4);
    for (const std::string& line : check(p, on.play(p, seed + n, mistaken.wrong, nullptr))) {
      if (line.rfind(mistaken.law, 0) == 0) return n + 1;
    }
  }
  return 0;
}

}  // namespace tact::model
