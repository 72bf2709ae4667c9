// Workers on their seats.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <thread>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"
#include "topology/machine.hpp"
#include "topology/pinning.hpp"

namespace actor_plan_test {

namespace {

using namespace tact::support;

struct where {};
struct come {};
struct guest : tact::protocol<come> {};
struct visitors {
  std::mutex mutex;
  std::set<int> units;
  std::set<std::thread::id> threads;
};

class visitor : public tact::actor<visitor, where> {
 public:
  explicit visitor(visitors& seen) : seen_(&seen) {}
  void receive(tact::self<visitor>&, const where&) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    ::sched_getaffinity(0, sizeof mask, &mask);
    const std::lock_guard lock(seen_->mutex);
    seen_->units.insert(CPU_COUNT(&mask) == 1 ? ::sched_getcpu() : -1);
    seen_->threads.insert(std::this_thread::get_id());
  }

 private:
  visitors* seen_;
};

void visit(const tact::engine_options& options, visitors& seen) {
  tact::engine engine(options);
  std::vector<tact::ref<visitor>> actors;
  for (unsigned i = 0; i < 8 * engine.plan().seats.size(); ++i) actors.push_back(engine.spawn<visitor>(seen));
  for (int round = 0; round < 50; ++round) {
    for (const auto a : actors) a | where{};
  }
  require_idle(engine);
}

int units_of_this_thread() {
  cpu_set_t mask;
  return ::sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 0;
}

// What the system does with the threads of a process whose cpuset changes.
void move_all_threads(const std::vector<tact::topology::unit>& to) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const auto& u : to) CPU_SET(u.system_number, &mask);
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    // A thread that has just ended has no mask.
    static_cast<void>(::sched_setaffinity(std::stoi(thread.path().filename()), sizeof mask, &mask));
  }
}

// The system refuses every pinning from now on, to this process and its children.
bool forbid_pinning() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1u),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace

TEST_CASE("plan: an engine has one seat for each worker", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = tact::pinning::off;
  tact::engine engine(options);
  CHECK(engine.plan().seats.size() == workers);
  CHECK_FALSE(engine.plan().pinned);
  require_idle(engine);
  CHECK(engine.statistics().pinned == 0);
}

TEST_CASE("plan: pinned workers run handlers on the processing units of their seats only", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = tact::pinning::on;
  std::set<int> seats;
  {
    const tact::engine engine(options);
    CHECK(engine.plan().pinned);
    for (const auto& u : tact::topology::usable_units()) {
      const auto& all = engine.plan().seats;
      if (std::find(all.begin(), all.end(), u.place) != all.end()) seats.insert(static_cast<int>(u.system_number));
    }
  }
  CHECK(seats.size() == std::min<std::size_t>(workers, tact::topology::usable_units().size()));
  visitors seen;
  visit(options, seen);
  for (const int unit : seen.units) CHECK(seats.count(unit) == 1);
  CHECK_FALSE(seen.units.empty());
  CHECK(seen.threads.size() <= workers);
}

TEST_CASE("plan: the statistics count the workers that the system lets stay", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = tact::pinning::on;
  const tact::engine engine(options);
  const auto end = std::chrono::steady_clock::now() + generous;
  // A worker counts once its thread has begun.
  while (engine.statistics().pinned < workers && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  CHECK(engine.statistics().pinned == workers);
}

TEST_CASE("plan: an engine that decides itself whether to pin says what it decided", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = tact::pinning::automatic;
  const tact::engine first(options), second(options);
  CHECK(first.plan().pinned == tact::topology::pays_to_pin(workers));
  CHECK_FALSE(second.plan().pinned);
}

TEST_CASE("plan: pinned workers that the system moves, as when their processing unit goes, lose nothing", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = tact::pinning::on;
  tact::engine engine(options);
  visitors seen;
  std::vector<tact::ref<visitor>> actors;
  for (unsigned i = 0; i < 8 * workers; ++i) actors.push_back(engine.spawn<visitor>(seen));
  // All threads of the process go to one unit, then to another one, then wherever they like.
  const auto& units = tact::topology::usable_units();
  for (const auto& only : {std::vector{units.front()}, std::vector{units.back()}, units}) {
    for (const auto a : actors) a | where{};
    move_all_threads(only);
    for (const auto a : actors) a | where{};
    require_idle(engine);
  }
  CHECK(engine.statistics().commits == 6 * actors.size());
  CHECK(engine.plan().pinned);
}

TEST_CASE("plan: a blocking actor that a pinned worker creates may run on every processing unit", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = tact::pinning::on;
  std::atomic<int> units{0};
  {
    tact::engine engine(options);
    const auto parent = engine.create(
        tact::behavior<guest>{[&units](auto& self, const come&) {
          const auto child = self.create(
              tact::behavior<guest>{[&units](auto&, const come&) { units = units_of_this_thread(); }}, tact::blocking);
          self.send(child, come{});
        }},
        tact::parallel);
    engine.send(parent, come{});
    require_idle(engine);
  }
  CHECK(units == static_cast<int>(tact::topology::usable_units().size()));
}

TEST_CASE("plan: where the system refuses to pin, an engine says so once and works all the same", "[actor]") {
  bool possible = true;
  int status = -1;
  const std::string text = captured_stderr([&] {
    const pid_t child = ::fork();
    REQUIRE(child != -1);
    if (child == 0) {
      if (!forbid_pinning()) ::_exit(77);
      auto options = quiet_options(4);
      options.pin_workers = tact::pinning::on;
      visitors seen;
      visit(options, seen);
      ::_exit(seen.threads.empty() ? 1 : 0);
    }
    REQUIRE(::waitpid(child, &status, 0) == child);
    possible = !(WIFEXITED(status) && WEXITSTATUS(status) == 77);
  });
  if (!possible) {
    WARN("this system has no seccomp filters: not tested");
    return;
  }
  CHECK(status == 0);
  CHECK_THAT(text, Catch::Matchers::Contains("engine_options.pin_workers"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

}  // namespace actor_plan_test
