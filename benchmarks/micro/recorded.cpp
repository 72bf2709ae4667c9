// What a recorder costs: a ring of actors that hand tokens on, without a recorder, with one that is off, with metrics,
// with a recorder of a hundredth of the tasks, and with one that records all; and a thread that sends to an actor. Then
// with several workers: tokens in a ring over several shards, an actor that sends to a thousand, threads that ask. Per
// message; each message of a ring is three steps: sent, begun, over.
#include <atomic>
#include <memory>
#include <string>
#include <tact/inspect/metrics.hpp>
#include <tact/inspect/recorder.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "micro/relay.hpp"

namespace tact::bench {
namespace {

enum class recording { none, off, measured, hundredth, all };

struct observers {
  std::unique_ptr<inspect::recorder> recorder{};
  std::unique_ptr<inspect::metrics> metrics{};
};

observers make_recorder(engine& e, recording how) {
  observers made;
  if (how == recording::measured) made.metrics = std::make_unique<inspect::metrics>(e);
  if (how == recording::none || how == recording::measured) return made;
  made.recorder = std::make_unique<inspect::recorder>(
      e, inspect::recorder_options{.one_of = how == recording::hundredth ? 100U : 1U});
  if (how == recording::off) made.recorder->stop();
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

// -- with several workers. The first round, in which each thread gets its memory for steps, is not measured.

void pass_tokens_round(benchmark::State& state, recording how, unsigned workers) {
  constexpr std::uint64_t hops = 1'000;
  constexpr std::size_t tokens = 64;
  ring<kind::ordered> all(256);
  engine e(small_engine(workers, 8 * workers));
  all.enter(e);
  const auto recorder = make_recorder(e, how);
  const auto once = [&] {
    for (std::size_t n = 0; n < tokens; ++n) e.send(all.refs[4 * n], hop{hops - 1});
    e.wait_idle();
    return tokens * hops;
  };
  const std::uint64_t before = once();
  std::uint64_t sent = 0;
  for (auto _ : state) sent += once();
  report(state, e, sent, all.handled(e) - before);
}

struct round {
  std::uint64_t left;
};

void send_to_many(benchmark::State& state, recording how, unsigned workers) {
  constexpr std::uint64_t rounds = 50;
  ring<kind::ordered> to(1000);
  engine e(small_engine(workers, 0));
  to.enter(e);
  const auto from = e.create(behavior<round>([&](auto& self, const round& m) {
    for (const auto r : to.refs) self.send(r, hop{0});
    if (m.left != 0) self.send(self.ref(), round{m.left - 1});
  }));
  const auto recorder = make_recorder(e, how);
  const auto once = [&] {
    e.send(from, round{rounds - 1});
    e.wait_idle();
    return rounds * to.refs.size();
  };
  const std::uint64_t before = once();
  std::uint64_t sent = 0;
  for (auto _ : state) sent += once();
  report(state, e, sent, to.handled(e) - before);
}

struct echo_of {
  using reply = std::uint64_t;
  std::uint64_t value;
};

// Four threads, each of which asks an actor of its own; an ask is two messages.
void ask_by_threads(benchmark::State& state, recording how, unsigned workers) {
  constexpr unsigned threads = 4;
  constexpr std::uint64_t asks = 1'000;
  engine e(small_engine(workers, 0));
  std::vector<ref<tact::request<echo_of>>> to;
  for (unsigned n = 0; n < threads; ++n) {
    to.push_back(e.create(behavior<tact::request<echo_of>>(
        [](auto& self, const tact::request<echo_of>& m) { self.reply(m, m.body.value + 1); })));
  }
  const auto recorder = make_recorder(e, how);
  std::atomic<std::uint64_t> answered{0};
  const auto once = [&] {
    std::vector<std::thread> all;
    for (const auto actor : to) {
      all.emplace_back([&, actor] {
        for (std::uint64_t n = 0; n < asks; ++n) answered += e.ask(actor, echo_of{n}) == n + 1 ? 1U : 0U;
      });
    }
    for (std::thread& t : all) t.join();
    return threads * asks;
  };
  const std::uint64_t before = once();
  std::uint64_t asked = 0;
  for (auto _ : state) asked += once();
  report(state, e, asked, answered - before);
}

void register_for_several_workers(const std::string& name, recording how) {
  using run = void (*)(benchmark::State&, recording, unsigned);
  const std::pair<const char*, run> all[] = {
      {"ring", &pass_tokens_round}, {"fan_out", &send_to_many}, {"ask", &ask_by_threads}};
  for (const auto& [what, f] : all) {
    for (const unsigned workers : {1U, 2U, 4U, 8U}) {
      const std::string text = std::string("recorded/") + what + "/" + name + "/workers/" + std::to_string(workers);
      time_everything(benchmark::RegisterBenchmark(text.c_str(), f, how, workers));
    }
  }
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  int how = 0;
  for (const std::string name : {"none", "off", "measured", "hundredth", "all"}) {
    for (const std::size_t actors : {std::size_t{1}, std::size_t{100}, std::size_t{10'000}}) {
      const std::string ring = "recorded/ring/" + name + "/" + std::to_string(actors);
      time_everything(benchmark::RegisterBenchmark(ring.c_str(), &pass_tokens, static_cast<recording>(how), actors));
    }
    time_everything(benchmark::RegisterBenchmark(("recorded/thread/" + name).c_str(), &send_from_outside,
                                                 static_cast<recording>(how)));
    if (name != "hundredth") register_for_several_workers(name, static_cast<recording>(how));
    ++how;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
