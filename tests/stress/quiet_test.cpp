// Law 9, quiet: an engine that has nothing to do uses no processor time.
#include <sys/mman.h>

#include <algorithm>
#include <chrono>

#include "stress/town.hpp"
#include "support/insides.hpp"
#include "support/processor_time.hpp"

namespace quiet_test {

namespace {

using namespace tact::stress;
using std::chrono::nanoseconds;

struct ping {};

}  // namespace

TEST_CASE("quiet: an idle engine uses no processor time", "[law9]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto sink = engine.create(tact::sink<ping>(), tact::parallel);
  for (int i = 0; i < 1000; ++i) engine.send(sink, ping{});
  require_idle(engine);
  // No worker has anything to do until the limit: waiting for an end that does not come is a way to let time pass.
  const auto used_meanwhile = [&] {
    const nanoseconds before = processor_time_of_others();
    CHECK_FALSE(engine.wait_finished(std::chrono::milliseconds(700)));
    return processor_time_of_others() - before;
  };
  constexpr std::chrono::milliseconds most(70);
  nanoseconds used = used_meanwhile();
  // Under a sanitizer to give back memory, which is done once, takes many times as long; polling does so each time.
  for (int n = 0; sanitized && used >= most && n < 2; ++n) used = used_meanwhile();
  // A worker that polls every 50 microseconds takes a tenth of a core; one that gives back memory once, nothing like
  // it.
  INFO("used " << used.count() << " ns in 0.7 s with " << workers << " workers");
  CHECK(used < most);
}

namespace {

// What happened while the engine had nothing to do.
struct interval {
  static constexpr nanoseconds length =
      std::chrono::milliseconds(700);  // longer than a worker sleeps before it gives memory back

  explicit interval(tact::engine& e) {
    const auto at_first = e.statistics();
    const nanoseconds before = processor_time_of_others();
    CHECK_FALSE(e.wait_finished(length));
    used = processor_time_of_others() - before;
    const auto at_last = e.statistics();
    woken = at_last.wakes - at_first.wakes;
    given_back = at_first.bytes_held - std::min(at_first.bytes_held, at_last.bytes_held);
  }
  nanoseconds used{};
  std::uint64_t given_back = 0;  // bytes
  std::uint64_t woken = 0;
};

constexpr std::size_t page_bytes = 4096;

// Processor time that this machine takes to give back a page that was written: on some it is ten times that of others.
nanoseconds price_of_a_page() {
  constexpr std::size_t pages = 4096;
  constexpr std::size_t bytes = pages * page_bytes;
  void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(mapped != MAP_FAILED);
  auto* const first = static_cast<std::byte*>(mapped);
  for (std::size_t at = 0; at != bytes; at += page_bytes) first[at] = std::byte{1};
  const nanoseconds before = processor_time_of_this_thread();
  for (std::size_t at = 0; at != bytes; at += page_bytes) ::madvise(first + at, page_bytes, MADV_DONTNEED);
  const nanoseconds used = processor_time_of_this_thread() - before;
  ::munmap(mapped, bytes);
  return used / pages;
}

void wait_until_all_sleep(tact::engine& e) {
  const auto end = std::chrono::steady_clock::now() + generous;
  for (auto s = e.statistics(); s.parks - s.wakes != s.workers; s = e.statistics()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("quiet: after a burst with theft each worker wakes once, for its memory, and then nobody", "[law9]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_THREAD_COUNT(workers);
  // On a loaded machine a crew of one worker may be the quickest, and steals nothing.
  const bool workers_rest = GENERATE(false, true);
  INFO("workers rest=" << workers_rest);
  auto options = quiet_options(workers);
  options.victims = &tact::random_victim;
  options.workers_rest = workers_rest;
  tact::engine engine(options);
  town t(engine);
  dice d(seed);
  const auto end = std::chrono::steady_clock::now() + generous;
  const auto stolen = [&] { return workers == 1 || workers_rest || engine.statistics().shards_stolen != 0; };
  const auto burst = [&] {
    do {
      for (int n = 0; n < 10; ++n) t.live(d.next());
      require_idle(engine);
    } while (!stolen() && std::chrono::steady_clock::now() < end);
    CHECK(stolen());
    wait_until_all_sleep(engine);
    return interval(engine);
  };
  // A burst goes on until a shard was stolen, so that what there is to give back differs, and with it the time for it.
  const auto allowed = [&](const interval& behind_burst) {
    const auto pages = static_cast<std::int64_t>(behind_burst.given_back / page_bytes);
    return interval::length / 1000 + workers * std::chrono::milliseconds(1) + pages * price_of_a_page();
  };
  // What the engine used it would use behind each burst, and in each interval; what others used on this processor comes
  // and goes.
  interval first = burst();
  nanoseconds most = allowed(first);
  for (int n = 0; !sanitized && n < 2 && first.used >= most; ++n) {
    first = burst();
    most = allowed(first);
  }
  interval second(engine);
  for (int n = 0; n < 2 && second.used >= interval::length / 1000 && second.woken == 0; ++n) second = interval(engine);
  INFO("used " << first.used.count() << " ns, then " << second.used.count() << " ns in 0.7 s; woken " << first.woken
               << ", given back " << first.given_back << " bytes");
  // One that was told of something while it lay down has woken once more, at once.
  CHECK(first.woken <= 2 * std::uint64_t{workers});
  CHECK(second.woken == 0);
  if (sanitized) return;  // the sanitizers have threads of their own
  CHECK(first.used < most);
  CHECK(second.used < interval::length / 1000);
}

TEST_CASE("quiet: who waits for it is not told by workers that have nothing to do for a moment", "[law9]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  if (workers < 2) return;  // there is no other worker
  struct halt {};
  struct question {
    using reply = bool;
  };
  door shut;
  meeting begun(2);
  tact::engine engine(quiet_options(workers));
  auto& quiet_event = inside_of(engine).quiet_event();
  const auto busy = engine.create(tact::behavior<tact::protocol<halt>>{[&](auto&, const halt&) {
                                    static_cast<void>(begun.join());
                                    static_cast<void>(shut.pass());
                                  }},
                                  tact::heavy);
  const auto asked = engine.create(
      tact::behavior<tact::protocol<tact::request<question>>>{
          [](auto& self, const tact::request<question>& m) { self.reply(m, true); }},
      tact::parallel);
  engine.send(busy, halt{});
  REQUIRE(begun.join());
  const std::uint32_t ticket = quiet_event.prepare();
  const auto end = std::chrono::steady_clock::now() + generous;
  for (const auto before = engine.statistics().parks; engine.statistics().parks < before + 10;) {
    CHECK(engine.ask(asked, question{}, generous));
    REQUIRE(std::chrono::steady_clock::now() < end);
  }
  CHECK_FALSE(quiet_event.wait(ticket, std::chrono::steady_clock::time_point{}));
  shut.open();
  CHECK(quiet_event.wait(ticket, std::chrono::steady_clock::now() + generous));
  require_idle(engine);
}

}  // namespace quiet_test
