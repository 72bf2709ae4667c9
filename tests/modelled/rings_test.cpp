// What a message costs that goes through all shards of an engine, on one worker after the other, in virtual time.
#include <vector>

#include "modelled/programs.hpp"
#include "modelled/ring.hpp"

namespace rings_test {

using namespace tact::modelled_tests;

// One worker runs soon, and joins one shard after the other, 512 of them. If what that takes counted as handling, it
// would separate them all again before it has them, and a message would take more than 200 ns.
TEST_CASE("model: on the only worker that runs a token goes through hundreds of shards as if they were one",
          "[modelled]") {
  constexpr std::size_t members = 1'200;
  constexpr unsigned hops = 100'000;
  double ns = 0;
  static_cast<void>(tact::model::run({.machine = "package:2 l3:4 core:8 pu:1"}, [&] {
    std::vector<tact::ref<token>> ring;
    tact::engine e({.workers = 64});
    for (std::size_t i = 0; i < members; ++i) ring.push_back(e.spawn<ring_member>(ring, i, 0.0));
    const auto began = std::chrono::steady_clock::now();
    e.send(ring[0], token{hops});
    e.wait_idle();
    ns = ns_since(began);
  }));
  INFO(ns << " ns");
  CHECK(ns < 100.0 * hops);
}

}  // namespace rings_test
