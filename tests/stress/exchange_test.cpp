// What workers send each other, while they come and go, steal, and are stopped by the system at any moment: nothing is
// lost, run twice or overtaken.
#include <optional>

#include "support/engine_fixture.hpp"
#include "support/stopped_thread.hpp"

namespace exchange_test {

namespace {

using namespace tact::support;

// A message of a size of its own kind: some fill a slot, some a good part of a chunk.
template <unsigned Bytes>
struct parcel {
  unsigned sender;
  unsigned number;
  unsigned hops;  // that it goes on
  std::array<unsigned char, Bytes> filling{};
};
using small = parcel<1>;
using middle = parcel<200>;
using large = parcel<2500>;
struct post : tact::protocol<small, middle, large> {};

constexpr unsigned per_worker = 24;  // actors: several on each shard

class carrier;

struct town_of_carriers {
  explicit town_of_carriers(unsigned size) : all(size) {}
  std::vector<tact::ref<carrier>> all;
  std::atomic<unsigned> wrong{0};
  std::atomic<bool> slow{false};  // handlers take some microseconds each, so that shards are held apart
};

// Numbers what it sends to each other one, and looks at the numbers that come.
class carrier : public tact::actor<carrier, post> {
 public:
  carrier(town_of_carriers& town, unsigned me, std::uint64_t seed)
      : town_(&town), me_(me), dice_(seed), next_from_(town.all.size() + 1), sent_to_(town.all.size()) {}
  template <unsigned Bytes>
  void receive(tact::self<carrier>& self, const parcel<Bytes>& m) {
    town_->wrong += m.number != next_from_[m.sender]++;
    town_->wrong += m.filling.back() != static_cast<unsigned char>(m.number);
    if (town_->slow.load(std::memory_order_relaxed)) dawdle();
    if (m.hops == 0) return;
    switch (dice_.below(16)) {
      case 0:
        return write<large>(self, m.hops - 1);
      case 1:
        return write<middle>(self, m.hops - 1);
      default:
        return write<small>(self, m.hops - 1);
    }
  }
  // For the thread outside that begins it all: the sender behind the last one.
  static constexpr unsigned outside(const town_of_carriers& town) { return static_cast<unsigned>(town.all.size()); }

 private:
  template <class Parcel>
  void write(tact::self<carrier>& self, unsigned hops) {
    const auto to = static_cast<unsigned>(dice_.below(static_cast<unsigned>(sent_to_.size())));
    Parcel p{me_, sent_to_[to]++, hops};
    p.filling.back() = static_cast<unsigned char>(p.number);
    self.send(town_->all[to], p);
  }
  static void dawdle() {
    std::atomic<unsigned> turns{0};
    while (turns.fetch_add(1) < 1'000) {
    }
  }

  town_of_carriers* town_;
  unsigned me_;
  dice dice_;
  std::vector<unsigned> next_from_;  // by sender
  std::vector<unsigned> sent_to_;
};

// Stops some of the workers that run now, for a random time.
class stopper {
 public:
  explicit stopper(std::uint64_t seed) : dice_(seed) {}
  void stop_some() {
    // All memory first, because a stopped worker may stand in the middle of an allocation.
    std::vector<pid_t> workers = threads_of_workers();
    std::array<std::optional<stopped_thread>, 8> stopped;
    for (auto& s : stopped) {
      if (!workers.empty() && dice_.below(2) == 0) {
        const std::size_t chosen = dice_.below(static_cast<unsigned>(workers.size()));
        s.emplace(workers[chosen]);
        std::swap(workers[chosen], workers.back());  // not twice
        workers.pop_back();
      }
    }
    let_go_by();
    for (auto& s : stopped) {
      if (!s) continue;
      s->go_on();
      stops += s->has_stopped() ? 1U : 0U;
      gave_up += s->gave_up() ? 1U : 0U;
    }
  }
  void let_go_by() {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(dice_.below(2'000));
    while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
  }

  unsigned stops = 0;
  unsigned gave_up = 0;

 private:
  dice dice_;
};

// Changes the number of workers all the while, and how long handlers take; and stops workers.
class unrest {
 public:
  unrest(tact::engine& e, town_of_carriers& town, std::uint64_t seed) {
    changer_ = std::thread([this, &e, &town, seed] {
      dice d(seed);
      const unsigned most = e.statistics().workers;
      while (!over_) {
        e.set_workers(1 + d.below(most));
        town.slow = d.below(2) == 0;
      }
    });
    stopping_ = std::thread([this, seed] {
      stopper s(seed + 1);
      while (!over_) {
        s.stop_some();
        stops = s.stops;
        gave_up = s.gave_up;
        s.let_go_by();
      }
    });
  }
  void end() {
    over_ = true;
    changer_.join();
    stopping_.join();
  }

  std::atomic<unsigned> stops{0};
  std::atomic<unsigned> gave_up{0};

 private:
  std::atomic<bool> over_{false};
  std::thread changer_;
  std::thread stopping_;
};

void begin_all(tact::engine& e, town_of_carriers& town, std::vector<unsigned>& sent, unsigned each, unsigned hops) {
  for (unsigned to = 0; to < town.all.size(); ++to) {
    for (unsigned n = 0; n < each; ++n) {
      small p{carrier::outside(town), sent[to]++, hops};
      p.filling.back() = static_cast<unsigned char>(p.number);
      e.send(town.all[to], p);
    }
  }
}

}  // namespace

TEST_CASE("exchange: in order and once, while workers come and go, steal, and stand still at any moment",
          "[dispatch][workers][law1][law5]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(from_range(usual_of({1u, 2u, 4u, 8u, 64u})));
  INFO("workers=" << workers);
  const nothing_left left;
  auto options = quiet_options(workers);
  options.workers_max = workers;
  options.victims = seed % 2 == 0 ? &tact::longest_victim : &tact::random_victim;
  tact::engine engine(options);
  town_of_carriers town(per_worker * std::max(workers, 2U));
  for (unsigned i = 0; i < town.all.size(); ++i) town.all[i] = engine.spawn<carrier>(town, i, seed + i);

  unrest around(engine, town, seed);
  std::vector<unsigned> sent(town.all.size());
  const unsigned hops = static_cast<unsigned>(scaled(60'000)) / static_cast<unsigned>(town.all.size());
  const auto end = std::chrono::steady_clock::now() + generous;
  unsigned rounds = 0;
  bool idle = true;
  for (; idle && (rounds < (sanitized ? 2U : 4U) || (around.stops == 0 && std::chrono::steady_clock::now() < end));
       ++rounds) {
    begin_all(engine, town, sent, 4, hops);
    idle = engine.wait_idle(generous);
  }
  around.end();
  INFO(engine.still_running());
  REQUIRE(idle);
  require_accounted(engine);
  CHECK(engine.statistics().messages_sent == std::uint64_t{4} * rounds * (hops + 1) * town.all.size());
  CHECK(town.wrong == 0);
  CHECK(around.stops > 0);
  CHECK(around.gave_up == 0);
}

}  // namespace exchange_test
