// Asking: a thread asks an actor of an engine that has nothing else to do, or whose workers are busy; an actor asks
// another one, with a continuation, or through a serializer.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "programs/asking.hpp"

namespace bench {
namespace {

tact::behavior<begin> open_client(tact::ref<request> service, std::uint64_t* answered) {
  return {[=](tact::self<begin>& self, const begin& m) {
    if (m.left == 0) return;
    self.ask(service, next_after{m.left}, [=, me = self.ref()](tact::transaction& tx, std::uint64_t answer) {
      *answered += answer == m.left + 1;
      tx.send(me, begin{m.left - 1});
    });
  }};
}

// Sends to itself, and works a little, until it is told to stop.
struct go_on {};
struct stop {};
struct busy : tact::protocol<go_on, stop> {};
tact::behavior<busy> open_busy() {
  return {[](tact::self<busy>& self, const go_on& m) { self.send(self.ref(), m); },
          [](tact::self<busy>& self, const stop&) { self.stop(); }};
}

int ask_by_thread(program& p, tact::engine& engine, bool is_busy, bool helps, std::uint64_t asks) {
  const auto service = engine.create(open_service());
  std::vector<tact::ref<busy>> others;
  for (unsigned i = 0; is_busy && i < p.threads(); ++i) {
    others.push_back(engine.create(open_busy()));
    engine.send(others.back(), go_on{});
  }
  std::vector<double> times;
  times.reserve(asks);
  std::uint64_t answered = 0;
  stopwatch watch;
  for (std::uint64_t i = 0; i < asks; ++i) {
    const auto began = std::chrono::steady_clock::now();
    const next_after query{i};
    answered += (helps ? engine.ask(service, query, tact::help) : engine.ask(service, query)) == i + 1;
    times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count());
  }
  watch.stop();
  for (const auto b : others) engine.send(b, stop{});
  engine.wait_idle();
  p.check_equal(answered, asks, "answers");
  p.check_equal(engine.statistics().failures, 0, "failures");
  std::sort(times.begin(), times.end());
  p.say("p50_ns", std::to_string(static_cast<std::uint64_t>(times[times.size() / 2])));
  p.say("p99_ns", std::to_string(static_cast<std::uint64_t>(times[times.size() * 99 / 100])));
  return p.report(watch, asks);
}

int run(program& p) {
  const auto variant =
      p.choice("variant", {"idle", "busy", "helping", "continuation", "serialized"},
               "a thread asks, and the workers are idle, or busy, or it helps them; or actors ask, with continuations, "
               "or so through a serializer");
  const bool by_actors = variant == "continuation" || variant == "serialized";
  const auto asks = p.number("asks", by_actors ? 5'000'000 : 100'000, 1000, "questions and answers");
  const auto clients = by_actors ? p.number("clients", 1, 1, "actors that ask at the same time") : 1;
  auto options = read_engine_options(p);
  const bool helps = variant == "helping";
  options.helpers_max = helps ? 1 : 0;
  p.ready();
  tact::engine engine(options);
  if (!by_actors) return ask_by_thread(p, engine, variant == "busy", helps, asks);
  const auto service = engine.create(open_service());
  if (variant == "continuation") return ask_by_actors(p, engine, service, clients, asks, open_client);
  const auto gate = engine.create(tact::serializer<next_after>(service));
  return ask_by_actors(p, engine, gate, clients, asks, open_client);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Asking: by a thread outside, and by actors.", bench::tact_runtime);
  return bench::run(p);
}
