// Cigarette smokers: an arbiter gives one smoker after another what it needs to smoke. Savina 13.
#include "savina/tact.hpp"
#include "savina/cigarette_smokers/rounds.hpp"

namespace bench {
namespace {

class smoker;
class arbiter;
struct start {
  std::vector<tact::ref<smoker>> smokers;
};
struct light {
  std::uint64_t draws;
};
struct smoke {
  std::uint64_t draws;
};
struct is_lit {};
struct close {};

class smoker : public tact::actor<smoker, light, smoke, close> {
 public:
  smoker(tact::ref<arbiter> at, smoker_record& record) : arbiter_(at), record_(&record) {}
  void receive(tact::self<smoker>& self, const light& m);
  tact::allocation receive(tact::self<smoker>&, const smoke& m) {
    savina_spin(spinning_, m.draws);
    ++count_.cigarettes;
    count_.draws += m.draws;
    --lit_;
    return end_when_done();
  }
  tact::allocation receive(tact::self<smoker>&, const close&) {
    closed_ = true;
    return end_when_done();
  }

 private:
  // The end may overtake a cigarette, which comes from another actor.
  tact::allocation end_when_done() {
    if (!closed_ || lit_ != 0) return tact::allocation::nodelete;
    *record_ = count_;
    return tact::allocation::delete_;
  }

  tact::ref<arbiter> arbiter_;
  std::uint64_t lit_ = 0;
  bool closed_ = false;
  savina_random spinning_;
  smoker_record count_;
  smoker_record* record_;  // those of others are beside it
};

class arbiter : public tact::actor<arbiter, start, is_lit> {
 public:
  explicit arbiter(const smoking& all) : left_(all.rounds), cigarettes_(all.rounds, all.smokers.size()) {}
  void receive(tact::self<arbiter>& self, start& m) {
    smokers_ = std::move(m.smokers);
    give(self);
  }
  tact::allocation receive(tact::self<arbiter>& self, const is_lit&) {
    if (--left_ != 0) {
      give(self);
      return tact::allocation::nodelete;
    }
    for (const auto to : smokers_) self.send(to, close{});
    return tact::allocation::delete_;
  }

 private:
  void give(tact::self<arbiter>& self) {
    const cigarette next = cigarettes_.next();
    self.send(smokers_[next.smoker], light{next.draws});
  }

  std::uint64_t left_;
  cigarettes cigarettes_;
  std::vector<tact::ref<smoker>> smokers_;
};

void smoker::receive(tact::self<smoker>& self, const light& m) {
  ++lit_;
  self.send(arbiter_, is_lit{});
  self.send(self.ref(), smoke{m.draws});
}

struct cigarette_smokers {
  explicit cigarette_smokers(savina_parameters& p) : all(p) {}

  std::uint64_t run(tact::engine& engine) {
    const auto at = engine.spawn<arbiter>(all);
    start m;
    for (smoker_record& record : all.smokers) m.smokers.push_back(engine.spawn<smoker>(at, record));
    engine.send(at, std::move(m));
    engine.wait_finished();
    return all.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    all.check(p);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  smoking all;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::cigarette_smokers>(
      argc, argv, "Cigarette smokers: an arbiter lets one after another smoke (Savina 13).");
}
