// Queens: workers place queens on a chess board. Boards with few of them go back to the master, which gives them to the
// workers in turn; from the others they search all solutions. Savina 28.
#include <vector>

#include "savina/queens/board.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct solution {};
struct searched {};
struct stop {};
struct stopped {};

class worker;
using workers = std::vector<tact::ref<worker>>;

class master : public tact::actor<master, board, solution, searched, stopped> {
 public:
  master(std::uint64_t wanted, const workers& all, queens_record& record)
      : wanted_(wanted), all_(&all), left_(all.size()), record_(&record) {}
  void receive(tact::self<master>& self, const board& m);
  void receive(tact::self<master>& self, const solution&) {
    if (++record_->solutions == wanted_) stop_all(self);
  }
  void receive(tact::self<master>& self, const searched&) {
    if (++record_->searched == record_->boards) stop_all(self);
  }
  tact::allocation receive(tact::self<master>&, const stopped&) {
    return --left_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  void stop_all(tact::self<master>& self);

  std::uint64_t wanted_;
  const workers* all_;
  std::size_t left_;
  bool stops_ = false;
  queens_record* record_;
};

class worker : public tact::actor<worker, board, stop> {
 public:
  worker(const queens_setting& setting, tact::ref<master> to) : setting_(&setting), master_(to) {}
  void receive(tact::self<worker>& self, board m) {
    if (setting_->is_divided(m)) {
      m.extend(setting_->size, [&](const board& next) { self.send(master_, next); });
    } else {
      const auto found = [&] { self.send(master_, solution{}); };
      m.solve(setting_->size, found);
    }
    self.send(master_, searched{});
  }
  tact::allocation receive(tact::self<worker>& self, const stop&) {
    self.send(master_, stopped{});
    return tact::allocation::delete_;
  }

 private:
  const queens_setting* setting_;
  tact::ref<master> master_;
};

void master::receive(tact::self<master>& self, const board& m) {
  self.pass_on((*all_)[record_->boards++ % all_->size()], m);
}

// Enough solutions, and all boards searched: both may happen.
void master::stop_all(tact::self<master>& self) {
  if (stops_) return;
  stops_ = true;
  for (const auto to : *all_) self.send(to, stop{});
}

struct queens {
  explicit queens(savina_parameters& p) : setting(p) {}

  std::uint64_t run(tact::engine& engine) {
    workers all(setting.workers);
    const auto to = engine.spawn<master>(setting.wanted, all, found);
    for (auto& one : all) one = engine.spawn<worker>(setting, to);
    engine.send(to, board{});
    engine.wait_finished();
    return setting.messages(found);
  }
  void check(program& p, const tact::statistics& s) const {
    setting.check_found(p, found);
    p.check_equal(s.dead_letters, found.boards - found.searched, "boards for workers that had stopped");
  }

  queens_setting setting;
  queens_record found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::queens>(argc, argv,
                                            "Queens: solutions of a puzzle, by a master and workers (Savina 28).");
}
