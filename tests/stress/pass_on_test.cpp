// Laws 1 and 4 for messages that are passed on: whatever the runs meet, each arrives once and whole, and is never
// copied.
#include <memory>
#include <vector>

#include "support/engine_fixture.hpp"

namespace pass_on_test {

namespace {

using namespace tact::support;

struct load {
  std::vector<std::uint32_t> words;
  std::size_t number;
  std::uint64_t luck;
  tracked kept{};

  load(std::size_t n, std::size_t size, std::uint64_t l) : words(size, std::uint32_t(n)), number(n), luck(l) {}
  load(const load& other) : words(other.words), number(other.number), luck(other.luck) { ++copies; }
  load(load&&) noexcept = default;
  [[nodiscard]] bool is_whole() const { return !words.empty() && words.back() == number; }
  static inline std::atomic<long> copies{0};
};
// The same in a box.
struct box_load : load {
  using load::load;
  std::array<char, 100> padding{};
};

struct books {
  explicit books(std::size_t messages) : arrived(messages), dropped(messages) {}
  std::vector<std::atomic<int>> arrived;
  std::vector<std::atomic<int>> dropped;  // by a run that threw
  std::atomic<int> broken{0};
};

struct station : tact::protocol<load, box_load> {};
// To whom a layer of relays passes on: the one before it.
struct layer {
  books* all;
  unsigned depth;
  std::vector<tact::ref<station>> stations;
};

// Changes with every message, so that runs collide; sometimes it throws, or thinks again.
template <class M>
void handle(tact::self<station>& self, const M& m, const layer& l, tact::behavior<station> next) {
  dice d(m.luck + l.depth);
  if (!m.is_whole()) ++l.all->broken;
  const auto choice = d.below(16);
  const auto to = l.stations[d.below(static_cast<std::uint32_t>(l.stations.size()))];
  if (choice == 1) {
    self.pass_on(to, m);
    self.discard();
  }
  if (choice != 2) self.become(std::move(next));
  self.pass_on(to, m);
  if (choice > 11) std::this_thread::yield();  // so that others get in first
  if (!m.is_whole()) ++l.all->broken;
  if (choice == 0) {
    ++l.all->dropped[m.number];
    throw std::runtime_error("dropped");
  }
}

template <class M>
void arrive(const M& m, books& b) {
  ++b.arrived[m.number];
  if (!m.is_whole()) ++b.broken;
}

tact::behavior<station> open_relay(std::shared_ptr<const layer> l) {
  return {[l](tact::self<station>& self, const load& m) { handle(self, m, *l, open_relay(l)); },
          [l](tact::self<station>& self, const box_load& m) { handle(self, m, *l, open_relay(l)); }};
}
tact::behavior<station> open_end(books& b) {
  return {[&b](auto&, const load& m) { arrive(m, b); }, [&b](auto&, const box_load& m) { arrive(m, b); }};
}
class classic_relay : public tact::actor<classic_relay, station> {
 public:
  explicit classic_relay(std::shared_ptr<const layer> l) : to_(std::move(l)) {}
  void receive(tact::self<classic_relay>& self, const load& m) { self.pass_on(to_->stations.front(), m); }
  void receive(tact::self<classic_relay>& self, const box_load& m) { self.pass_on(to_->stations.back(), m); }

 private:
  std::shared_ptr<const layer> to_;
};

}  // namespace

TEST_CASE("pass on: each message arrives once and uncopied, or its run threw, through actors of all placements",
          "[law1][law4]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  const auto messages = static_cast<std::size_t>(scaled(10'000));
  books b(messages);
  load::copies = 0;
  auto options = quiet_options(workers);
  options.blocking_max = 2;
  tact::engine engine(options);
  auto top = std::make_shared<const layer>(
      layer{&b, 0, {engine.create(open_end(b), tact::parallel), engine.create(open_end(b))}});
  for (unsigned depth = 1; depth <= 3; ++depth) {
    top = std::make_shared<const layer>(
        layer{&b,
              depth,
              {engine.create(open_relay(top), tact::parallel), engine.create(open_relay(top), tact::parallel),
               engine.create(open_relay(top), tact::parallel), engine.create(open_relay(top)),
               engine.create(open_relay(top), tact::heavy), engine.spawn<classic_relay>(top)}});
  }
  const auto blocking = engine.create(open_relay(top), tact::blocking);
  on_threads(2, [&](unsigned thread) {
    dice d(seed + thread);
    for (std::size_t i = thread; i < messages; i += 2) {
      const auto to = d.below(20) == 0 ? blocking : top->stations[d.below(2) * d.below(6)];
      const std::size_t words = 1 + d.below(4) * d.below(1000);
      d.below(2) == 0 ? engine.send(to, load(i, words, d.next()), tact::spread)
                      : engine.send(to, box_load(i, words, d.next()), tact::spread);
    }
  });
  require_idle(engine);
  CHECK(b.broken == 0);
  CHECK(load::copies == 0);
  CHECK(tracked::alive == 0);
  std::size_t failures = 0;
  for (std::size_t i = 0; i < messages; ++i) {
    const bool lost = b.arrived[i] == 0;
    failures += lost;
    REQUIRE(b.arrived[i] + (lost ? 1 : 0) == 1);
    REQUIRE(b.dropped[i] == (lost ? 1 : 0));
  }
  CHECK(engine.statistics().failures == failures);
  CHECK(engine.statistics().dead_letters == 0);
  CHECK(failures != 0);
}

namespace {

// Where messages run is the engine's choice: two that are run one after the other do not meet.
constexpr std::chrono::milliseconds patience{50};

struct race {
  meeting both{2};
  std::atomic<int> runs{0};
};
template <class M>
tact::behavior<M> open_racer(race& r, tact::ref<M> next) {
  return {[=, &r](tact::self<M>& self, const M& m) {
    ++r.runs;
    self.pass_on(next, m);
    self.become(open_racer(r, next));
    r.both.join(patience);  // neither commits before both have staged, when they run at once
  }};
}

}  // namespace

TEMPLATE_TEST_CASE("pass on: the loser of a race has its message still, and passes it on when it runs again",
                   "[law1][law3]", load, box_load) {
  const unsigned workers = GENERATE(2u, 4u, 8u);
  INFO("workers=" << workers);
  const nothing_left left;
  load::copies = 0;
  std::uint64_t met = 0;
  for (int i = 0; i < scaled(100); ++i) {
    race r;
    std::atomic<int> whole{0};
    tact::engine engine(quiet_options(workers));
    const auto end = engine.create(tact::behavior<TestType>{[&](auto&, const TestType& m) { whole += m.is_whole(); }},
                                   tact::parallel);
    const auto a = engine.create(open_racer<TestType>(r, end), tact::parallel);
    for (std::size_t n = 1; n <= 2; ++n) engine.send(a, TestType(n, 100, 0), tact::spread);
    require_idle(engine);
    met += engine.statistics().collisions;
    REQUIRE(r.runs == 2 + static_cast<int>(engine.statistics().collisions));
    REQUIRE(whole == 2);
  }
  CHECK(load::copies == 0);
  CHECK(met != 0);
}

TEST_CASE("pass on: what a cancelled engine did not deliver is destroyed once", "[law4]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  for (int round = 0; round < scaled(20); ++round) {
    books b(200);
    tact::engine engine(quiet_options(workers));
    auto top = std::make_shared<const layer>(layer{&b, 0, {engine.create(open_end(b))}});
    for (unsigned depth = 1; depth <= 4; ++depth) {
      top = std::make_shared<const layer>(layer{
          &b, depth, {engine.create(open_relay(top), tact::parallel), engine.create(open_relay(top), tact::parallel)}});
    }
    dice d(seed + std::uint64_t(round));
    for (std::size_t i = 0; i < 200; ++i) {
      engine.send(top->stations[i % 2], load(i, 10, d.next()), tact::spread);
      engine.send(top->stations[i % 2], box_load(i, 10, d.next()), tact::spread);
    }
    engine.cancel();
    REQUIRE(b.broken == 0);
    REQUIRE(tracked::alive == 0);
  }
}

}  // namespace pass_on_test
