// Trapezoid on CAF.
#include "savina/caf.hpp"
#include "savina/trapezoid/area.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::interval)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::area)

namespace bench {
namespace {

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, caf::actor master) : event_based_actor(config), master_(std::move(master)) {}
  caf::behavior make_behavior() override {
    return {[this](const interval& m) {
      send(master_, area_under(m));
      quit();
    }};
  }

 private:
  caf::actor master_;
};

using start = caf::atom_constant<caf::atom("start")>;

class master : public caf::event_based_actor {
 public:
  master(caf::actor_config& config, const trapezoid_setting& setting, area* result)
      : event_based_actor(config), setting_(&setting), result_(result), missing_(setting.workers) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) {
          for (std::uint64_t i = 0; i < setting_->workers; ++i) {
            send(spawn<worker>(caf::actor(this)), setting_->share(i));
          }
        },
        [this](const area& m) {
          result_->add(m);
          if (--missing_ == 0) quit();
        },
    };
  }

 private:
  const trapezoid_setting* setting_;
  area* result_;
  std::uint64_t missing_;
};

struct trapezoid {
  explicit trapezoid(savina_parameters& p) : setting(p) {}

  std::uint64_t run(caf::actor_system& system) {
    caf::anon_send(system.spawn<master>(std::cref(setting), &result), start::value);
    system.await_all_actors_done();
    return setting.messages();
  }
  void check(program& p) const { setting.check(p, result); }

  trapezoid_setting setting;
  area result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::trapezoid>(argc, argv, "Trapezoid: actors add up an area (Savina 21).");
}
