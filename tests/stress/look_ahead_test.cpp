// What a worker fetches in advance in a long lane: messages of all sizes lie there, and actors end meanwhile.
#include <array>
#include <vector>

#include "actors/cells/look_ahead.hpp"
#include "support/engine_fixture.hpp"

namespace look_ahead_test {

namespace {

using namespace tact::support;

// One slot, two and three; and one that is boxed.
template <std::size_t Bytes>
struct parcel {
  std::uint32_t number;
  std::array<unsigned char, Bytes> filling{};
};
using small = parcel<4>;
using middle = parcel<40>;
using large = parcel<70>;
using boxed = parcel<1000>;

struct sums {
  std::atomic<std::uint64_t> numbers{0};
  std::atomic<std::uint64_t> handled{0};
};

class taker : public tact::actor<taker, small, middle, large, boxed> {
 public:
  taker(sums& s, unsigned limit) : sums_(&s), left_(limit) {}
  template <std::size_t Bytes>
  tact::allocation receive(tact::self<taker>&, const parcel<Bytes>& m) {
    sums_->numbers += m.number;
    ++sums_->handled;
    return --left_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  sums* sums_;
  unsigned left_;
};

struct go {
  std::uint64_t seed;
};

// Sends to all of them from one run, so that they lie in long lanes.
class sender : public tact::actor<sender, go> {
 public:
  explicit sender(const std::vector<tact::ref<taker>>& to) : to_(&to) {}
  void receive(tact::self<sender>& self, const go& m) {
    dice d(m.seed);
    for (std::uint32_t i = 0; i < to_->size(); ++i) {
      const auto r = (*to_)[d.below(static_cast<unsigned>(to_->size()))];
      switch (d.below(8)) {
        case 0:
          self.send(r, middle{i});
          break;
        case 1:
          self.send(r, large{i});
          break;
        case 2:
          self.send(r, boxed{i});
          break;
        default:
          self.send(r, small{i});
      }
      sent += i;
    }
  }
  std::uint64_t sent = 0;

 private:
  const std::vector<tact::ref<taker>>* to_;
};

}  // namespace

TEST_CASE("look ahead: long lanes with messages of all sizes, for actors that end meanwhile, are run as they lie",
          "[law4][law13]") {
  TACT_SEEDED(seed);
  const unsigned workers = GENERATE(1u, 2u, 4u);
  INFO("workers=" << workers);
  constexpr unsigned actors = 3 * tact::actors::look_ahead::cached_cells;
  sums all;
  std::vector<tact::ref<taker>> to;
  sender sends(to);
  tact::engine engine(quiet_options(workers));
  for (unsigned i = 0; i < actors; ++i) to.push_back(engine.spawn<taker>(all, i % 3 == 0 ? 2U : 1000U));
  const auto s = engine.attach(sends);
  const auto rounds = static_cast<unsigned>(scaled(20));
  for (unsigned round = 0; round < rounds; ++round) {
    engine.send(s, go{seed + round});
    require_idle(engine);
  }
  CHECK(all.handled + engine.statistics().dead_letters == std::uint64_t{actors} * rounds);
  CHECK(all.numbers <= sends.sent);
  require_accounted(engine);
}

}  // namespace look_ahead_test
