// Chameneos on CAF.
#include <vector>

#include "savina/caf.hpp"
#include "savina/chameneos/colours.hpp"

namespace bench {
namespace {

using meet = caf::atom_constant<caf::atom("meet")>;
using change = caf::atom_constant<caf::atom("change")>;
using close = caf::atom_constant<caf::atom("close")>;
using met = caf::atom_constant<caf::atom("met")>;
using start = caf::atom_constant<caf::atom("start")>;

class mall : public caf::event_based_actor {
 public:
  mall(caf::actor_config& config, std::uint64_t meetings, std::uint64_t creatures, std::uint64_t* sum)
      : event_based_actor(config), left_(meetings), creatures_(creatures), sum_(sum) {}
  caf::behavior make_behavior() override {
    return {
        [this](meet, std::uint8_t hue, const caf::actor& who) {
          if (left_ == 0) {
            send(who, close::value);
          } else if (!waiting_) {
            waiting_ = who;
          } else {
            --left_;
            send(waiting_, meet::value, hue, who);
            waiting_ = nullptr;
          }
        },
        [this](met, std::uint64_t times) {
          *sum_ += times;
          if (--creatures_ == 0) quit();
        },
    };
  }

 private:
  std::uint64_t left_;
  std::uint64_t creatures_;
  std::uint64_t* sum_;
  caf::actor waiting_;
};

class creature : public caf::event_based_actor {
 public:
  creature(caf::actor_config& config, caf::actor at, colour hue)
      : event_based_actor(config), mall_(std::move(at)), hue_(hue) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) { go_again(); },
        [this](meet, std::uint8_t hue, const caf::actor& who) {
          turn(complement(hue_, static_cast<colour>(hue)));
          send(who, change::value, static_cast<std::uint8_t>(hue_));
          go_again();
        },
        [this](change, std::uint8_t hue) {
          turn(static_cast<colour>(hue));
          go_again();
        },
        [this](close) {
          send(mall_, met::value, times_);
          quit();
        },
    };
  }

 private:
  void turn(colour next) {
    hue_ = next;
    ++times_;
  }
  void go_again() { send(mall_, meet::value, static_cast<std::uint8_t>(hue_), caf::actor(this)); }

  caf::actor mall_;
  colour hue_;
  std::uint64_t times_ = 0;
};

struct chameneos {
  explicit chameneos(savina_parameters& p)
      : creatures(p.number("creatures", {100, 4'000, 5}, "creatures", 2)),
        meetings(p.number("meetings", {200'000, 800'000, 100}, "meetings")) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto at = system.spawn<mall>(meetings, creatures, &sum);
      for (std::uint64_t i = 0; i < creatures; ++i) {
        caf::anon_send(system.spawn<creature>(at, static_cast<colour>(i % 3)), start::value);
      }
    }
    system.await_all_actors_done();
    return 4 * meetings + 4 * creatures;
  }
  void check(program& p) const { p.check_equal(sum, 2 * meetings, "meetings of all creatures"); }

  std::uint64_t creatures;
  std::uint64_t meetings;
  std::uint64_t sum = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::chameneos>(argc, argv, "Chameneos: creatures meet in pairs (Savina 06).");
}
