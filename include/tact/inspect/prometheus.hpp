// tact::inspect::prometheus_source: gives the metrics of an engine to prometheus-cpp. Header-only: a program that
// includes this is linked with prometheus-cpp, and tact-inspect is not.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <memory>
#include <utility>
#include <vector>

#include "tact/inspect/metrics.hpp"

namespace tact::inspect {

// prometheus::Exposer exposer("127.0.0.1:9464");
// const auto source = std::make_shared<tact::inspect::prometheus_source>(engine);
// exposer.RegisterCollectable(source);
//
// The exposer holds it weakly, so keep it; and let it end before the engine. The engine's threads touch no counter of
// prometheus-cpp: figures are read when a server asks. Thread safety: any thread.
class prometheus_source final : public prometheus::Collectable {
 public:
  explicit prometheus_source(engine& of) : metrics_(of) {}  // throws std::bad_alloc

  std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<prometheus::MetricFamily> all;
    for (const metric& m : metrics_of(metrics_.read())) {
      if (!m.all.empty()) all.push_back(family_of(m));
    }
    return all;
  }

 private:
  static prometheus::MetricFamily family_of(const metric& m) {
    prometheus::MetricFamily family;
    family.name = m.name;
    family.help = m.help;
    family.type = m.what == metric::kind::counter ? prometheus::MetricType::Counter
                  : m.what == metric::kind::gauge ? prometheus::MetricType::Gauge
                                                  : prometheus::MetricType::Histogram;
    for (const metric::series& s : m.all) family.metric.push_back(metric_of(m.what, s));
    return family;
  }
  static prometheus::ClientMetric metric_of(metric::kind what, const metric::series& s) {
    prometheus::ClientMetric one;
    for (const auto& [name, value] : s.labels) one.label.push_back({name, value});
    if (what == metric::kind::counter) one.counter.value = s.value;
    if (what == metric::kind::gauge) one.gauge.value = s.value;
    if (what != metric::kind::histogram) return one;
    for (const metric::bucket& b : s.buckets) one.histogram.bucket.push_back({b.count, b.up_to});
    one.histogram.sample_sum = s.value;
    one.histogram.sample_count = s.buckets.empty() ? 0 : s.buckets.back().count;
    return one;
  }

  const metrics metrics_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
