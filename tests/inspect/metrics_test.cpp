// Metrics: what samples say is what happened, and the text is what Prometheus reads.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

#include "support/engine_fixture.hpp"
#include "tact/inspect/metrics.hpp"
#include "tact/inspect/recorder.hpp"

namespace inspect_metrics_test {

namespace {

using namespace tact::support;
using tact::inspect::metric;
using tact::inspect::metrics;
using tact::inspect::metrics_snapshot;
using tact::inspect::type_metrics;

struct round_trip {
  unsigned left = 0;
};
struct nap {};

// Two types of actors that take turns.
class quick : public tact::actor<quick, round_trip> {
 public:
  explicit quick(tact::ref<quick> other) : other_(other) {}
  void receive(tact::self<quick>& self, const round_trip& m) {
    if (m.left != 0) self.send(other_ ? other_ : self.ref(), round_trip{m.left - 1});
  }

 private:
  tact::ref<quick> other_;
};
class slow : public tact::actor<slow, nap> {
 public:
  void receive(tact::self<slow>&, const nap&) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < until) {
    }
  }
};

const type_metrics* find(const metrics_snapshot& s, std::string_view type) {
  const auto at = std::find_if(s.types.begin(), s.types.end(),
                               [&](const type_metrics& t) { return t.actor.find(type) != std::string::npos; });
  return at == s.types.end() ? nullptr : &*at;
}

std::string text_of(const metrics_snapshot& s) {
  std::ostringstream text;
  tact::inspect::write_prometheus(text, metrics_of(s));
  return text.str();
}

}  // namespace

TEST_CASE("metrics: samples say how many messages each type has handled, and how long that took") {
  for (const bool is_recorded : {false, true}) {
    CAPTURE(is_recorded);
    tact::engine engine(quiet_options(1));
    std::optional<tact::inspect::recorder> recorder;
    if (is_recorded) recorder.emplace(engine);
    const metrics measured(engine);
    const auto a = engine.spawn<quick>(tact::ref<quick>());
    const auto b = engine.spawn<quick>(a);
    const auto c = engine.spawn<slow>();
    constexpr unsigned messages = 200'000;
    engine.send(b, round_trip{messages - 1});
    for (int n = 0; n < 50; ++n) engine.send(c, nap{});
    require_idle(engine);
    const metrics_snapshot s = measured.read();
    const type_metrics* const q = find(s, "quick");
    const type_metrics* const l = find(s, "slow");
    REQUIRE(q != nullptr);
    REQUIRE(l != nullptr);
    CHECK(q->messages > 0.8 * messages);
    CHECK(q->messages < 1.2 * messages);
    CHECK(q->handling.count() > messages / 200);
    CHECK(l->messages > 10);
    CHECK(l->messages < 300);
    CHECK(l->handling.median() >= 190'000);
    CHECK(l->busy > 5 * std::chrono::milliseconds(1));
    CHECK(q->waiting.count() > 0);
  }
}

TEST_CASE("metrics: a message that waits behind a slow handler is seen to wait") {
  tact::engine engine(quiet_options(1));
  const metrics measured(engine);
  const auto c = engine.spawn<slow>();
  for (int n = 0; n < 400; ++n) engine.send(c, nap{});  // of which some are samples
  require_idle(engine);
  const metrics_snapshot s = measured.read();
  const type_metrics* const l = find(s, "slow");
  REQUIRE(l != nullptr);
  REQUIRE(l->waiting.count() >= 3);
  CHECK(l->waiting.max() > 1'000'000);
}

TEST_CASE("metrics: when none lives any more, nothing is measured") {
  tact::engine engine(quiet_options(1));
  const auto a = engine.spawn<quick>(tact::ref<quick>());
  {
    const metrics first(engine);
    const metrics second(engine);
  }
  engine.send(a, round_trip{10'000});
  require_idle(engine);
  const metrics later(engine);
  CHECK(later.read().types.empty());
}

TEST_CASE("metrics: ten thousand actors and names with quotes make as many lines as one") {
  const auto lines = [](unsigned actors) {
    tact::engine engine(quiet_options(2));
    const metrics measured(engine);
    std::vector<tact::ref<slow>> all;
    for (unsigned n = 0; n < actors; ++n)
      all.push_back(engine.spawn<slow>(tact::named("a \"name\" \\ " + std::to_string(n))));
    for (unsigned n = 0; n < 100; ++n) engine.send(all[n % actors], nap{});
    require_idle(engine);
    const std::string text = text_of(measured.read());
    return std::count(text.begin(), text.end(), '\n');
  };
  CHECK(lines(1) == lines(10'000));
}

TEST_CASE("metrics: the text has one HELP and one TYPE before the samples of a metric, and cumulative buckets") {
  tact::engine engine(quiet_options(2));
  const metrics measured(engine);
  const auto a = engine.spawn<quick>(tact::ref<quick>());
  engine.send(a, round_trip{100'000});
  require_idle(engine);
  const std::string text = text_of(measured.read());
  REQUIRE(text.ends_with("\n"));
  std::istringstream lines(text);
  std::string line;
  std::string name;
  double last = 0;
  const std::regex help("# HELP (tact_[a-z_]+) .+");
  const std::regex type("# TYPE (tact_[a-z_]+) (counter|gauge|histogram)");
  const std::regex sample(R"re((tact_[a-z_]+)(\{([a-z]+="[^"]*",?)+\})? ([0-9.e+-]+|\+Inf))re");
  while (std::getline(lines, line)) {
    CAPTURE(line);
    std::smatch m;
    if (std::regex_match(line, m, help)) {
      name = m[1];
      REQUIRE(std::getline(lines, line));
      REQUIRE(std::regex_match(line, m, type));
      CHECK(m[1] == name);
      CHECK((m[2] != "counter" || name.ends_with("_total")));
      continue;
    }
    REQUIRE(std::regex_match(line, m, sample));
    CHECK(m[1].str().starts_with(name));
    if (!m[1].str().ends_with("_bucket")) {
      last = 0;
      continue;
    }
    CHECK(std::stod(m[4]) >= last);
    last = std::stod(m[4]);
  }
  CHECK(text.find("tact_commits_total 100001\n") != std::string::npos);
  CHECK(text.find("le=\"+Inf\"") != std::string::npos);
}

TEST_CASE("metrics: dead letters are counted by their reason") {
  tact::engine engine(quiet_options(1));
  const metrics measured(engine);
  const auto gone = engine.create(tact::behavior<nap>([](auto& self, const nap&) { self.stop(); }));
  for (int n = 0; n < 5; ++n) engine.send(gone, nap{});
  require_idle(engine);
  CHECK(text_of(measured.read()).find("tact_dead_letters_total{reason=\"target ended\"} 4\n") != std::string::npos);
}

TEST_CASE("metrics: they are read while actors are made, run and end") {
  tact::engine engine(quiet_options(4));
  const metrics measured(engine);
  std::atomic<bool> is_over{false};
  std::thread reader([&] {
    while (!is_over) static_cast<void>(text_of(measured.read()));
  });
  for (int n = 0; n < 2000; ++n) {
    engine.send(engine.create(tact::behavior<nap>([](auto& self, const nap&) {
      const auto next = self.create(tact::behavior<nap>([](auto& me, const nap&) { me.stop(); }));
      self.send(next, nap{});
      self.stop();
    })),
                nap{});
  }
  require_idle(engine);
  is_over = true;
  reader.join();
  CHECK(measured.read().statistics.commits >= 4000);
}

}  // namespace inspect_metrics_test
