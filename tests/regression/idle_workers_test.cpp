// Memory of workers that have nothing to do. An outbox for each shard and worker once took a gigabyte with 1024
// workers.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

#include "base/sanitized.hpp"
#include "support/engine_fixture.hpp"

namespace idle_workers_test {

namespace {

using namespace tact;
using namespace tact::support;

struct token {};
struct passer : protocol<token> {};
struct scatter {};
struct spreader : protocol<scatter> {};

behavior<passer> open_end() {
  return {[](auto&, const token&) {}};
}
behavior<passer> open_passer(std::vector<ref<passer>> to) {
  return {[=](auto& self, const token& m) {
    for (const auto& each : to) self.send(each, m);
  }};
}

std::size_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  REQUIRE(file != nullptr);
  std::size_t mapped = 0;
  std::size_t resident = 0;
  REQUIRE(std::fscanf(file, "%zu %zu", &mapped, &resident) == 2);
  std::fclose(file);
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t waiting_in_shards(const engine& e) {
  const auto depths = e.shard_depths();
  return std::accumulate(depths.begin(), depths.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("idle workers: each of 512 keeps no more than 160 KiB with its stack, whatever was spread before",
          "[law10]") {
  if (base::under_asan || base::under_tsan) return;  // they keep what is freed, and shadows
  constexpr unsigned workers = 512;
  // Beside two pages of its stack, tables with places for each of nine shards a worker: 132 KiB, if all of it has been
  // touched.
  constexpr std::size_t limit = workers * std::size_t{160 * 1024};
  // The system may have taken pages of earlier tests out of memory, and they come back when the engine touches them. So
  // the smallest growth of several engines counts.
  std::size_t of_new = ~std::size_t{0};
  std::size_t of_idle = ~std::size_t{0};
  for (int attempt = 0; attempt < 5 && (of_new >= limit || of_idle >= limit); ++attempt) {
    const std::size_t before = resident_bytes();
    const auto growth = [before] { return std::max(resident_bytes(), before) - before; };
    engine e(quiet_options(workers));
    of_new = std::min(of_new, growth());
    const auto target = e.create(open_end(), tact::parallel);
    const auto spreads = e.create(behavior<spreader>{[=](auto& self, const scatter&) {
                                    for (int i = 0; i < 100; ++i) self.send(target, token{}, spread);
                                  }},
                                  tact::parallel);
    for (int i = 0; i < 10'000; ++i) e.send(target, token{}, spread);
    for (int i = 0; i < 100; ++i) e.send(spreads, scatter{}, spread);
    require_idle(e);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (growth() >= limit && std::chrono::steady_clock::now() < until) {
      static_cast<void>(e.wait_idle(std::chrono::milliseconds(1)));
    }
    of_idle = std::min(of_idle, growth());
  }
  CHECK(of_new < limit);
  CHECK(of_idle < limit);
}

TEST_CASE("idle workers: what waits in shards is still counted when workers have given their memory back") {
  engine_options o = quiet_options(0);
  o.shards = 16;
  engine e(o);
  std::vector<ref<passer>> ends;
  for (int i = 0; i < 20; ++i) ends.push_back(e.create(open_end()));
  const auto first = e.create(open_passer(ends));
  // Several times: the first pump of an engine gives back what it does not need.
  for (int times = 0; times < 3; ++times) {
    for (int i = 0; i < 50; ++i) e.send(i % 2 == 0 ? first : ends[0], token{});
    for (const auto& each : ends) e.send(each, token{});
    CHECK(waiting_in_shards(e) == 70);
    e.wait_idle();
    CHECK(waiting_in_shards(e) == 0);
  }
}

}  // namespace idle_workers_test
