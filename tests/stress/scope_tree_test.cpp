// Scopes inside and beside each other: none costs for the others, and however many there are they end.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "support/engine_fixture.hpp"

namespace scope_tree_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;

struct note {};

tact::behavior<note> open_worker(std::atomic<int>& handled, tracked kept = {}) {
  return {[&handled, kept](auto&, const note&) { ++handled; }};
}

using scopes = std::vector<std::unique_ptr<tact::scope>>;

enum class first_to_go { outer, inner, none };  // none: the outermost ends, the others go after that

scopes open_nested(tact::engine& engine, int depth, std::atomic<int>& handled) {
  scopes all;
  all.push_back(std::make_unique<tact::scope>(engine));
  for (int i = 1; i < depth; ++i) {
    all.push_back(std::make_unique<tact::scope>(engine, *all.back()));
    if (i % (depth / 100) == depth / 100 - 1) all.back()->create(open_worker(handled), tact::parallel) | note{};
  }
  return all;
}

}  // namespace

TEST_CASE("scope: a hundred thousand inside each other end one after the other, whichever goes first", "[scope]") {
  const nothing_left left;
  std::atomic<int> handled{0};
  tact::engine engine(quiet_options(2));
  for (const auto first : {first_to_go::outer, first_to_go::inner, first_to_go::none}) {
    INFO(static_cast<int>(first));
    scopes all = open_nested(engine, scaled(100'000), handled);
    REQUIRE(all.front()->size() == 100);
    if (first == first_to_go::none) {
      all.front()->end();
      all.front()->wait();
    }
    if (first != first_to_go::inner) std::reverse(all.begin(), all.end());
    while (!all.empty()) all.pop_back();
    CHECK(engine.statistics().actors_alive == 0);
  }
}

TEST_CASE("scope: three hundred thousand beside each other are opened and end, and none costs for the others",
          "[scope]") {
  const nothing_left left;
  std::atomic<int> handled{0};
  tact::engine engine(quiet_options(2));
  tact::scope around(engine);
  scopes all;
  constexpr int count = sanitized ? 30'000 : 300'000;
  for (int i = 0; i < count; ++i) all.push_back(std::make_unique<tact::scope>(engine, around));
  for (int i = 0; i < 100; ++i)
    all[static_cast<std::size_t>(i) * (count / 100 - 1)]->create(open_worker(handled), tact::parallel) | note{};
  CHECK(around.size() == 100);
  around.end();
  around.wait();
  CHECK(around.size() == 0);
  CHECK(engine.statistics().actors_alive == 0);
  all[7]->create(open_worker(handled), tact::parallel) | note{};  // it has ended with the one around it
  around.wait();
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("scope: those that are opened, filled and closed while one around them waits and ends leave nobody",
          "[scope]") {
  TACT_SEEDED(seed);
  const nothing_left left;
  std::atomic<int> handled{0};
  tact::engine engine(quiet_options(2));
  for (int round = 0; round < scaled(30); ++round) {
    tact::scope around(engine);
    std::vector<std::thread> users;
    for (unsigned u = 0; u < 3; ++u) {
      users.emplace_back([&, d = dice(seed + 3 * static_cast<unsigned>(round) + u)]() mutable {
        scopes mine;
        for (int i = 0; i < 60; ++i) {
          const std::size_t beside = mine.size();
          const bool deep = beside != 0 && d.one_in(2);
          mine.push_back(std::make_unique<tact::scope>(engine, deep ? *mine[d.below(unsigned(beside))] : around));
          if (d.one_in(2)) mine.back()->create(open_worker(handled), tact::parallel) | note{};
          if (d.one_in(8)) mine.back()->end();
          if (d.one_in(8)) (void)around.wait(0s);
          if (d.one_in(8)) (void)around.size();
          if (d.one_in(3)) mine.erase(mine.begin() + d.below(unsigned(mine.size())));
        }
        while (!mine.empty()) mine.erase(mine.begin() + d.below(unsigned(mine.size())));
      });
    }
    if (round % 2 == 0) around.end();
    for (auto& u : users) u.join();
    around.end();
    around.wait();
    REQUIRE(around.size() == 0);
    REQUIRE(engine.statistics().actors_alive == 0);
  }
}

}  // namespace scope_tree_test
