// Asking with the handler's stack put aside. A program of its own, because one in which handlers can wait runs all of
// them on other stacks.
#include <cstdint>
#include <vector>

#include "programs/asking.hpp"

namespace bench {
namespace {

tact::behavior<begin> open_waiting_client(tact::ref<request> service, std::uint64_t* answered) {
  return {[=](tact::self<begin>& self, const begin& m) {
    if (m.left == 0) return;
    *answered += self.ask(service, next_after{m.left}) == m.left + 1;
    self.send(self.ref(), begin{m.left - 1});
  }};
}
// The same, but for how it hears the answer.
tact::behavior<begin> open_client(tact::ref<request> service, std::uint64_t* answered) {
  return {[=](tact::self<begin>& self, const begin& m) {
    if (m.left == 0) return;
    self.ask(service, next_after{m.left}, [=, me = self.ref()](tact::transaction& tx, std::uint64_t answer) {
      *answered += answer == m.left + 1;
      tx.send(me, begin{m.left - 1});
    });
  }};
}

int run(program& p) {
  const auto variant = p.choice("variant", {"waiting", "continuation"},
                                "handlers wait for the answer, or go on with a continuation, on the same stacks");
  const auto asks = p.number("asks", 5'000'000, 1000, "questions and answers");
  const auto clients = p.number("clients", 1, 1, "actors that ask at the same time");
  const auto options = read_engine_options(p);
  p.ready();
  tact::engine engine(options);
  const auto service = engine.create(open_service());
  return ask_by_actors(p, engine, service, clients, asks, variant == "waiting" ? open_waiting_client : open_client);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Asking by handlers that wait for the answer.", bench::tact_runtime);
  return bench::run(p);
}
