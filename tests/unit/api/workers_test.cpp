// How many workers an engine has, and what changes that.
#include <pthread.h>

#include <string>
#include <system_error>
#include <thread>

#include "support/engine_fixture.hpp"
#include "support/refusal.hpp"

namespace workers_test {

namespace {

using namespace tact;
using support::quiet_options;
using support::refusal;

struct task {
  std::function<void()> what;
};
struct doer : protocol<task> {};
behavior<doer> do_tasks() {
  return {[](auto&, const task& m) { m.what(); }};
}

engine_options options_of(unsigned workers, unsigned workers_max) {
  auto o = quiet_options(workers);
  o.workers_max = workers_max;
  return o;
}

using Catch::Matchers::Contains;

// Stacks for new threads as large as no system gives: starting one fails.
class no_threads {
 public:
  no_threads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 50);
    works_ = pthread_setattr_default_np(&huge) == 0;
    pthread_attr_destroy(&huge);
  }
  no_threads(const no_threads&) = delete;
  no_threads& operator=(const no_threads&) = delete;
  ~no_threads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  [[nodiscard]] bool works() const { return works_; }

 private:
  pthread_attr_t before_{};
  bool works_ = false;
};

}  // namespace

TEST_CASE("workers: as many run as were asked for, and the statistics say so", "[api][workers]") {
  engine e(options_of(2, 4));
  CHECK(e.workers() == 2);
  CHECK(e.plan().seats.size() == 4);
  for (const unsigned count : {4U, 1U, 1U, 3U, 2U, 4U}) {
    e.set_workers(count);
    CHECK(e.workers() == count);
    CHECK(e.statistics().workers == count);
    CHECK(e.worker_statistics().size() == 4);
  }
  e.drain();
  CHECK(e.workers() == 4);
}

TEST_CASE("workers: what those counted that have gone stays in the sums", "[api][workers]") {
  engine e(options_of(4, 4));
  const auto d = e.create(do_tasks(), tact::parallel);
  for (int n = 0; n < 1'000; ++n) e.send(d, task{[] {}});
  e.set_workers(1);
  e.wait_idle();
  support::require_accounted(e);
  CHECK(e.statistics().commits >= 1'000);
}

TEST_CASE("workers: what cannot be is refused with both numbers", "[api][workers]") {
  engine e(options_of(2, 4));
  CHECK_THAT(refusal([&] { e.set_workers(0); }),
             Contains("engine.set_workers(0)") && Contains("engine_options.workers_max = 4"));
  CHECK_THAT(refusal([&] { e.set_workers(5); }),
             Contains("engine.set_workers(5)") && Contains("engine_options.workers_max = 4"));
  CHECK(e.workers() == 2);
  engine fixed(quiet_options(2));
  CHECK_THAT(refusal([&] { fixed.set_workers(3); }), Contains("engine_options.workers_max = 2"));
  fixed.set_workers(1);
  fixed.set_workers(2);
  CHECK(fixed.workers() == 2);
}

TEST_CASE("workers: an engine without threads has none, and gets none", "[api][workers]") {
  engine e(quiet_options(0));
  CHECK(e.workers() == 0);
  CHECK(e.statistics().workers == 0);
  CHECK_THAT(refusal([&] { e.set_workers(1); }),
             Contains("engine.set_workers(1)") && Contains("engine_options.workers = 0"));
}

TEST_CASE("workers: a handler, of this engine or another, does not change them", "[api][workers]") {
  std::string heard, heard_there;
  engine e(options_of(1, 2));
  engine other(options_of(1, 2));
  e.send(e.create(do_tasks(), tact::parallel), task{[&] { heard = refusal([&] { e.set_workers(2); }); }});
  other.send(other.create(do_tasks(), blocking), task{[&] { heard_there = refusal([&] { e.set_workers(2); }); }});
  e.wait_idle();
  other.wait_idle();
  CHECK_THAT(heard, Contains("engine.set_workers") && Contains("inside a handler"));
  CHECK_THAT(heard_there, Contains("engine.set_workers") && Contains("inside a handler"));
  CHECK(e.workers() == 1);
}

TEST_CASE("workers: in an engine that has ended nothing changes", "[api][workers]") {
  engine e(options_of(2, 4));
  e.cancel();
  e.set_workers(4);
  CHECK(e.workers() == 2);
}

TEST_CASE("workers: when the system gives no thread, the engine goes on with those that it has", "[api][workers]") {
  std::atomic<int> done{0};
  engine e(options_of(1, 4));
  const auto d = e.create(do_tasks(), tact::parallel);
  {
    const no_threads while_here;
    REQUIRE(while_here.works());
    CHECK_THROWS_AS(e.set_workers(3), std::system_error);
  }
  CHECK(e.workers() == 1);
  for (int n = 0; n < 100; ++n) e.send(d, task{[&] { ++done; }});
  e.wait_idle();
  CHECK(done == 100);
  e.set_workers(3);
  CHECK(e.workers() == 3);
  for (int n = 0; n < 100; ++n) e.send(d, task{[&] { ++done; }}, spread);
  e.wait_idle();
  CHECK(done == 200);
}

}  // namespace workers_test
