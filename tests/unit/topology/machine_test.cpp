// What the machine offers, and machines that are not here.
#include "topology/machine.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/catch.hpp"

namespace machine_test {

namespace {

using namespace tact::topology;

cpu_set_t mask_of_this_thread() {
  cpu_set_t mask;
  REQUIRE(::sched_getaffinity(0, sizeof mask, &mask) == 0);
  return mask;
}

}  // namespace

TEST_CASE("machine: offers the processing units that this process may use, read once", "[topology]") {
  const auto& units = usable_units();
  REQUIRE_FALSE(units.empty());
  const cpu_set_t mask = mask_of_this_thread();
  CHECK(units.size() <= static_cast<unsigned>(CPU_COUNT(&mask)));
  for (const unit& u : units) CHECK(CPU_ISSET(u.system_number, &mask));
  CHECK(&usable_units() == &units);
}

TEST_CASE("machine: what an affinity mask leaves out is not offered, and counts all the same", "[topology]") {
  namespace fs = std::filesystem;
  if (std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator()) != 1) {
    WARN("a process may use what any of its threads may, and ThreadSanitizer has one of its own: not tested");
    return;
  }
  const auto all = read_units();
  const cpu_set_t before = mask_of_this_thread();
  cpu_set_t last;
  CPU_ZERO(&last);
  CPU_SET(all.back().system_number, &last);
  REQUIRE(::sched_setaffinity(0, sizeof last, &last) == 0);
  const auto rest = read_units();
  REQUIRE(::sched_setaffinity(0, sizeof before, &before) == 0);
  REQUIRE(rest.size() == 1);
  CHECK(rest.front() == all.back());
  CHECK(read_units() == all);
}

TEST_CASE("machine: a described one is numbered from 0 at every level", "[topology]") {
  const auto units = described_units("package:2 numa:1 l3:2 core:4 pu:2");
  REQUIRE(units.size() == 32);
  CHECK(units[0].place == tact::seat{0, 0, 0, 0, 0});
  CHECK(units[1].place == tact::seat{1, 0, 0, 0, 0});
  CHECK(units[8].place == tact::seat{8, 4, 1, 0, 0});
  CHECK(units[31].place == tact::seat{31, 15, 3, 1, 1});
}

TEST_CASE("machine: only units that may be used are offered, under their numbers on the whole machine", "[topology]") {
  const auto units = described_units("package:2 numa:1 l3:2 core:4 pu:2", {9, 16, 17});
  REQUIRE(units.size() == 3);
  CHECK(units[0].place == tact::seat{9, 4, 1, 0, 0});
  CHECK(units[1].place == tact::seat{16, 8, 2, 1, 1});
  CHECK(units[2].place == tact::seat{17, 8, 2, 1, 1});
}

TEST_CASE("machine: the cache of a unit is the last level, and its core where it has none", "[topology]") {
  const auto private_level = described_units("l3:2 l2:2 core:1 pu:1");
  REQUIRE(private_level.size() == 4);
  CHECK(private_level[0].place.cache == private_level[1].place.cache);
  CHECK(private_level[1].place.cache != private_level[2].place.cache);
  const auto none = described_units("core:4 pu:2");
  REQUIRE(none.size() == 8);
  for (const unit& u : none) CHECK(u.place.cache == u.place.core);
}

TEST_CASE("machine: words that hwloc does not know are refused by name", "[topology]") {
  CHECK_THROWS_WITH(described_units("desk:2 drawer:4"), Catch::Matchers::Contains("desk:2 drawer:4"));
  CHECK_THROWS_AS(described_units("desk:2 drawer:4"), std::invalid_argument);
}

TEST_CASE("machine: a pinned thread may run on its processing unit only", "[topology]") {
  for (const unit& u : usable_units()) {
    bool pinned = false;
    int runs_on = -1;
    cpu_set_t mask;
    CPU_ZERO(&mask);
    std::thread([&] {
      pinned = pin_this_thread(u.place);
      ::sched_getaffinity(0, sizeof mask, &mask);
      runs_on = ::sched_getcpu();
    }).join();
    CHECK(pinned);
    CHECK(CPU_COUNT(&mask) == 1);
    CHECK(CPU_ISSET(u.system_number, &mask));
    CHECK(runs_on == static_cast<int>(u.system_number));
  }
}

TEST_CASE("machine: a thread that a pinned one started is pinned too, until it is unpinned", "[topology]") {
  const std::size_t all = usable_units().size();
  int inherited = 0;
  int freed = 0;
  std::thread([&] {
    if (!pin_this_thread(usable_units().front().place)) return;
    std::thread([&] {
      cpu_set_t mask;
      if (::sched_getaffinity(0, sizeof mask, &mask) == 0) inherited = CPU_COUNT(&mask);
      if (!unpin_this_thread()) return;
      if (::sched_getaffinity(0, sizeof mask, &mask) == 0) freed = CPU_COUNT(&mask);
    }).join();
  }).join();
  CHECK(inherited == 1);
  CHECK(freed == static_cast<int>(all));
}

TEST_CASE("machine: no thread is pinned to a processing unit that is not offered", "[topology]") {
  const cpu_set_t before = mask_of_this_thread();
  tact::seat nowhere;
  nowhere.processing_unit = 1'000'000;
  CHECK_FALSE(pin_this_thread(nowhere));
  const cpu_set_t after = mask_of_this_thread();
  CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("machine: memories count that are the nearest ones to some processing unit", "[topology]") {
  const auto [machine, memories] = GENERATE(table<std::string, unsigned>({{"core:4 pu:2", 1},
                                                                          {"package:2 core:4 pu:1", 1},
                                                                          {"package:2 numa:1 core:4 pu:1", 2},
                                                                          {"package:2 numa:2 l3:2 core:2 pu:2", 4}}));
  CHECK(described_memories(machine) == memories);
}

TEST_CASE("machine: memories of processing units that the process may not use do not count", "[topology]") {
  const std::string two = "package:2 numa:1 core:2 pu:1";
  CHECK(described_memories(two, {0, 1}) == 1);
  CHECK(described_memories(two, {1, 2}) == 2);
  CHECK(usable_memories() >= 1);
  CHECK_THROWS_AS(described_memories("desk:2 drawer:4"), std::invalid_argument);
}

TEST_CASE("machine: the system knows which pages are interleaved, and which are not", "[topology]") {
  constexpr std::size_t page = 4096;
  constexpr int is_interleaved = 3;        // MPOL_INTERLEAVE
  constexpr unsigned long of_address = 2;  // MPOL_F_ADDR
  void* const mapped = ::mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(mapped != MAP_FAILED);
  auto* const first = static_cast<std::byte*>(mapped);
  const auto policy_of = [&](std::size_t i) {
    int policy = -1;
    return ::syscall(SYS_get_mempolicy, &policy, nullptr, 0ul, first + i * page, of_address) == 0 ? policy : -1;
  };
  const int usual = policy_of(0);
  if (!interleave(first + page, 2 * page) || usual < 0) {
    WARN("this system lets no process say where pages lie: not tested");
  } else {
    CHECK(policy_of(0) == usual);
    CHECK(policy_of(1) == is_interleaved);
    CHECK(policy_of(2) == is_interleaved);
    CHECK(policy_of(3) == usual);
    std::fill(first, first + 4 * page, std::byte{1});
    CHECK(std::all_of(first, first + 4 * page, [](std::byte b) { return b == std::byte{1}; }));
  }
  ::munmap(mapped, 4 * page);
}

}  // namespace machine_test
