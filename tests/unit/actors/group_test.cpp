// Groups of actors that know each other, and combinators.
#include <stdexcept>

#include "support/engine_fixture.hpp"

namespace actor_group_test {

namespace {

using namespace tact::support;

struct ball {
  unsigned hops;
};
struct left_side : tact::protocol<ball> {};
struct right_side : tact::protocol<ball> {};

template <class Mine, class Other>
tact::behavior<Mine> open_side(tact::ref<Other> other, std::atomic<unsigned>& hits) {
  return {[other, &hits, kept = tracked()](auto& self, const ball& m) {
    ++hits;
    if (m.hops != 0) self.send(other, ball{m.hops - 1});
  }};
}

auto maker(std::atomic<unsigned>& hits, bool fails = false) {
  return [&hits, fails](tact::ref<left_side> l, tact::ref<right_side> r) {
    auto left = open_side<left_side>(r, hits);
    if (fails) throw std::runtime_error("no group");
    return std::tuple{std::move(left), open_side<right_side>(l, hits)};
  };
}

struct go {
  bool fail = false;
};

}  // namespace

TEST_CASE("group: actors that are made together know each other", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left nothing;
  std::atomic<unsigned> hits{0};
  tact::engine engine(quiet_options(workers));
  const auto [l, r] = engine.create_group(maker(hits), tact::parallel);
  engine.send(l, ball{9});
  const auto [ol, orr] = engine.create_group(maker(hits));
  engine.send(orr, ball{9});
  require_idle(engine);
  CHECK(hits == 20);
  CHECK(engine.statistics().actors_alive == 4);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("group: made in a handler it exists at the commit, and not at all when the run throws", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left nothing;
  std::atomic<unsigned> hits{0};
  tact::engine engine(quiet_options(workers));
  const auto parent = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go& m) {
                                      const auto [l, r] = self.create_group(maker(hits), tact::parallel);
                                      self.send(l, ball{3});
                                      const auto [ol, orr] = self.create_group(maker(hits));
                                      self.send(orr, ball{3});
                                      if (m.fail) throw std::runtime_error("no");
                                    }},
                                    tact::parallel);
  engine.send(parent, go{true});
  require_idle(engine);
  CHECK(hits == 0);
  CHECK(tracked::alive == 0);
  engine.send(parent, go{});
  require_idle(engine);
  CHECK(hits == 8);
  CHECK(engine.statistics().actors_alive == 5);
}

TEST_CASE("group: when its making throws none of its actors exists", "[actor]") {
  const nothing_left nothing;
  std::atomic<unsigned> hits{0};
  tact::engine engine(quiet_options(2));
  CHECK_THROWS_AS(engine.create_group(maker(hits, true), tact::parallel), std::runtime_error);
  CHECK(engine.statistics().actors_alive == 0);
  const auto parent = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go&) {
                                      try {
                                        static_cast<void>(self.create_group(maker(hits, true), tact::parallel));
                                      } catch (const std::runtime_error&) {
                                        ++hits;
                                      }
                                    }},
                                    tact::parallel);
  engine.send(parent, go{});
  require_idle(engine);
  CHECK(hits == 1);
  CHECK(engine.statistics().actors_alive == 1);
}

TEST_CASE("group: a member that is made of nothing is nobody", "[actor]") {
  tact::engine engine(quiet_options(2));
  const auto [some, none] = engine.create_group(
      [](tact::ref<ball>, tact::ref<go>) {
        return std::tuple{tact::sink<ball>(), tact::behavior<go>{}};
      },
      tact::parallel);
  CHECK(some);
  CHECK_FALSE(none);
  CHECK_FALSE(engine.create(tact::behavior<go>{}, tact::parallel));
  CHECK(engine.statistics().actors_alive == 1);
}

TEST_CASE("combinators: a forwarder passes everything on, a sink ignores everything", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left nothing;
  std::atomic<unsigned> hits{0};
  tact::engine engine(quiet_options(workers));
  const auto end =
      engine.create(open_side<ball>(engine.create(tact::sink<ball>(), tact::parallel), hits), tact::parallel);
  tact::ref<ball> first = end;
  for (int i = 0; i < 10; ++i) first = engine.create(tact::forwarder(first), tact::parallel);
  for (int i = 0; i < 10; ++i) engine.send(first, ball{1});
  require_idle(engine);
  CHECK(hits == 10);
  CHECK(engine.statistics().commits == 120);
}

TEST_CASE("waiting: calls that wait throw inside a handler, and name the right form", "[actor]") {
  using Catch::Matchers::Contains;
  struct query {
    using reply = int;
  };
  std::vector<std::string> texts;
  tact::engine engine(quiet_options(2));
  const auto server = engine.create(tact::sink<tact::request<query>>(), tact::parallel);
  const auto a = engine.create(tact::behavior<go>{[&](auto&, const go&) {
    const auto refused = [&](auto call) {
      try {
        call();
        texts.emplace_back("not refused");
      } catch (const tact::usage_error& e) {
        texts.emplace_back(e.what());
      }
    };
    refused([&] { engine.wait_idle(); });
    refused([&] { engine.wait_finished(); });
    refused([&] { engine.drain(); });
    refused([&] { engine.cancel(); });
    refused([&] { static_cast<void>(engine.ask(server, query{})); });
    texts.push_back(engine.still_running());
    texts.push_back(std::to_string(engine.statistics().workers));
  }});
  engine.send(a, go{});
  engine.wait_idle();
  REQUIRE(texts.size() == 7);
  CHECK_THAT(texts[0], Contains("engine.wait_idle") && Contains("thread that owns the engine"));
  CHECK_THAT(texts[1], Contains("engine.wait_finished"));
  CHECK_THAT(texts[2], Contains("engine.drain"));
  CHECK_THAT(texts[3], Contains("engine.cancel"));
  CHECK_THAT(texts[4], Contains("engine.ask") && Contains("self.ask"));
  CHECK_THAT(texts[5], Contains("handling"));
  CHECK(texts[6] == "2");
}

}  // namespace actor_group_test
