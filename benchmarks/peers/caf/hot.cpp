// Hot on CAF: a stateful actor that answers by returning a value.
#include "programs/hot.hpp"

#include <atomic>
#include <vector>

#include "peers/caf/system.hpp"

namespace bench {
namespace {

using heard = caf::atom_constant<caf::atom("heard")>;
using stop = caf::atom_constant<caf::atom("stop")>;

// What all actors know. Each writes its own part.
struct board {
  explicit board(program& p) : setting(p, 40'000, 40'000), left(setting.senders), senders(setting.senders) {}
  hot_setting setting;
  std::atomic<std::uint64_t> left;  // senders that have not heard everything
  std::vector<hot_sender> senders;
  std::uint64_t count = 0;
  std::uint64_t wrong = 0;
};

struct counter_state {
  std::uint64_t count = 0;
  std::uint64_t wrong = 0;
};

caf::behavior counter(caf::stateful_actor<counter_state>* self, board* all) {
  return {
      [=](bool changes) {
        if (!all->setting.do_work()) ++self->state.wrong;
        if (changes) ++self->state.count;
        return heard::value;
      },
      [=](stop) {
        all->count = self->state.count;
        all->wrong = self->state.wrong;
        self->quit();
      },
  };
}

class sender : public caf::event_based_actor {
 public:
  sender(caf::actor_config& config, board* all, std::size_t id, caf::actor at)
      : event_based_actor(config), all_(all), id_(id), at_(std::move(at)) {
    mine_.begin(all->setting, id);
  }
  caf::behavior make_behavior() override {
    return {[this](heard) {
      const hot_setting& s = all_->setting;
      if (mine_.hear()) return send(at_, mine_.changes.next());
      if (mine_.answers != s.each + s.window) return;
      all_->senders[id_] = mine_;
      if (--all_->left == 0) send(at_, stop::value);
      quit();
    }};
  }

 private:
  board* all_;
  std::size_t id_;
  caf::actor at_;
  hot_sender mine_;
};

int run(program& p) {
  board all(p);
  caf_options options(p);
  p.ready();

  const hot_setting& s = all.setting;
  std::vector<caf::actor> refs;
  caf::actor_system system(options);
  auto target = system.spawn<caf::lazy_init>(counter, &all);
  for (std::size_t i = 0; i < s.senders; ++i) refs.push_back(system.spawn<sender, caf::lazy_init>(&all, i, target));
  target = nullptr;

  stopwatch watch;
  for (std::uint64_t n = 0; n < s.window; ++n) {
    for (const auto& r : refs) caf::anon_send(r, heard::value);
  }
  refs.clear();
  system.await_all_actors_done();
  watch.stop();

  for (const hot_sender& one : all.senders) check_hot(p, s, one);
  p.check_equal(all.count, s.changes(), "changes of the state");
  p.check_equal(all.wrong, 0, "work that came out wrong");
  return p.report(watch, s.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Hot: actors on all workers send to one actor.", bench::caf_runtime());
  return bench::run(p);
}
