// On which memories the pages of an engine lie: what is decided, what the stores bind, and what an engine tells of it.
#include "actors/common/page_placement.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "actors/cells/cell_store.hpp"
#include "actors/time/timer_store.hpp"
#include "base/blocks.hpp"
#include "base/mapping.hpp"
#include "mailbox/chunk_memory.hpp"
#include "mailbox/depot.hpp"
#include "support/bound_ranges.hpp"
#include "support/engine_fixture.hpp"
#include "topology/machine.hpp"

namespace page_placement_test {

namespace {

using namespace tact::support;
using tact::memory_placement;
using tact::actors::page_placement;

struct step {
  unsigned left;
};
class walker : public tact::actor<walker, step> {
 public:
  walker(const std::vector<tact::ref<walker>>& all, std::size_t number) : all_(&all), number_(number) {}
  void receive(tact::self<walker>& self, const step& m) {
    if (m.left != 0) self.send((*all_)[(number_ * 31 + m.left * 7919) % all_->size()], step{m.left - 1});
  }

 private:
  const std::vector<tact::ref<walker>>* all_;
  std::size_t number_;
};

// How many messages were handled, with many actors, and with timers.
std::uint64_t walk(tact::engine& engine) {
  std::vector<tact::ref<walker>> all;
  for (std::size_t i = 0; i < 2000; ++i) all.push_back(engine.spawn<walker>(all, i));
  for (const auto to : all) engine.send(to, step{20});
  const tact::timer later = engine.send_after(std::chrono::hours(1), all.front(), step{0});
  require_idle(engine);
  CHECK(later.cancel());
  return engine.statistics().commits;
}

// The system refuses to bind memory from now on, to this process and its children.
bool forbid_binding() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mbind, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1u),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool refuse(void*, std::size_t) noexcept { return false; }

}  // namespace

TEST_CASE("memory: pages are bound only if that is wished, on a machine with several memories", "[actor]") {
  const unsigned memories = GENERATE(0u, 1u, 2u, 8u);
  const page_placement local(memory_placement::local, &bound_ranges::bind, memories);
  CHECK(local.nodes() == 0);
  CHECK(local.binder() == nullptr);
  const page_placement interleaved(memory_placement::interleaved, &bound_ranges::bind, memories);
  const bool bound = memories > 1 && tact::base::pooling;
  CHECK(interleaved.nodes() == (bound ? memories : 0));
  CHECK((interleaved.binder() != nullptr) == bound);
}

TEST_CASE("memory: where the system refuses nothing is bound, and nothing says that it is", "[actor]") {
  const page_placement made(memory_placement::interleaved, &refuse, 4);
  CHECK(made.nodes() == 0);
  CHECK(made.binder() == nullptr);
}

TEST_CASE("memory: a mapping begins at a multiple of its size, holds zeros, and is bound as a whole", "[actor]") {
  const std::size_t bytes = GENERATE(std::size_t{64} << 10, std::size_t{256} << 10, std::size_t{2} << 20);
  std::vector<std::byte*> all;
  for (int i = 0; i < 5; ++i) {
    all.push_back(static_cast<std::byte*>(tact::base::map_aligned(bytes, i % 2 == 0 ? nullptr : &bound_ranges::bind)));
    CHECK(reinterpret_cast<std::uintptr_t>(all.back()) % bytes == 0);
    CHECK(bound_ranges::has(all.back(), bytes) == (i % 2 != 0));
    CHECK(std::all_of(all.back(), all.back() + bytes, [](std::byte b) { return b == std::byte{0}; }));
    std::fill(all.back(), all.back() + bytes, static_cast<std::byte>(i + 1));
  }
  for (int i = 0; i < 5; ++i) {
    std::byte* const first = all[static_cast<std::size_t>(i)];
    CHECK(std::all_of(first, first + bytes, [&](std::byte b) { return b == static_cast<std::byte>(i + 1); }));
    bound_ranges::forget(first);
    CHECK(::munmap(first, bytes) == 0);
  }
}

TEST_CASE("memory: chunks, cells and timers of an engine come from pages that were bound before they were touched",
          "[actor]") {
  const tact::actors::engine_identity identity;
  {
    tact::actors::cell_store cells(identity.gate(), &bound_ranges::bind);
    std::vector<tact::actors::cell*> some(3000);
    cells.take(some);
    for (const auto* c : some) REQUIRE(bound_ranges::has(c, sizeof *c));
  }
  {
    tact::actors::timer_store timers(identity.gate(), &bound_ranges::bind);
    for (int i = 0; i < 100; ++i) {
      tact::actors::timer_record* next = timers.take_chain();
      for (; next != nullptr; next = next->next) REQUIRE(bound_ranges::has(next, sizeof *next));
    }
  }
  if (tact::base::pooling) {
    tact::mailbox::depot depot(&bound_ranges::bind);
    std::vector<tact::mailbox::chunk*> some;
    for (int i = 0; i < 500; ++i) some.push_back(depot.take());
    for (auto* c : some) {
      REQUIRE(bound_ranges::has(c, sizeof *c));
      depot.give(c);
    }
  }
  CHECK(bound_ranges::all_were_untouched());
}

TEST_CASE("memory: what an engine leaves behind is taken by one that wants its pages in the same place", "[actor]") {
  const tact::actors::engine_identity identity;
  const auto cells_of = [&](tact::base::page_binder bind, unsigned count) {
    tact::actors::cell_store store(identity.gate(), bind);
    std::vector<tact::actors::cell*> some(count);
    store.take(some);
    return std::set<tact::actors::cell*>(some.begin(), some.end());
  };
  const auto records_of = [&](tact::base::page_binder bind, int chains) {
    tact::actors::timer_store store(identity.gate(), bind);
    std::set<tact::actors::timer_record*> some;
    for (; chains != 0; --chains) some.insert(store.take_chain());
    return some;
  };
  const auto overlap = [](const auto& a, const auto& b) {
    return std::any_of(a.begin(), a.end(), [&](auto* one) { return b.count(one) != 0; });
  };
  const auto chunks_of = [](tact::base::page_binder bind, int count) {
    std::set<tact::mailbox::chunk*> some;
    for (int i = 0; i < count; ++i) some.insert(tact::mailbox::allocate_chunk(bind));
    for (auto* c : some) tact::mailbox::free_chunk(c);
    return some;
  };
  const auto bound = cells_of(&bound_ranges::bind, 3000);
  CHECK_FALSE(overlap(cells_of(nullptr, 100'000), bound));
  CHECK(overlap(cells_of(&bound_ranges::bind, 100'000), bound));
  const auto bound_records = records_of(&bound_ranges::bind, 1);
  CHECK_FALSE(overlap(records_of(nullptr, 1000), bound_records));
  CHECK(overlap(records_of(&bound_ranges::bind, 1000), bound_records));
  if (!tact::base::pooling) return;
  const auto bound_chunks = chunks_of(&bound_ranges::bind, 200);
  CHECK_FALSE(overlap(chunks_of(nullptr, 2000), bound_chunks));
  CHECK(overlap(chunks_of(&bound_ranges::bind, 2000), bound_chunks));
}

TEST_CASE("memory: an engine whose pages are to be interleaved tells over how many memories they go", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  auto options = quiet_options(workers);
  options.memory = memory_placement::interleaved;
  tact::engine engine(options);
  CHECK(walk(engine) == 2000 * 21);
  const unsigned nodes = engine.statistics().memory_nodes;
  const unsigned memories = tact::topology::usable_memories();
  CHECK((nodes == 0 || nodes == memories));
  if (memories < 2 || !tact::base::pooling) CHECK(nodes == 0);
  tact::engine beside(quiet_options(workers));
  CHECK(walk(beside) == 2000 * 21);
  CHECK(beside.statistics().memory_nodes == 0);
}

TEST_CASE("memory: where the system refuses to bind, an engine says so in its statistics and works all the same",
          "[actor]") {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    constexpr int no_filters = 2;
    if (!forbid_binding()) ::_exit(no_filters);
    std::vector<std::byte> room(3 * 4096);
    void* const page = room.data() + (4096 - reinterpret_cast<std::uintptr_t>(room.data()) % 4096);
    if (tact::topology::interleave(page, 4096)) ::_exit(1);
    auto options = quiet_options(2);
    options.memory = memory_placement::interleaved;
    tact::engine engine(options);
    ::_exit(engine.statistics().memory_nodes == 0 && walk(engine) == 2000 * 21 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) {
    WARN("this system has no seccomp filters: not tested");
    return;
  }
  CHECK(WEXITSTATUS(status) == 0);
}

}  // namespace page_placement_test
