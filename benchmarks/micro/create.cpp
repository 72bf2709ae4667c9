// Create, send and end on one worker: each actor makes the next one, sends it one message, and ends.
#include "micro/relay.hpp"

namespace tact::bench {
namespace {

class classic_link : public tact::actor<classic_link, hop> {
 public:
  explicit classic_link(std::uint64_t* handled) : handled_(handled) {}
  tact::allocation receive(tact::self<classic_link>& self, const hop& m) {
    ++*handled_;
    if (m.left != 0) self.send(self.spawn<classic_link>(handled_), hop{m.left - 1});
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t* handled_;
};

struct link : tact::protocol<hop> {};

// `How`: none, or tact::parallel_t.
template <class... How>
behavior<link> make_link(std::uint64_t* handled) {
  return [=](tact::self<link>& self, const hop& m) {
    ++*handled;
    if (m.left != 0) self.send(self.create(make_link<How...>(handled), How{}...), hop{m.left - 1});
    self.stop();
  };
}

// create(engine, count): the first actor of a chain.
template <class Create>
void chain(benchmark::State& state, Create create) {
  constexpr std::uint64_t actors = 200'000;
  engine e(small_engine(1, 1));
  std::uint64_t handled = 0;
  std::uint64_t sent = 0;
  for (auto _ : state) {
    e.send(create(e, &handled), hop{actors - 1});
    e.wait_finished();
    sent += actors;
  }
  if (e.statistics().actors_created != sent) return state.SkipWithError("not one actor per message");
  report(state, e, sent, handled);
}

void classic(benchmark::State& state) {
  chain(state, [](engine& e, std::uint64_t* handled) { return e.spawn<classic_link>(handled); });
}
template <class... How>
void transactional(benchmark::State& state) {
  chain(state, [](engine& e, std::uint64_t* handled) { return e.create(make_link<How...>(handled), How{}...); });
}

BENCHMARK(classic)->Name("create/classic")->Apply(time_everything);
BENCHMARK(transactional<>)->Name("create/ordered")->Apply(time_everything);
BENCHMARK(transactional<parallel_t>)->Name("create/transactional")->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
