// The cigarette smokers on CAF.
#include "savina/caf.hpp"
#include "savina/cigarette_smokers/rounds.hpp"

namespace bench {
namespace {

using actors = std::vector<caf::actor>;

using start = caf::atom_constant<caf::atom("start")>;
using light = caf::atom_constant<caf::atom("light")>;
using smoke = caf::atom_constant<caf::atom("smoke")>;
using is_lit = caf::atom_constant<caf::atom("is_lit")>;
using close = caf::atom_constant<caf::atom("close")>;

class smoker : public caf::event_based_actor {
 public:
  smoker(caf::actor_config& config, caf::actor at, smoker_record& record)
      : event_based_actor(config), arbiter_(std::move(at)), record_(&record) {}
  // What it sends to itself is in its mailbox before the arbiter hears of it, and so before the end.
  caf::behavior make_behavior() override {
    return {
        [this](light, std::uint64_t draws) {
          send(this, smoke::value, draws);
          send(arbiter_, is_lit::value);
        },
        [this](smoke, std::uint64_t draws) {
          savina_spin(spinning_, draws);
          ++count_.cigarettes;
          count_.draws += draws;
        },
        [this](close) {
          *record_ = count_;
          quit();
        },
    };
  }

 private:
  caf::actor arbiter_;
  savina_random spinning_;
  smoker_record count_;
  smoker_record* record_;  // those of others are beside it
};

class arbiter : public caf::event_based_actor {
 public:
  arbiter(caf::actor_config& config, const smoking& all, const actors& smokers)
      : event_based_actor(config), left_(all.rounds), cigarettes_(all.rounds, all.smokers.size()), smokers_(&smokers) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) { give(); },
        [this](is_lit) {
          if (--left_ != 0) return give();
          for (const auto& to : *smokers_) send(to, close::value);
          quit();
        },
    };
  }

 private:
  void give() {
    const cigarette next = cigarettes_.next();
    send((*smokers_)[next.smoker], light::value, next.draws);
  }

  std::uint64_t left_;
  cigarettes cigarettes_;
  const actors* smokers_;
};

struct cigarette_smokers {
  explicit cigarette_smokers(savina_parameters& p) : all(p) {}

  std::uint64_t run(caf::actor_system& system) {
    actors smokers;
    {
      const auto at = system.spawn<arbiter>(std::cref(all), std::cref(smokers));
      for (smoker_record& record : all.smokers) smokers.push_back(system.spawn<smoker>(at, std::ref(record)));
      caf::anon_send(at, start::value);
    }
    system.await_all_actors_done();
    return all.messages();
  }
  void check(program& p) const { all.check(p); }

  smoking all;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::cigarette_smokers>(
      argc, argv, "Cigarette smokers: an arbiter lets one after another smoke (Savina 13).");
}
