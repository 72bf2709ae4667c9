// The loops over schedules, and the report of a failure.
#include "tools/explorer/explorer.hpp"

#include <cstring>
#include <optional>
#include <vector>

#include "tools/explorer/chance.hpp"
#include "tools/explorer/enumerator.hpp"
#include "tools/explorer/follower.hpp"
#include "tools/explorer/scheduler.hpp"
#include "tools/explorer/shrinker.hpp"
#include "tools/explorer/simulated.hpp"

namespace tact::explorer {
namespace {

// All replays of one shrinking together may have so many operations: enough for all failures but livelocks.
constexpr std::uint64_t replayed_operations_max = 5'000'000;

// Schedules between two looks at the time: to ask costs a tenth of a schedule.
constexpr std::uint64_t asked_every = 256;

// The first check that failed outside the threads, in a scenario's constructor or at_end.
const char* failed_outside = nullptr;

// Runs schedules of one scenario. A fault is planted as long as the laboratory lives.
class laboratory {
 public:
  laboratory(const common_options& o, const scenario_maker& make) : options_(o), make_(make), scheduler_(o.step_limit) {
    simulated::active_fault = o.fault;
  }
  ~laboratory() { simulated::active_fault = sync::fault::none; }
  laboratory(const laboratory&) = delete;
  laboratory& operator=(const laboratory&) = delete;

  outcome run(chooser& c, recorders r = {}) {
    subject_.reset();
    subject_ = make_();
    outcome o = scheduler_.run(
        c, subject_->thread_count(), [this](unsigned i) { subject_->thread(i); }, r);
    if (o.failure == nullptr) {
      subject_->at_end();
      o.failure = failed_outside;
    }
    failed_outside = nullptr;
    return o;
  }

  // The schedule that `c` has just chosen fails: repeats it, makes it simpler, and describes it in `r`.
  void tell(chooser& c, const char* failure, result& r) {
    r.text = failure;
    schedule found;
    if (!is(run(c, {&found}), failure)) {
      r.text += " (not when the schedule was repeated: the scenario depends on something else)";
      return;
    }
    r.found = found.size;
    schedule simplest = shrink(std::move(found), failure);
    if (auto simpler = search(simplest.size, failure)) simplest = shrink(std::move(*simpler), failure);
    r.simplest = simplest.size;
    trace operations;
    follower again_simplest(simplest.decisions);
    static_cast<void>(run(again_simplest, {nullptr, &operations}));
    r.trace = text(operations);
  }

 private:
  schedule shrink(schedule found, const char* failure) {
    const auto attempt = [&](const std::vector<decision>& d) { return follow(d, failure); };
    return shrinker(attempt, {options_.replays, replayed_operations_max}).shrink(std::move(found));
  }

  // Shrinking only varies the schedule that was found. A simpler one that it cannot reach may be among the first
  // schedules with fewer preemptions.
  std::optional<schedule> search(const schedule_size& best, const char* failure) {
    std::uint64_t left = options_.searched;
    std::uint64_t operations = 0;
    for (unsigned preemptions = 0; preemptions < best.preemptions + best.surprises; ++preemptions) {
      enumerator all(preemptions, 0);
      while (left != 0 && operations < replayed_operations_max) {
        schedule done;
        const outcome o = run(all, {&done});
        --left;
        operations += o.steps;
        if (is(o, failure) && done.size.simpler_than(best)) return done;
        if (!all.advance()) break;
      }
    }
    return {};
  }

  static bool is(const outcome& o, const char* failure) {
    return o.failure != nullptr && std::strcmp(o.failure, failure) == 0;
  }

  std::optional<schedule> follow(const std::vector<decision>& d, const char* failure) {
    schedule done;
    follower f(d);
    if (!is(run(f, {&done}), failure)) return {};
    return done;
  }

  std::string text(const trace& operations) const {
    names called;
    subject_->name(called);
    std::vector<std::string> threads;
    for (unsigned i = 0; i < subject_->thread_count(); ++i) threads.push_back(subject_->thread_name(i));
    return operations.text(called, threads);
  }

  const common_options& options_;
  const scenario_maker& make_;
  scheduler scheduler_;
  std::unique_ptr<scenario> subject_;
};

}  // namespace

result explore(const options& o, const scenario_maker& make) {
  laboratory lab(o, make);
  chance dice;
  result r;
  while (r.schedules < o.schedules && (r.failures == 0 || !o.stop_at_failure)) {
    const std::uint64_t seed = o.seed + r.schedules++;
    dice.set_seed(seed);
    const outcome one = lab.run(dice);
    r.steps += one.steps;
    if (one.failure == nullptr || r.failures++ != 0) continue;
    r.first_failing_seed = seed;
    lab.tell(dice, one.failure, r);
  }
  return r;
}

result exhaust(const bounds& b, const scenario_maker& make) {
  laboratory lab(b, make);
  enumerator all(b.preemptions, b.late_stores);
  result r;
  do {
    ++r.schedules;
    const outcome one = lab.run(all);
    r.steps += one.steps;
    if (one.failure != nullptr) {
      ++r.failures;
      lab.tell(all, one.failure, r);
      return r;
    }
    r.exhausted = !all.advance();
    if (!all.astray()) continue;
    ++r.failures;
    r.exhausted = false;
    r.text = "the scenario depends on something else than its schedule";
    return r;
  } while (!r.exhausted && r.schedules < b.schedules && (r.schedules % asked_every != 0 || b.has_time()));
  return r;
}

void check(bool holds, const char* text) {
  if (holds) return;
  if (scheduler* const s = scheduler::current()) s->fail(text);
  if (failed_outside == nullptr) failed_outside = text;
}

}  // namespace tact::explorer
