// Pi on CAF.
#include <vector>

#include "savina/caf.hpp"
#include "savina/pi/series.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::decimal)

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using wanted = caf::atom_constant<caf::atom("wanted")>;
using computed = caf::atom_constant<caf::atom("computed")>;
using stop = caf::atom_constant<caf::atom("stop")>;
using stopped = caf::atom_constant<caf::atom("stopped")>;

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, const pi_setting& setting, caf::actor master, std::uint64_t number)
      : event_based_actor(config), setting_(&setting), master_(std::move(master)), number_(number) {}
  caf::behavior make_behavior() override {
    return {
        [this](wanted, std::uint64_t term) { send(master_, computed::value, number_, setting_->term(term)); },
        [this](stop) {
          send(master_, stopped::value);
          quit();
        },
    };
  }

 private:
  const pi_setting* setting_;
  caf::actor master_;
  std::uint64_t number_;
};

class master : public caf::event_based_actor {
 public:
  master(caf::actor_config& config, const pi_setting& setting, pi_sum* result)
      : event_based_actor(config), setting_(&setting), sum_(result) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) {
          for (alive_ = 0; alive_ < setting_->workers; ++alive_) {
            workers_.push_back(spawn<worker>(std::cref(*setting_), caf::actor(this), alive_));
          }
          while (asked_ < setting_->terms_ahead()) ask(asked_ % workers_.size());
        },
        [this](computed, std::uint64_t by, const decimal& term) {
          ++sum_->terms;
          sum_->value += term;
          if (pi_setting::is_last(term)) is_enough_ = true;
          if (!is_enough_) return ask(by);
          if (sum_->terms != asked_) return;
          for (const auto& w : workers_) send(w, stop::value);
        },
        [this](stopped) {
          if (--alive_ == 0) quit();
        },
    };
  }

 private:
  void ask(std::uint64_t worker) { send(workers_[worker], wanted::value, asked_++); }

  const pi_setting* setting_;
  pi_sum* sum_;
  std::vector<caf::actor> workers_;
  std::uint64_t alive_ = 0;
  std::uint64_t asked_ = 0;
  bool is_enough_ = false;
};

struct pi {
  explicit pi(savina_parameters& p) : setting(p) {}

  std::uint64_t run(caf::actor_system& system) {
    caf::anon_send(system.spawn<master>(std::cref(setting), &sum), start::value);
    system.await_all_actors_done();
    return setting.messages(sum.terms);
  }
  void check(program& p) const { setting.check(p, sum, setting.terms_ahead()); }

  pi_setting setting;
  pi_sum sum;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::pi>(argc, argv, "Pi: actors compute the terms of a series (Savina 22).");
}
