// Random traffic on tact.
#include "programs/random.hpp"

#include <atomic>
#include <deque>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct letter {
  std::uint64_t left;
};
// Its actors keep nothing: the choice travels with it.
struct wanderer {
  random_choice choice;
  std::uint64_t left;
};

class member : public tact::actor<member, letter> {
 public:
  member(const std::vector<tact::ref<letter>>& all, std::uint64_t number) : record(number), all_(&all) {}
  // For one that the engine makes: adds itself to `made`.
  member(const std::vector<tact::ref<letter>>& all, std::uint64_t number, std::vector<member*>& made)
      : member(all, number) {
    made.push_back(this);
  }
  void receive(tact::self<member>& self, const letter& m) {
    ++record.handled;
    if (m.left == 0) {
      ++record.ended;
      return;
    }
    self.send((*all_)[record.choice.below(static_cast<std::uint32_t>(all_->size()))], letter{m.left - 1});
  }
  random_record record;

 private:
  const std::vector<tact::ref<letter>>* all_;
};

// On a line of its own: its neighbours may live on other workers.
struct alignas(64) placed_member : member {
  using member::member;
};

struct station : tact::protocol<wanderer> {};

tact::behavior<station> send_on(const std::vector<tact::ref<wanderer>>& all, std::atomic<std::uint64_t>& ended) {
  return [&](tact::self<station>& self, const wanderer& m) {
    if (m.left == 0) return self.on_commit([&ended = ended] { ++ended; });
    random_choice choice = m.choice;
    const auto next = choice.below(static_cast<std::uint32_t>(all.size()));
    self.send(all[next], wanderer{choice, m.left - 1});
  };
}

// `spawned`: the engine makes the objects.
void run_classic(program& p, const random_setting& s, const tact::engine_options& options, bool spawned,
                 stopwatch& watch) {
  std::vector<tact::ref<letter>> all;
  std::deque<placed_member> placed;
  std::vector<member*> members;
  for (std::uint32_t i = 0; i < s.actors && !spawned; ++i) members.push_back(&placed.emplace_back(all, i));
  tact::engine engine(options);
  for (member* m : members) all.push_back(engine.attach(*m));
  for (std::uint32_t i = 0; i < s.actors && spawned; ++i) all.push_back(engine.spawn<member>(all, i, members));

  watch = {};
  for (const auto to : all) engine.send(to, letter{s.rounds});
  engine.wait_idle();
  watch.stop();

  say_exchange(p, engine);
  struct seen {
    const random_record& record;
  };
  std::vector<seen> records;
  for (const member* m : members) records.push_back({m->record});
  check_random(p, s, records);
  check_engine(p, engine, s.messages());
}

void run_transactional(program& p, const random_setting& s, const tact::engine_options& options, bool parallel,
                       stopwatch& watch) {
  std::vector<tact::ref<wanderer>> all;
  std::atomic<std::uint64_t> ended = 0;
  tact::engine engine(options);
  for (std::uint32_t i = 0; i < s.actors; ++i) {
    all.push_back(parallel ? engine.create(send_on(all, ended), tact::parallel) : engine.create(send_on(all, ended)));
  }

  watch = {};
  for (std::uint32_t i = 0; i < s.actors; ++i) engine.send(all[i], wanderer{random_choice(i), s.rounds});
  engine.wait_idle();
  watch.stop();

  say_exchange(p, engine);
  p.check_equal(ended, s.actors, "messages that came to their end");
  check_engine(p, engine, s.messages() + ended);  // each effect is a message
}

int run(program& p) {
  const auto variant = p.choice("variant", {"classic", "spawned", "ordered", "parallel"}, "the actors");
  const random_setting setting(p);
  const auto options = read_engine_options(p);
  p.ready();

  stopwatch watch;
  if (variant == "classic" || variant == "spawned") {
    run_classic(p, setting, options, variant == "spawned", watch);
  } else {
    run_transactional(p, setting, options, variant == "parallel", watch);
  }
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Random traffic: each message goes on to an actor chosen at random.",
                   bench::tact_runtime);
  return bench::run(p);
}
