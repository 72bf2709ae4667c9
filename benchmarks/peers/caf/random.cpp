// Random traffic on CAF.
#include "programs/random.hpp"

#include <atomic>
#include <deque>
#include <vector>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

using stop = caf::atom_constant<caf::atom("stop")>;

struct alignas(64) place {
  explicit place(std::uint64_t number) : record(number) {}
  random_record record;
};

// What all actors know.
struct board {
  std::atomic<std::uint64_t> under_way = 0;
  std::vector<caf::actor> refs;
};

class member : public caf::event_based_actor {
 public:
  member(caf::actor_config& config, board* all, random_record* record)
      : event_based_actor(config), all_(all), record_(record) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint64_t left) {
          ++record_->handled;
          if (left == 0) return end();
          send(all_->refs[record_->choice.below(static_cast<std::uint32_t>(all_->refs.size()))], left - 1);
        },
        [this](stop) { quit(); },
    };
  }

 private:
  void end() {
    ++record_->ended;
    if (--all_->under_way != 0) return;
    for (const auto& r : all_->refs) send(r, stop::value);
  }

  board* all_;
  random_record* record_;
};

int run(program& p) {
  const random_setting setting(p, 5'000'000);
  caf_options options(p);
  p.ready();

  std::deque<place> places;
  board all;
  all.under_way = setting.actors;
  caf::actor_system system(options);
  for (std::uint32_t i = 0; i < setting.actors; ++i) {
    all.refs.push_back(system.spawn<member>(&all, &places.emplace_back(i).record));
  }

  stopwatch watch;
  for (const auto& to : all.refs) caf::anon_send(to, setting.rounds);
  system.await_all_actors_done();
  watch.stop();
  all.refs.clear();

  check_random(p, setting, places);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Random traffic: each message goes on to an actor chosen at random.",
                   bench::caf_runtime());
  return bench::run(p);
}
