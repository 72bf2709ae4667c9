// Send: tokens go round a ring of actors; each handler sends one message on. Classic, transactional, and becoming.
#include <atomic>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct token {
  std::uint64_t left;
};
struct total {
  using reply = std::uint64_t;
};

class classic_relay : public tact::actor<classic_relay, token> {
 public:
  void receive(tact::self<classic_relay>& self, const token& m) {
    ++handled;
    if (m.left != 0) self.send(next, token{m.left - 1});
  }
  tact::ref<token> next;
  std::uint64_t handled = 0;
};

struct relay : tact::protocol<token> {};
struct counter : tact::protocol<token, tact::request<total>> {};

// Several workers may run it at once, so it counts only the tokens that end here; the engine counts the others.
tact::behavior<relay> pass_on(const tact::ref<token>* next, std::atomic<std::uint64_t>* ended) {
  return [=](tact::self<relay>& self, const token& m) {
    if (m.left == 0) return self.on_commit([=] { ++*ended; });
    self.send(*next, token{m.left - 1});
  };
}

// Counts in the behaviour: each message replaces it.
tact::behavior<counter> count_and_pass_on(const tact::ref<token>* next, std::uint64_t handled) {
  return {
      [=](tact::self<counter>& self, const token& m) {
        if (m.left != 0) self.send(*next, token{m.left - 1});
        self.become(count_and_pass_on(next, handled + 1));
      },
      [=](auto& self, const tact::request<total>& m) { self.reply(m, handled); },
  };
}

int run(program& p) {
  const auto variant =
      p.choice("variant", {"classic", "transactional", "becoming", "ordered", "ordered_becoming"}, "the actors");
  const auto actors = p.number("actors", 64, 8, "actors, each with a token");
  const auto each = p.number("hops", variant == "becoming" ? 300'000 : 1'000'000, 1000, "messages of a token");
  auto options = read_engine_options(p);
  const bool pumped = p.choice("handlers", {"workers", "pumped"}, "who runs them: workers, or this thread") == "pumped";
  if (pumped) options.workers = 0;
  p.require(!pumped || options.pin_workers != tact::pinning::on, "--pin yes needs workers, not --handlers pumped");
  const bool limited =
      p.choice("limit", {"none", "mailbox"}, "each actor's mailbox: without, or with room for 1000") != "none";
  p.ready();

  const tact::mailbox_limit most{.messages = limited ? 1000U : 0, .when_full = tact::when_full::hold_back};
  std::vector<classic_relay> classic(actors);
  std::vector<tact::ref<token>> refs(actors);
  std::vector<tact::ref<counter>> counters;
  std::atomic<std::uint64_t> ended = 0;
  tact::engine engine(options);
  for (std::size_t i = 0; i < actors; ++i) {
    const tact::ref<token>* next = &refs[(i + 1) % actors];
    if (variant == "classic") refs[i] = engine.attach(classic[i], most);
    if (variant == "transactional") refs[i] = engine.create(pass_on(next, &ended), tact::parallel, most);
    if (variant == "ordered") refs[i] = engine.create(pass_on(next, &ended), most);
    if (variant == "ordered_becoming") refs[i] = counters.emplace_back(engine.create(count_and_pass_on(next, 0), most));
    if (variant == "becoming")
      refs[i] = counters.emplace_back(engine.create(count_and_pass_on(next, 0), tact::parallel, most));
  }
  for (std::size_t i = 0; i < actors; ++i) classic[i].next = refs[(i + 1) % actors];

  stopwatch watch;
  for (const auto r : refs) engine.send(r, token{each - 1});
  while (pumped && engine.pump().more) {
  }
  engine.wait_idle();
  watch.stop();

  const std::uint64_t messages = actors * each;
  std::uint64_t handled = 0;
  for (const auto& c : classic) handled += c.handled;
  const bool keeps_nothing = variant == "transactional" || variant == "ordered";
  if (keeps_nothing) p.check_equal(ended, actors, "tokens at their end");
  check_engine(p, engine, messages + ended);
  for (const auto r : counters) handled += engine.ask(r, total{});
  if (!keeps_nothing) p.check_equal(handled, messages, "messages handled");
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Send: tokens go round a ring of actors.", bench::tact_runtime);
  return bench::run(p);
}
