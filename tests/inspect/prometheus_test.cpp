// prometheus-cpp serves the same figures that write_prometheus writes.
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "support/engine_fixture.hpp"
#include "tact/inspect/prometheus.hpp"

namespace inspect_prometheus_test {

namespace {

using namespace tact::support;

struct word {};

// The names of the samples, with their labels, but without the edges of buckets, which each prints in its own way.
std::multiset<std::string> samples_of(const std::string& text) {
  std::multiset<std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '#') all.insert(line.substr(0, std::min(line.rfind(' '), line.find("le="))));
  }
  return all;
}

}  // namespace

TEST_CASE("prometheus source: it gives prometheus-cpp the samples that are written as text without it") {
  tact::engine engine(quiet_options(2));
  const tact::inspect::prometheus_source source(engine);
  const tact::inspect::metrics metrics(engine);
  const auto target = engine.create(tact::behavior<word>([](auto&, const word&) {}));
  for (int n = 0; n < 1000; ++n) engine.send(target, word{});
  require_idle(engine);
  std::ostringstream text;
  write_prometheus(text, metrics_of(metrics.read()));
  const std::string served = prometheus::TextSerializer().Serialize(source.Collect());
  CHECK(samples_of(served) == samples_of(text.str()));
  CHECK(served.find("tact_commits_total 1000") != std::string::npos);
  CHECK(served.find("# TYPE tact_handler_seconds histogram") != std::string::npos);
}

}  // namespace inspect_prometheus_test
