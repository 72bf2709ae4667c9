// What a recorder costs: a ring of actors that hand tokens on, without a recorder, with one that is off, one that
// records a hundredth of the tasks, and one that records all; and a thread that sends to an actor. Per message; each
// message of the ring is three steps: sent, begun, over.
#include <memory>
#include <string>
#include <tact/inspect/recorder.hpp>

#include "micro/relay.hpp"

namespace tact::bench {
namespace {

enum class recording { none, off, hundredth, all };

std::unique_ptr<inspect::recorder> make_recorder(engine& e, recording how) {
  if (how == recording::none) return nullptr;
  auto made = std::make_unique<inspect::recorder>(
      e, inspect::recorder_options{.one_of = how == recording::hundredth ? 100U : 1U});
  if (how == recording::off) made->stop();
  return made;
}

void pass_tokens(benchmark::State& state, recording how, std::size_t actors) {
  constexpr std::uint64_t hops = 20'000;
  std::vector<ref<relay>> refs(actors);
  std::uint64_t handled = 0;
  engine e(small_engine(1, 0));
  for (std::size_t i = 0; i < actors; ++i) refs[i] = e.create(pass_on(&refs[(i + 1) % actors], &handled));
  const auto recorder = make_recorder(e, how);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    e.send(refs[0], hop{hops - 1});
    e.wait_idle();
    sent += hops;
  }
  report(state, e, sent, handled);
}

void send_from_outside(benchmark::State& state, recording how) {
  constexpr std::uint64_t messages = 20'000;
  std::uint64_t handled = 0;
  engine e(small_engine(1, 0));
  const ref<relay> none;
  const auto to = e.create(pass_on(&none, &handled));
  const auto recorder = make_recorder(e, how);
  std::uint64_t sent = 0;
  for (auto _ : state) {
    for (std::uint64_t n = 0; n < messages; ++n) e.send(to, hop{0});
    e.wait_idle();
    sent += messages;
  }
  report(state, e, sent, handled);
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  int how = 0;
  for (const std::string name : {"none", "off", "hundredth", "all"}) {
    for (const std::size_t actors : {std::size_t{1}, std::size_t{100}, std::size_t{10'000}}) {
      const std::string ring = "recorded/ring/" + name + "/" + std::to_string(actors);
      time_everything(benchmark::RegisterBenchmark(ring.c_str(), &pass_tokens, static_cast<recording>(how), actors));
    }
    time_everything(benchmark::RegisterBenchmark(("recorded/thread/" + name).c_str(), &send_from_outside,
                                                 static_cast<recording>(how)));
    ++how;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
