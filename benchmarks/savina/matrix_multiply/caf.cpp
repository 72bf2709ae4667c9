// Matrix multiply on CAF.
#include <vector>

#include "savina/caf.hpp"
#include "savina/matrix_multiply/matrices.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::product)

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using multiplied = caf::atom_constant<caf::atom("multiplied")>;
using stop = caf::atom_constant<caf::atom("stop")>;
using stopped = caf::atom_constant<caf::atom("stopped")>;

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, matrix_multiply_setting& all, caf::actor master)
      : event_based_actor(config), all_(&all), master_(std::move(master)) {}
  caf::behavior make_behavior() override {
    return {
        [this](const product& m) {
          if (all_->is_divided(m)) {
            for_each_part(m, [&](const product& part) { send(master_, part); });
          } else {
            all_->multiply(m);
          }
          send(master_, multiplied::value);
        },
        [this](stop) {
          send(master_, stopped::value);
          quit();
        },
    };
  }

 private:
  matrix_multiply_setting* all_;
  caf::actor master_;
};

class master : public caf::event_based_actor {
 public:
  master(caf::actor_config& config, matrix_multiply_setting& all) : event_based_actor(config), all_(&all) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) {
          for (alive_ = 0; alive_ < all_->workers; ++alive_) {
            workers_.push_back(spawn<worker>(std::ref(*all_), caf::actor(this)));
          }
          hand_out(all_->whole());
        },
        [this](const product& m) { hand_out(m); },
        [this](multiplied) {
          if (--under_way_ != 0) return;
          for (const auto& w : workers_) send(w, stop::value);
        },
        [this](stopped) {
          if (--alive_ == 0) quit();
        },
    };
  }

 private:
  void hand_out(const product& m) {
    ++under_way_;
    send(workers_[all_->worker_of(m)], m);
  }

  matrix_multiply_setting* all_;
  std::vector<caf::actor> workers_;
  std::size_t alive_ = 0;
  std::uint64_t under_way_ = 0;
};

struct matrix_multiply {
  explicit matrix_multiply(savina_parameters& p) : setting(p) {}

  std::uint64_t run(caf::actor_system& system) {
    caf::anon_send(system.spawn<master>(std::ref(setting)), start::value);
    system.await_all_actors_done();
    return setting.messages();
  }
  void check(program& p) const { setting.check(p); }

  matrix_multiply_setting setting;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::matrix_multiply>(
      argc, argv, "Matrix multiply: actors divide a product of two matrices (Savina 23).");
}
