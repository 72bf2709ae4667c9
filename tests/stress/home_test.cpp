// Parallel actors whose becomes collide: they go home, come back, and keep the laws on the way.
#include <optional>

#include "support/engine_fixture.hpp"

namespace home_test {

namespace {

using namespace tact::support;

struct add {
  unsigned id;
};
struct look {
  using reply = std::uint64_t;
};
struct sum : tact::protocol<add, tact::request<look>> {};

// How often the handlers of each message ran; not undone by a collision.
struct runs {
  explicit runs(unsigned messages) : of(messages) {}
  [[nodiscard]] unsigned most() const {
    unsigned found = 0;
    for (const auto& n : of) found = std::max(found, n.load());
    return found;
  }
  std::vector<std::atomic<unsigned>> of;
};

// One in `changing` messages becomes.
tact::behavior<sum> open_sum(runs& r, unsigned changing, std::uint64_t so_far) {
  return {
      [&r, changing, so_far](tact::self<sum>& self, const add& m) {
        ++r.of[m.id];
        if (m.id % changing != 0) return;
        if (m.id % 8 == 0) std::this_thread::yield();  // long enough for others to get in; costs much on a busy machine
        self.become(open_sum(r, changing, so_far + 1));
      },
      [so_far](auto& self, const tact::request<look>& m) { self.reply(m, so_far); },
  };
}

struct go {
  unsigned first;
  unsigned count;
};
struct gun : tact::protocol<go> {};
tact::behavior<gun> open_gun(tact::ref<add> at) {
  return {[at](tact::self<gun>& self, const go& m) {
    self.send(at, add{m.first});
    if (m.count > 1) self.send(self.ref(), go{m.first + 1, m.count - 1});
  }};
}

constexpr unsigned guns = 8;

// All of them shoot at once, each from an actor that stays on its shard.
void shoot(tact::engine& engine, tact::ref<add> at, unsigned each) {
  for (unsigned g = 0; g < guns; ++g) {
    engine.send(engine.create(open_gun(at)), go{g * each, each});
  }
  require_idle(engine);
}

tact::type_statistics of_sum(const tact::engine& engine) {
  for (const auto& t : engine.type_statistics()) {
    if (t.actor.find("sum") != std::string_view::npos) return t;
  }
  return {};
}

}  // namespace

TEST_CASE("home: no become is lost while the actor goes home and comes back", "[law1][law3][law7]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const unsigned changing = GENERATE(1u, 3u, 40u);
  INFO("changing=" << changing);
  const auto each = static_cast<unsigned>(scaled(3'000));
  auto options = quiet_options(workers);
  options.home_stretch = 4;
  tact::engine engine(options);
  runs r(guns * each);
  const auto target = engine.create(open_sum(r, changing, 0), tact::parallel);
  shoot(engine, target, each);
  CHECK(engine.ask(target, look{}) == (guns * each + changing - 1) / changing);
  CHECK(r.most() <= options.collisions_max + 1);
  const auto s = engine.statistics();
  CHECK(s.dead_letters == 0);
  const auto t = of_sum(engine);
  CHECK(t.collisions == s.collisions);
  CHECK(t.went_home == s.went_home);
  CHECK(t.came_back == s.came_back);
  CHECK(t.alive == 1);
  CHECK(t.at_home == s.went_home - s.came_back);
  if (workers == 1) CHECK(s.collisions == 0);
}

TEST_CASE("home: an actor whose every message becomes goes home; once few do it is parallel again", "[law7]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  if (workers == 1) return;  // no other worker to collide with
  const auto each = static_cast<unsigned>(scaled(1'000));
  tact::engine engine(quiet_options(workers));
  runs r(guns * each);
  const auto end = std::chrono::steady_clock::now() + generous;
  const auto hot = engine.create(open_sum(r, 1, 0), tact::parallel);
  const auto cool = [&] { return std::chrono::steady_clock::now() < end; };
  while (of_sum(engine).went_home == 0 && cool()) shoot(engine, hot, each);
  CHECK(of_sum(engine).went_home != 0);
  // From here on every message only looks.
  on_threads(2, [&](unsigned) {
    while (of_sum(engine).at_home != 0 && cool()) static_cast<void>(engine.ask(hot, look{}));
  });
  CHECK(of_sum(engine).at_home == 0);
  CHECK(of_sum(engine).came_back == of_sum(engine).went_home);
}

namespace {

struct turn {
  unsigned left;
};
struct spinner : tact::protocol<turn, tact::request<look>> {};

tact::behavior<spinner> open_spinner(std::uint64_t so_far) {
  return {
      [t = tracked(), so_far](tact::self<spinner>& self, const turn& m) {
        self.become(open_spinner(so_far + 1));
        if (m.left != 0) self.send(self.ref(), turn{m.left - 1});
      },
      [so_far](auto& self, const tact::request<look>& m) { self.reply(m, so_far); },
  };
}

}  // namespace

TEST_CASE("home: an actor that becomes all the time goes home without a collision, and what it replaces goes at once",
          "[law3][law10]") {
  const unsigned workers = GENERATE(2u, 8u);
  const nothing_left left;
  constexpr unsigned turns = sanitized ? 500 : 5'000;
  tact::engine engine(quiet_options(workers));
  std::vector<tact::ref<spinner>> all;
  for (unsigned n = 0; n < 64; ++n) all.push_back(engine.create(open_spinner(0), tact::parallel));
  // Each has one message under way, so no runs collide. Sooner or later one is handled where its home is.
  const auto until = std::chrono::steady_clock::now() + generous;
  unsigned rounds = 0;
  for (; engine.statistics().went_home == 0 && std::chrono::steady_clock::now() < until; ++rounds) {
    for (const auto s : all) {
      engine.send(s, turn{turns - 1});
      require_idle(engine);
    }
  }
  for (const auto s : all) CHECK(engine.ask(s, look{}) == std::uint64_t{rounds} * turns);
  const auto s = engine.statistics();
  INFO(s);
  CHECK(s.collisions == 0);
  CHECK(s.went_home != 0);
}

}  // namespace home_test
