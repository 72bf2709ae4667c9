// What the machine offers, and machines that are not here.
#include "topology/machine.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/engine_fixture.hpp"

namespace machine_test {

// How often the calling thread has asked the system to let it run elsewhere.
thread_local unsigned moves = 0;

}  // namespace machine_test

// Stands in for the function of the C library, in shared libraries too.
extern "C" int sched_setaffinity(pid_t thread, std::size_t bytes, const cpu_set_t* mask) noexcept {
  ++machine_test::moves;
  return static_cast<int>(::syscall(SYS_sched_setaffinity, thread, bytes, mask));
}

namespace machine_test {

namespace {

using namespace tact::topology;

cpu_set_t mask_of_this_thread() {
  cpu_set_t mask;
  REQUIRE(::sched_getaffinity(0, sizeof mask, &mask) == 0);
  return mask;
}

// This program as a process of its own, behind the words of a shell: it makes an engine and says what came of it.
std::string start_engine(const std::string& words) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::FILE* const pipe = ::popen((words + " '" + self + "' '[.start]' 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  const int status = ::pclose(pipe);
  INFO(said);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  return said;
}

// A file in the working folder with a machine of that many units, as hwloc writes it.
class written_machine {
 public:
  explicit written_machine(unsigned units) {
    REQUIRE(units < 64);
    char all[32];
    std::snprintf(all, sizeof all, "0x%llx", (1ull << units) - 1);
    std::ofstream file(path_);
    file << R"(<?xml version="1.0"?><!DOCTYPE topology SYSTEM "hwloc2.dtd"><topology version="2.0">)"
         << R"(<object type="Machine" os_index="0" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" )"
         << sets(all) << R"(allowed_cpuset=")" << all << R"(">)"
         << R"(<object type="NUMANode" os_index="0" nodeset="0x1" complete_nodeset="0x1" local_memory="1048576" )"
         << sets(all) << "/>";
    for (unsigned i = 0; i < units; ++i) {
      std::snprintf(all, sizeof all, "0x%llx", 1ull << i);
      file << R"(<object type="PU" os_index=")" << i << R"(" nodeset="0x1" complete_nodeset="0x1" )" << sets(all)
           << "/>";
    }
    file << "</object></topology>";
  }
  ~written_machine() { std::filesystem::remove(path_); }
  written_machine(const written_machine&) = delete;
  written_machine& operator=(const written_machine&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  static std::string sets(const std::string& units) {
    return "cpuset=\"" + units + "\" complete_cpuset=\"" + units + "\" ";
  }

  std::string path_ = "tact_machine_test." + std::to_string(::getpid()) + ".xml";
};

}  // namespace

TEST_CASE("machine: an engine says how it was made, for a process that asks", "[.start]") {
  const cpu_set_t before = mask_of_this_thread();
  moves = 0;
  tact::engine_options options;
  options.pin_workers = tact::pinning::on;
  const tact::engine engine(options);
  const unsigned moved = moves;
  const cpu_set_t after = mask_of_this_thread();
  CHECK(CPU_EQUAL(&before, &after));
  const auto units = static_cast<unsigned>(CPU_COUNT(&before));
  const auto end = std::chrono::steady_clock::now() + tact::support::generous;
  while (engine.statistics().pinned != engine.workers() && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
  CHECK(engine.statistics().pinned == engine.workers());  // each worker has begun, and stays on a unit
  std::printf("moved %u times, %s workers\n", moved, engine.workers() <= units ? "not too many" : "too many");
}

TEST_CASE("machine: no thread is moved when an engine is made, whatever the environment asks hwloc for", "[topology]") {
  const auto words = GENERATE(as<std::string>{}, "", "taskset -c $(taskset -cp $$ | sed 's/.*[ ,-]//')",
                              "HWLOC_COMPONENTS=x86", "HWLOC_CPUID_PATH=/nowhere");
  INFO(words);
  CHECK_THAT(start_engine(words), Catch::Matchers::Contains("moved 0 times, not too many workers"));
}

TEST_CASE("machine: a machine that is not here makes no workers, and hinders no pinning", "[topology]") {
  const written_machine large(63), small(1);
  const std::vector<std::string> elsewhere{
      "HWLOC_SYNTHETIC='package:2 core:64 pu:1'",
      "HWLOC_SYNTHETIC='package:2 core:64 pu:1' HWLOC_THISSYSTEM=1",
      "HWLOC_SYNTHETIC='core:1 pu:1' HWLOC_THISSYSTEM=1",
      "HWLOC_XMLFILE=" + large.path(),
      "HWLOC_XMLFILE=" + small.path(),
      "HWLOC_XMLFILE=" + large.path() + " HWLOC_THISSYSTEM=1",
      "HWLOC_XMLFILE=" + small.path() + " HWLOC_THISSYSTEM=1",
      "HWLOC_FSROOT=/nowhere",
      "HWLOC_COMPONENTS=-linux",
      "HWLOC_COMPONENTS=x86,stop",
  };
  for (const std::string& words : elsewhere) {
    INFO(words);
    CHECK_THAT(start_engine(words), Catch::Matchers::Contains("moved 0 times, not too many workers"));
  }
}

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
