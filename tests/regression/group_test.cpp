// Groups made in a handler: order from the first message on, and a clear end of what cannot be.
#include <atomic>
#include <tuple>

#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/tact.hpp"

namespace regression_group_test {

namespace {

using namespace tact::support;

struct number {
  int value;
};
struct begin {};

tact::behavior<number> expect(std::atomic<int>& wrong, int next) {
  return {[&wrong, next](tact::self<number>& self, const number& m) {
    if (m.value != next) ++wrong;
    self.become(expect(wrong, next + 1));
  }};
}

}  // namespace

TEST_CASE("order: kept for what is sent to an ordered actor while its group is made", "[law5]") {
  std::atomic<int> wrong{0};
  tact::engine engine(quiet_options(2));
  const auto maker = engine.create(tact::behavior<begin>{[&](tact::transaction& tx, const begin&) {
                                     const auto [x] = tx.create_group([&](tact::ref<number> own) {
                                       tx.send(own, number{0});
                                       return std::tuple{expect(wrong, 0)};
                                     });
                                     for (int i = 1; i < 5; ++i) tx.send(x, number{i});
                                   }},
                                   tact::parallel);
  for (int i = 0; i < scaled(2'000); ++i) engine.send(maker, begin{});
  require_idle(engine);
  CHECK(wrong == 0);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("create_group: a function that discards the run it is called in is told so", "[law1]") {
  tact::engine engine(quiet_options(1));
  const auto maker = engine.create(tact::behavior<begin>{[](tact::transaction& tx, const begin&) {
                                     static_cast<void>(tx.create_group(
                                         [&](tact::ref<number>) {
                                           tx.discard();
                                           return std::tuple{tact::behavior<number>{[](auto&, const number&) {}}};
                                         },
                                         tact::parallel));
                                   }},
                                   tact::parallel);
  engine.send(maker, begin{});
  require_idle(engine);
  CHECK(engine.statistics().failures == 1);
  CHECK(engine.statistics().actors_alive == 1);
}

}  // namespace regression_group_test
