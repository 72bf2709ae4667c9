// The loop over schedules, and what is kept of failures.
#include "simulation/explorer.hpp"

#include "simulation/scheduler.hpp"
#include "simulation/simulated.hpp"

namespace tact::simulation {
namespace {

// The first check that failed outside the threads, in a scenario's constructor or at_end.
const char* failed_outside = nullptr;

// Plants a fault for as long as it lives.
class planting {
 public:
  explicit planting(sync::fault f) noexcept { simulated::active_fault = f; }
  ~planting() { simulated::active_fault = sync::fault::none; }
  planting(const planting&) = delete;
  planting& operator=(const planting&) = delete;
};

outcome run_one(scheduler& s, std::uint64_t seed, scenario& subject) {
  outcome o = s.run(seed, subject.thread_count(), [&subject](unsigned i) { subject.thread(i); });
  if (o.failure == nullptr) {
    subject.at_end();
    o.failure = failed_outside;
  }
  failed_outside = nullptr;
  return o;
}

}  // namespace

result explore(const options& o, const std::function<std::unique_ptr<scenario>()>& make) {
  const planting fault(o.fault);
  scheduler s(o.step_limit);
  result r;
  while (r.schedules < o.schedules && (r.failures == 0 || !o.stop_at_failure)) {
    const std::uint64_t seed = o.seed + r.schedules++;
    const std::unique_ptr<scenario> subject = make();
    const outcome one = run_one(s, seed, *subject);
    r.steps += one.steps;
    if (one.failure == nullptr || r.failures++ != 0) continue;
    r.first_failing_seed = seed;
    r.text = one.failure;
    r.trace = s.last_operations();
  }
  return r;
}

void check(bool holds, const char* text) {
  if (holds) return;
  if (scheduler* const s = scheduler::current()) s->fail(text);
  if (failed_outside == nullptr) failed_outside = text;
}

}  // namespace tact::simulation
