// engine_options::rehearse: handlers that cannot be repeated are named, all others are not.
#include <atomic>
#include <mutex>
#include <vector>

#include "support/catch.hpp"
#include "support/engine_fixture.hpp"

namespace rehearsal_test {

namespace {

using namespace tact::support;

struct poke {
  long value;
};
struct noted {
  tact::ref<poke> by;
  bool here;
};
struct thing : tact::protocol<poke, noted> {};
struct heard : tact::protocol<noted> {};

struct findings {
  std::mutex mutex;
  std::vector<std::string> all;
};

tact::engine_options rehearsing(findings& found, unsigned workers) {
  auto options = quiet_options(workers);
  options.rehearse = true;
  options.on_unrepeatable = [&found](const tact::unrepeatable_handler& u) {
    const std::lock_guard lock(found.mutex);
    found.all.push_back(std::string(u.message.substr(u.message.rfind(':') + 1)) + " " + u.difference);
  };
  return options;
}

// What is found when f runs as the handler of one message.
template <class F>
std::vector<std::string> found_in(F f) {
  findings found;
  tact::engine engine(rehearsing(found, 2));
  engine.send(engine.create(tact::behavior<thing>{[f](tact::self<thing>& self, const poke& m) { f(self, m); },
                                                  [](auto&, const noted&) {}},
                            tact::parallel),
              poke{7});
  require_idle(engine);
  return found.all;
}

}  // namespace

TEST_CASE("rehearse: a handler that does the same again is not reported, and takes effect once", "[law1]") {
  findings found;
  std::atomic<long> sum{0};
  std::atomic<unsigned> runs{0};
  const unsigned workers = GENERATE(1u, 2u, 8u);
  tact::engine engine(rehearsing(found, workers));
  const auto target = engine.create(
      tact::behavior<thing>{[&](tact::self<thing>& self, const poke& m) {
                              ++runs;
                              const auto made = self.create(
                                  tact::behavior<heard>{[](tact::transaction&, const noted&) {}}, tact::parallel);
                              self.send(made, noted{self.ref(), true});  // an address that is another in each run
                              self.on_commit([&sum, value = m.value] { sum += value; });
                              if (m.value > 0) self.send(self.ref(), poke{m.value - 1});
                            },
                            [](auto&, const noted&) {}},
      tact::parallel);
  engine.send(target, poke{20});
  require_idle(engine);
  CHECK(found.all.empty());
  CHECK(sum == 20 * 21 / 2);
  CHECK(runs == 2 * 21);
  CHECK(engine.statistics().actors_created == 1 + 21);
}

TEST_CASE("rehearse: what a handler does differently the second time is named", "[law1]") {
  std::atomic<unsigned> n{0};
  using self_type = tact::self<thing>;
  CHECK(found_in([&](self_type& self, const poke&) {
          if (++n % 2 == 0) self.send(self.ref(), noted{});
        }) == std::vector<std::string>{"poke sends 1 message"});
  CHECK(found_in([&](self_type& self, const poke& m) {
          if (m.value == 7) self.send(self.ref(), poke{100 + ++n});
        }).front() == "poke sends a poke with another content");
  CHECK(found_in([&](self_type&, const poke&) {
          if (++n % 2 == 0) throw std::runtime_error("now and then");
        }).front() == "poke throws");
  CHECK(found_in([&](self_type& self, const poke&) {
          if (++n % 2 == 0) self.stop();
        }).front() == "poke ends the actor");
}

TEST_CASE("rehearse: an exception in both runs is one failure and no finding", "[law8]") {
  findings found;
  tact::engine engine(rehearsing(found, 2));
  engine.send(engine.create(tact::behavior<poke>{[](auto&, const poke&) { throw std::runtime_error("always"); }},
                            tact::parallel),
              poke{1});
  require_idle(engine);
  CHECK(found.all.empty());
  CHECK(engine.statistics().failures == 1);
}

}  // namespace rehearsal_test
