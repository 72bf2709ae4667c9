// What a thread that asks must pay: it wakes another one by a futex, sleeps, and is woken in return.
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "floors/futex_word.hpp"
#include "programs/program.hpp"

namespace {

int run(bench::program& p) {
  const auto asks = p.number("asks", 100'000, 1000, "questions and answers");
  p.choice("variant", {"idle"}, "nobody else runs");
  p.ready();
  bench::futex_word there;
  bench::futex_word back;
  std::uint64_t answered = 0;
  std::thread other([&] {
    for (std::uint32_t turn = 1; turn <= asks; ++turn) {
      there.wait_until(turn);
      ++answered;
      back.set(turn);
    }
  });
  std::vector<double> times;
  times.reserve(asks);
  bench::stopwatch watch;
  for (std::uint32_t turn = 1; turn <= asks; ++turn) {
    const auto began = std::chrono::steady_clock::now();
    there.set(turn);
    back.wait_until(turn);
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count());
  }
  watch.stop();
  other.join();
  p.check_equal(answered, asks, "answers");
  std::sort(times.begin(), times.end());
  p.say("p50_ns", std::to_string(static_cast<std::uint64_t>(times[times.size() / 2])));
  p.say("p99_ns", std::to_string(static_cast<std::uint64_t>(times[times.size() * 99 / 100])));
  return p.report(watch, asks);
}

}  // namespace

int main(int argc, char** argv) {
  bench::program p(argc, argv, "A round trip of two wakes by futex.", "floor");
  return run(p);
}
