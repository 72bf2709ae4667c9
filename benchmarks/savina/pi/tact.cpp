// Pi: a master adds up the terms of a series that its workers compute, until they are too small to count. Savina 22.
#include <vector>

#include "savina/pi/series.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct start {};
struct wanted {
  std::uint64_t term;
};
struct computed {
  std::size_t by;
  decimal term;
};
struct stop {};
struct stopped {};

class worker;

class master : public tact::actor<master, start, computed, stopped> {
 public:
  master(const pi_setting& setting, pi_sum* result) : setting_(&setting), sum_(result) {}
  void receive(tact::self<master>& self, const start&);
  void receive(tact::self<master>& self, const computed& m);
  tact::allocation receive(tact::self<master>&, const stopped&) {
    return --alive_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  void ask(tact::self<master>& self, std::size_t worker);

  const pi_setting* setting_;
  pi_sum* sum_;
  std::vector<tact::ref<worker>> workers_;
  std::size_t alive_ = 0;
  std::uint64_t asked_ = 0;
  bool is_enough_ = false;
};

class worker : public tact::actor<worker, wanted, stop> {
 public:
  worker(const pi_setting& setting, tact::ref<master> master, std::size_t number)
      : setting_(&setting), master_(master), number_(number) {}
  void receive(tact::self<worker>& self, const wanted& m) {
    self.send(master_, computed{number_, setting_->term(m.term)});
  }
  tact::allocation receive(tact::self<worker>& self, const stop&) {
    self.send(master_, stopped{});
    return tact::allocation::delete_;
  }

 private:
  const pi_setting* setting_;
  tact::ref<master> master_;
  std::size_t number_;
};

void master::ask(tact::self<master>& self, std::size_t worker) { self.send(workers_[worker], wanted{asked_++}); }
void master::receive(tact::self<master>& self, const start&) {
  for (alive_ = 0; alive_ < setting_->workers; ++alive_) {
    workers_.push_back(self.spawn<worker>(*setting_, self.ref(), alive_));
  }
  while (asked_ < setting_->terms_ahead()) ask(self, asked_ % workers_.size());
}
void master::receive(tact::self<master>& self, const computed& m) {
  ++sum_->terms;
  sum_->value += m.term;
  if (pi_setting::is_last(m.term)) is_enough_ = true;
  if (!is_enough_) return ask(self, m.by);
  if (sum_->terms != asked_) return;
  for (const auto w : workers_) self.send(w, stop{});
}

struct pi {
  explicit pi(savina_parameters& p) : setting(p) {}

  std::uint64_t run(tact::engine& engine) {
    engine.send(engine.spawn<master>(setting, &sum), start{});
    engine.wait_finished();
    return setting.messages(sum.terms);
  }
  void check(program& p, const tact::statistics& s) const {
    setting.check(p, sum, setting.terms_ahead());
    p.check_equal(s.actors_created, setting.workers + 1, "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  pi_setting setting;
  pi_sum sum;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::pi>(argc, argv, "Pi: actors compute the terms of a series (Savina 22).");
}
