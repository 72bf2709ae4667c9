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
#include <cstddef>
#include <set>
#include <thread>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"
#include "topology/machine.hpp"

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
  const tact::engine engine(quiet_options(workers));
  CHECK(engine.plan().seats.size() == workers);
  CHECK_FALSE(engine.plan().pinned);
}

TEST_CASE("plan: pinned workers run handlers on the processing units of their seats only", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = true;
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

TEST_CASE("plan: a blocking actor that a pinned worker creates may run on every processing unit", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  auto options = quiet_options(workers);
  options.pin_workers = true;
  std::atomic<int> units{0};
  {
    tact::engine engine(options);
    const auto parent = engine.create(tact::behavior<guest>{[&units](auto& self, const come&) {
                                        const auto child =
                                            self.create(tact::behavior<guest>{[&units](auto&, const come&) {
                                                          cpu_set_t mask;
                                                          if (::sched_getaffinity(0, sizeof mask, &mask) == 0)
                                                            units = CPU_COUNT(&mask);
                                                        }},
                                                        tact::blocking);
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
      options.pin_workers = true;
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
