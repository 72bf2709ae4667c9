// Trapezoid: an actor divides an interval between a hundred others, which add up the area under a curve. Savina 21.
#include "savina/tact.hpp"
#include "savina/trapezoid/area.hpp"

namespace bench {
namespace {

class worker : public tact::actor<worker, interval> {
 public:
  explicit worker(tact::ref<area> master) : master_(master) {}
  tact::allocation receive(tact::self<worker>& self, const interval& m) {
    self.send(master_, area_under(m));
    return tact::allocation::delete_;
  }

 private:
  tact::ref<area> master_;
};

struct start {};

class master : public tact::actor<master, start, area> {
 public:
  master(const trapezoid_setting& setting, area* result)
      : setting_(&setting), result_(result), missing_(setting.workers) {}
  void receive(tact::self<master>& self, const start&) {
    for (std::uint64_t i = 0; i < setting_->workers; ++i) {
      self.send(self.spawn<worker>(tact::ref<area>(self.ref())), setting_->share(i));
    }
  }
  tact::allocation receive(tact::self<master>&, const area& m) {
    result_->add(m);
    return --missing_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  const trapezoid_setting* setting_;
  area* result_;
  std::uint64_t missing_;
};

struct trapezoid {
  explicit trapezoid(savina_parameters& p) : setting(p) {}

  std::uint64_t run(tact::engine& engine) {
    engine.send(engine.spawn<master>(setting, &result), start{});
    engine.wait_finished();
    return setting.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    setting.check(p, result);
    p.check_equal(s.actors_created, setting.workers + 1, "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  trapezoid_setting setting;
  area result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::trapezoid>(argc, argv, "Trapezoid: actors add up an area (Savina 21).");
}
