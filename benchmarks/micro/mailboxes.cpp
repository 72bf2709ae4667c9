// What a message costs by the mailbox through which it goes: one without a limit, one that has a limit, one that drops
// its oldest, and one with an order.
#include "micro/relay.hpp"

namespace tact::bench {
namespace {

enum class mailbox { plain, limited, dropping, ordered };

// Each message has another one of four priorities than the one before.
constexpr auto one_of_four = [](const hop& m) { return m.left % 4; };

ref<relay> create(engine& e, mailbox how, behavior<relay> b) {
  switch (how) {
    case mailbox::plain:
      break;
    case mailbox::limited:
      return e.create(std::move(b), mailbox_limit{.messages = 100'000, .when_full = when_full::hold_back});
    case mailbox::dropping:
      return e.create(std::move(b), mailbox_limit{.messages = 100'000, .when_full = when_full::drop_oldest});
    case mailbox::ordered:
      return e.create(std::move(b), by_priority(one_of_four));
  }
  return e.create(std::move(b));
}

// 64 tokens in a ring of 64 actors: in each mailbox waits about one message.
template <mailbox How>
void hand_on(benchmark::State& state) {
  constexpr unsigned actors = 64;
  constexpr std::uint64_t hops = 1'000'000 / actors;
  std::vector<ref<relay>> refs(actors);
  std::uint64_t handled = 0;
  engine e(small_engine(1, 1));
  for (unsigned i = 0; i < actors; ++i) refs[i] = create(e, How, pass_on(&refs[(i + 1) % actors], &handled));
  std::uint64_t sent = 0;
  for (auto _ : state) {
    for (const auto r : refs) e.send(r, hop{hops - 1});
    e.wait_idle();
    sent += actors * hops;
  }
  report(state, e, sent, handled);
}

behavior<relay> count(std::uint64_t* handled) {
  return {[=](auto&, const hop&) { ++*handled; },
          [=](auto& self, const tact::request<total>& m) { self.reply(m, *handled); }};
}

// So many messages wait for one actor; then the thread that has sent them handles them.
template <mailbox How, unsigned Waiting>
void pile_up(benchmark::State& state) {
  std::uint64_t handled = 0;
  auto options = small_engine(1, 1);
  options.workers = 0;
  options.workers_max = 0;
  engine e(options);
  const auto to = create(e, How, count(&handled));
  std::uint64_t sent = 0;
  for (auto _ : state) {
    for (unsigned i = 0; i < Waiting; ++i) e.send(to, hop{i});
    e.run_until_idle();
    sent += Waiting;
  }
  report(state, e, sent, handled);
}

BENCHMARK(hand_on<mailbox::plain>)->Name("mailboxes/handler/plain")->Apply(time_everything);
BENCHMARK(hand_on<mailbox::limited>)->Name("mailboxes/handler/limited")->Apply(time_everything);
BENCHMARK(hand_on<mailbox::dropping>)->Name("mailboxes/handler/drop_oldest")->Apply(time_everything);
BENCHMARK(hand_on<mailbox::ordered>)->Name("mailboxes/handler/ordered")->Apply(time_everything);
BENCHMARK(pile_up<mailbox::plain, 10'000>)->Name("mailboxes/thread/plain")->Apply(time_everything);
BENCHMARK(pile_up<mailbox::limited, 10'000>)->Name("mailboxes/thread/limited")->Apply(time_everything);
BENCHMARK(pile_up<mailbox::dropping, 10'000>)->Name("mailboxes/thread/drop_oldest")->Apply(time_everything);
BENCHMARK(pile_up<mailbox::ordered, 10>)->Name("mailboxes/thread/ordered/10")->Apply(time_everything);
BENCHMARK(pile_up<mailbox::ordered, 10'000>)->Name("mailboxes/thread/ordered/10000")->Apply(time_everything);

}  // namespace
}  // namespace tact::bench

BENCHMARK_MAIN();
