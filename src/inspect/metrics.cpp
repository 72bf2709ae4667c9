#include "tact/inspect/metrics.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "inspect/probe.hpp"
#include "tact/detail/access.hpp"

namespace tact::inspect {

namespace {

using std::chrono::nanoseconds;

// The samples of all threads, by the type of actor.
std::vector<type_metrics> read_types(probe& p, const kept_requests::reading& requests) {
  const tick_clock::scale scale = p.clock().measure();
  const auto add = [&](distribution& to, const tick_histogram& from) {
    from.for_each([&](std::uint64_t ticks, std::uint64_t count) {
      to.record_times(static_cast<std::uint64_t>(scale.length_of(ticks).count()), count);
    });
  };
  std::map<std::string, type_metrics, std::less<>> all;
  p.for_each_meters([&](const type_meters& of_thread) {
    of_thread.for_each([&](const type_meters::row& r) {
      type_metrics& t = all[r.name];
      t.actor = r.name;
      t.messages += static_cast<double>(r.messages.read());
      t.busy += scale.length_of(r.ticks.read());
      t.sent += static_cast<double>(r.sent.read());
      t.answered += r.answered.read();
      t.unanswered += r.unanswered.read();
      add(t.handling, r.handling);
      add(t.waiting, r.waiting);
    });
  });
  for (const auto& [name, ended] : requests.over) {
    type_metrics& t = all[name];
    t.actor = name;
    t.answered += ended.answered;
    t.unanswered += ended.unanswered;
  }
  std::vector<type_metrics> sorted;
  for (auto& [name, t] : all) sorted.push_back(std::move(t));
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.busy > b.busy; });
  return sorted;
}

std::vector<kept_request> told(const std::vector<kept_requests::open_request>& open) {
  std::vector<kept_request> all;
  for (const auto& r : open) all.push_back({detail::read_name(r.actor), r.message, r.kept});
  return all;
}

}  // namespace

metrics::metrics(engine& of) : engine_(of), probe_(probe::of(of)) { probe_->measure(true); }
metrics::~metrics() { probe_->measure(false); }

metrics_snapshot metrics::read() const {
  metrics_snapshot s;
  s.statistics = engine_.statistics();
  s.workers = engine_.worker_statistics();
  s.threads = detail::describe_threads(detail::access::core_of(engine_));
  const kept_requests::reading requests = probe_->requests().read();
  s.types = read_types(*probe_, requests);
  s.kept = told(requests.open);
  s.shard_depths = engine_.shard_depths();
  s.dead_letters = engine_.dead_letters_by_reason();
  return s;
}

}  // namespace tact::inspect
