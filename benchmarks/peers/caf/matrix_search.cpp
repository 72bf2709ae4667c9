// Matrix Search on CAF, whose actors are woken on the worker that sends to them.
#include "programs/matrix_search.hpp"

#include "peers/caf/system.hpp"

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using wanted = caf::atom_constant<caf::atom("search")>;
using found = caf::atom_constant<caf::atom("found")>;
using finish = caf::atom_constant<caf::atom("quit")>;

// What all know.
struct board {
  const search_setting& setting;
  const recount& expected;
  std::vector<search_desk> desks;
  std::vector<std::vector<caf::actor>> seekers;  // of each controller
};

// Makes its matrix at its first search, on the worker that runs it.
class seeker : public caf::event_based_actor {
 public:
  seeker(caf::actor_config& config, const board* all, caf::actor controller, std::uint64_t number)
      : event_based_actor(config), all_(all), controller_(std::move(controller)), number_(number) {}
  caf::behavior make_behavior() override {
    return {
        [this](wanted, std::uint64_t word) {
          if (matrix_ == nullptr) matrix_ = std::make_unique<letter_matrix>(all_->setting, all_->expected, number_);
          send(controller_, found::value, number_ % all_->setting.seekers, word, matrix_->count(word));
        },
        [this](finish) { quit(); },
    };
  }

 private:
  const board* all_;
  caf::actor controller_;
  std::uint64_t number_;  // among all seekers
  std::unique_ptr<letter_matrix> matrix_;
};

class controller : public caf::event_based_actor {
 public:
  controller(caf::actor_config& config, board* all, std::uint64_t number)
      : event_based_actor(config), desk_(&all->desks[number]), seekers_(&all->seekers[number]) {}
  caf::behavior make_behavior() override {
    const auto ask = [this](std::uint64_t seeker, std::uint64_t word) {
      send((*seekers_)[seeker], wanted::value, word);
    };
    return {
        [=, this](start) { desk_->begin(ask); },
        [=, this](found, std::uint64_t seeker, std::uint64_t word, std::uint32_t findings) {
          if (!desk_->hear(seeker, word, findings, ask)) return;
          for (const auto& s : *seekers_) send(s, finish::value);
          quit();
        },
    };
  }

 private:
  search_desk* desk_;
  const std::vector<caf::actor>* seekers_;
};

int run(program& p) {
  const search_setting setting(p);
  caf_options options(p);
  p.ready();
  const recount expected(setting);
  board all{setting, expected, std::vector<search_desk>(setting.controllers, search_desk(setting)),
            std::vector<std::vector<caf::actor>>(setting.controllers)};

  std::vector<caf::actor> controllers;
  caf::actor_system system(options);
  for (std::uint64_t c = 0; c < setting.controllers; ++c) {
    controllers.push_back(system.spawn<controller, caf::lazy_init>(&all, c));
    for (std::uint64_t s = 0; s < setting.seekers; ++s)
      all.seekers[c].push_back(system.spawn<seeker, caf::lazy_init>(&all, controllers[c], c * setting.seekers + s));
  }

  stopwatch watch;
  for (const auto& c : controllers) caf::anon_send(c, start::value);
  controllers.clear();
  system.await_all_actors_done();
  watch.stop();

  check_search(p, setting, expected, all.desks);
  p.say("findings", std::to_string(expected.total()));
  all.seekers.clear();
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Matrix Search: seekers look for words, which a controller hands out.",
                   bench::caf_runtime());
  return bench::run(p);
}
