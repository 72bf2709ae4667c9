// A program in a simulation: its threads and those of its engine take turns, in an order that a seed decides.
#include <utility>

#include "model/runner.hpp"
#include "tact/simulation.hpp"

namespace tact::model {

namespace {

class in_simulation final : public stage {
 public:
  in_simulation(const engine_options& o, std::uint64_t seed) : sim_(seed), engine_(&sim_.engine(o)) {}
  engine& house() override { return *engine_; }
  void run(std::vector<std::function<void()>> threads) override {
    unsigned waits = 0;
    for (auto& body : threads) {
      ++under_way_;
      sim_.start_thread([this, does = std::move(body)] {
        does();
        --under_way_;
      });
    }
    sim_.run();
    // A thread that asked and will not be answered waits for its limit, and may ask again.
    for (; under_way_ != 0 && waits < waits_max; ++waits) sim_.advance(patience);
    if (under_way_ != 0) throw simulation_error("threads of the program do not end");
  }
  bool settle() override { return engine_->wait_idle(patience); }
  [[nodiscard]] const simulation& whole() const noexcept { return sim_; }

 private:
  static constexpr unsigned waits_max = 1'000;

  simulation sim_;
  engine* engine_;
  std::size_t under_way_ = 0;
};

}  // namespace

history play_in_simulation(const program& p, std::uint64_t seed, mistake wrong, std::string* told,
                           const spectator& looks_on) {
  recorder records;
  world w{p, records, wrong, looks_on};
  history h;
  {
    in_simulation here(options_of(p, records), seed);
    try {
      h = play(w, here);
      h.hung += here.whole().failure();
    } catch (const simulation_error& e) {
      h = records.collect();
      h.hung = e.what();
    }
    if (told != nullptr) *told = here.whole().trace();
  }
  // What the end of the engine destroyed.
  h.all.parcels_gone = records.collect().all.parcels_gone;
  return h;
}

}  // namespace tact::model
