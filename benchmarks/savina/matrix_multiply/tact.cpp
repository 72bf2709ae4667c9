// Matrix multiply: workers divide a product of two matrices by eight, again and again, and multiply small blocks. A
// master hands out the parts. Savina 23, whose priorities are left out: the result does not depend on them.
#include <vector>

#include "savina/matrix_multiply/matrices.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct start {};
struct multiplied {};
struct stop {};
struct stopped {};

class worker;

class master : public tact::actor<master, start, product, multiplied, stopped> {
 public:
  explicit master(matrix_multiply_setting& all) : all_(&all) {}
  void receive(tact::self<master>& self, const start&);
  void receive(tact::self<master>& self, const product& m);
  void receive(tact::self<master>& self, const multiplied&);
  tact::allocation receive(tact::self<master>&, const stopped&) {
    return --alive_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  matrix_multiply_setting* all_;
  std::vector<tact::ref<worker>> workers_;
  std::size_t alive_ = 0;
  std::uint64_t under_way_ = 0;
};

class worker : public tact::actor<worker, product, stop> {
 public:
  worker(matrix_multiply_setting& all, tact::ref<master> master) : all_(&all), master_(master) {}
  void receive(tact::self<worker>& self, const product& m) {
    if (all_->is_divided(m)) {
      for_each_part(m, [&](const product& part) { self.send(master_, part); });
    } else {
      all_->multiply(m);
    }
    self.send(master_, multiplied{});  // behind the parts, or the master could believe that this was all
  }
  tact::allocation receive(tact::self<worker>& self, const stop&) {
    self.send(master_, stopped{});
    return tact::allocation::delete_;
  }

 private:
  matrix_multiply_setting* all_;
  tact::ref<master> master_;
};

void master::receive(tact::self<master>& self, const start&) {
  for (alive_ = 0; alive_ < all_->workers; ++alive_) {
    workers_.push_back(self.spawn<worker>(*all_, self.ref()));
  }
  receive(self, all_->whole());
}
void master::receive(tact::self<master>& self, const product& m) {
  ++under_way_;
  self.send(workers_[all_->worker_of(m)], m);
}
void master::receive(tact::self<master>& self, const multiplied&) {
  if (--under_way_ != 0) return;
  for (const auto w : workers_) self.send(w, stop{});
}

struct matrix_multiply {
  explicit matrix_multiply(savina_parameters& p) : setting(p) {}

  std::uint64_t run(tact::engine& engine) {
    engine.send(engine.spawn<master>(setting), start{});
    engine.wait_finished();
    return setting.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    setting.check(p);
    p.check_equal(s.actors_created, setting.workers + 1, "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  matrix_multiply_setting setting;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::matrix_multiply>(
      argc, argv, "Matrix multiply: actors divide a product of two matrices (Savina 23).");
}
