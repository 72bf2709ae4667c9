// Queens on CAF.
#include <vector>

#include "savina/caf.hpp"
#include "savina/queens/board.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::board)

namespace bench {
namespace {

using solution = caf::atom_constant<caf::atom("solution")>;
using searched = caf::atom_constant<caf::atom("searched")>;
using stop = caf::atom_constant<caf::atom("stop")>;
using stopped = caf::atom_constant<caf::atom("stopped")>;

using workers = std::vector<caf::actor>;

class master : public caf::event_based_actor {
 public:
  master(caf::actor_config& config, std::uint64_t wanted, const workers& all, queens_record& record)
      : event_based_actor(config), wanted_(wanted), all_(&all), left_(all.size()), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](const board& b) { send((*all_)[record_->boards++ % all_->size()], b); },
        [this](solution) {
          if (++record_->solutions == wanted_) stop_all();
        },
        [this](searched) {
          if (++record_->searched == record_->boards) stop_all();
        },
        [this](stopped) {
          if (--left_ == 0) quit();
        },
    };
  }

 private:
  void stop_all() {
    if (stops_) return;
    stops_ = true;
    for (const auto& to : *all_) send(to, stop::value);
  }

  std::uint64_t wanted_;
  const workers* all_;
  std::size_t left_;
  bool stops_ = false;
  queens_record* record_;
};

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, const queens_setting& setting, caf::actor to)
      : event_based_actor(config), setting_(&setting), master_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](board b) {
          if (setting_->is_divided(b)) {
            b.extend(setting_->size, [this](const board& next) { send(master_, next); });
          } else {
            const auto found = [this] { send(master_, solution::value); };
            b.solve(setting_->size, found);
          }
          send(master_, searched::value);
        },
        [this](stop) {
          send(master_, stopped::value);
          quit();
        },
    };
  }

 private:
  const queens_setting* setting_;
  caf::actor master_;
};

struct queens {
  explicit queens(savina_parameters& p) : setting(p) {}

  std::uint64_t run(caf::actor_system& system) {
    workers all(setting.workers);
    {
      const auto to = system.spawn<master, caf::lazy_init>(setting.wanted, std::cref(all), std::ref(found));
      for (auto& one : all) one = system.spawn<worker, caf::lazy_init>(std::cref(setting), to);
      caf::anon_send(to, board{});
    }
    system.await_all_actors_done();
    return setting.messages(found);
  }
  void check(program& p) const { setting.check_found(p, found); }

  queens_setting setting;
  queens_record found;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::queens>(argc, argv,
                                           "Queens: solutions of a puzzle, by a master and workers (Savina 28).");
}
