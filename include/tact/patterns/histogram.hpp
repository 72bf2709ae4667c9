// tact::histogram: an actor that counts values by their size.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/data/queue.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/distribution.hpp"
#include "tact/protocol.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Counts a value in a histogram.
struct record_value {
  std::uint64_t value = 0;
};
// Counts all that a distribution has counted, such as that of another histogram.
struct merge_values {
  distribution values;
};
// Asks for all that was counted.
struct read_distribution {
  using reply = distribution;
};
// Asks for all that was counted, and begins anew in the same run: so no value is told twice, or not at all.
struct read_and_reset_distribution {
  using reply = distribution;
};

// The protocol of a histogram.
struct histogram_protocol
    : protocol<record_value, merge_values, request<read_distribution>, request<read_and_reset_distribution>> {};

namespace detail {

// The behaviour of a histogram: what was counted up to some message, and the values that came behind it. A record adds
// to the latter, which copies a leaf of them; of each `most_recent` records one copies the buckets. Nothing that
// another behaviour shares ever changes, so a run that does not commit has counted nothing.
struct recorded_values {
  using self_type = self<histogram_protocol>;

  void operator()(self_type& self, const record_value& m) const {
    const recorded_values next{settled, recent.push_back(m.value), recent_count + 1, most_recent};
    self.become(next.recent_count < most_recent ? next : after(next.all()));
  }
  void operator()(self_type& self, const merge_values& m) const {
    distribution both = all();
    both.merge(m.values);
    self.become(after(std::move(both)));
  }
  void operator()(self_type& self, const request<read_distribution>& m) const { self.reply(m, all()); }
  void operator()(self_type& self, const request<read_and_reset_distribution>& m) const {
    self.reply(m, all());
    self.become(after(distribution()));
  }

  [[nodiscard]] distribution all() const {
    distribution d = settled->value;
    for (const std::uint64_t v : recent) d.record(v);
    return d;
  }
  [[nodiscard]] recorded_values after(distribution d) const {
    return {kept<distribution>::make(std::move(d)), {}, 0, most_recent};
  }

  kept<distribution> settled;
  queue<std::uint64_t> recent{};
  std::uint32_t recent_count = 0;
  std::uint32_t most_recent = 256;
};

}  // namespace detail

// const auto latency = engine.create(tact::histogram());
// engine.send(latency, tact::record_value{1'200});
// engine.ask(latency, tact::read_distribution{}).quantile(0.99);
//
// Counts values in buckets of a tact::distribution, which says how many there are and how exact they are. A record is
// one message, and costs the same however much was counted: it makes a small node, and one of 256 copies the 15 kB of
// the buckets. A read copies them. A run that fails has counted nothing. Two histograms are merged by sending what one
// of them is asked to the other, in a merge_values. The memory is that of 256 nodes and the buckets.
// Thread safety: any placement. A tact::parallel one loses nothing, but a read that the same sender sent behind a
// record may be handled before it. Source of the idea: HdrHistogram.
[[nodiscard]] inline behavior<histogram_protocol> histogram() {
  return detail::recorded_values{detail::kept<distribution>::make(distribution())};
}

// Names of earlier versions; they go with the next one.
using recording [[deprecated("use tact::histogram_protocol")]] = histogram_protocol;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
