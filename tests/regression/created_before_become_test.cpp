// What a run creates exists before its become is seen: the next behaviour may send there at once, on any worker.
#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "support/workers.hpp"
#include "tact/tact.hpp"

namespace created_before_become_test {

namespace {

using namespace tact::support;

struct hit {};
struct parent : tact::protocol<hit> {};

tact::behavior<parent> open_with(tact::ref<hit> child) {
  return {[=](tact::self<parent>& self, const hit& m) { self.send(child, m); }};
}

// Many creations: installing them after the become would leave a gap wide enough to be hit in nearly every run of the
// test.
tact::behavior<parent> open_empty(int children) {
  return {[=](tact::self<parent>& self, const hit&) {
    tact::ref<hit> last;
    for (int i = 0; i < children; ++i)
      last = self.create(tact::behavior<hit>{[](tact::transaction&, const hit&) {}}, tact::parallel);
    self.become(open_with(last));
  }};
}

}  // namespace

TEST_CASE("commit: what a run creates exists before its become is seen", "[law1]") {
  const unsigned workers = GENERATE(2u, 4u);
  INFO("workers=" << workers);
  for (int round = 0; round < scaled(120); ++round) {
    tact::engine engine(quiet_options(workers));
    const auto p = engine.create(open_empty(scaled(20'000)), tact::parallel);
    for (int i = 0; i < scaled(100'000); ++i) engine.send(p, hit{});
    require_idle(engine);
    REQUIRE(engine.statistics().dead_letters == 0);
  }
}

}  // namespace created_before_become_test
