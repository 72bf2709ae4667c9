// Law 9, quiet: an engine that has nothing to do uses no processor time.
#include <time.h>

#include <chrono>

#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "support/workers.hpp"
#include "tact/tact.hpp"

namespace {

using namespace tact::support;
using std::chrono::nanoseconds;

struct ping {};

nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

}  // namespace

TEST_CASE("quiet: an idle engine uses no processor time", "[law9]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto sink = engine.create(tact::sink<ping>());
  for (int i = 0; i < 1000; ++i) engine.send(sink, ping{});
  require_idle(engine);
  // No worker has anything to do until the limit: waiting for an end that does not come is a way to let time pass.
  const nanoseconds before = processor_time();
  CHECK_FALSE(engine.wait_finished(std::chrono::milliseconds(700)));
  const nanoseconds used = processor_time() - before;
  // A worker that polls every 50 microseconds takes a tenth of a core; one that gives back memory once, nothing like
  // it.
  INFO("used " << used.count() << " ns in 0.7 s with " << workers << " workers");
  CHECK(used < std::chrono::milliseconds(70));
}
