// What parts of the patterns cost, beside the same done by hand: a pool beside its members, a topic beside a sender
// that knows the receivers, a router beside a plain send, a name beside a ref. Per request, delivery, message or
// lookup.
#include <string>
#include <tact/patterns.hpp>
#include <vector>

#include "micro/engine_run.hpp"

namespace tact::bench {
namespace {

constexpr std::uint64_t rounds = 20'000;

struct echo_of {
  using reply = std::uint64_t;
  std::uint64_t value = 1;
};
using echo = ref<request<echo_of>>;

struct go {};

behavior<request<echo_of>> open_echo() {
  return {[](auto& self, const request<echo_of>& m) { self.reply(m, m.body.value); }};
}

// Asks `to` again whenever the answer has come.
behavior<go> asks_again(std::uint64_t& left, std::uint64_t& heard, echo to) {
  return {[&left, &heard, to](tact::self<go>& self, const go&) {
    self.ask(to, echo_of{}, [&left, &heard, me = self.ref()](transaction& tx, std::uint64_t answer) {
      heard += answer;
      if (--left != 0) tx.send(me, go{});
    });
  }};
}

template <class Make>
void ask_through(benchmark::State& state, const Make& make) {
  engine e(small_engine(1, 0));
  std::uint64_t left = 0;
  std::uint64_t heard = 0;
  const auto client = e.create(asks_again(left, heard, make(e)));
  std::uint64_t asked = 0;
  for (auto _ : state) {
    left = rounds;
    e.send(client, go{});
    e.wait_idle();
    asked += rounds;
  }
  report(state, e, asked, heard);
}

struct tick {
  std::uint64_t value = 1;
};
constexpr std::uint64_t readers = 8;

// Sends a tick to each of `to` in each of the rounds.
behavior<go> sends_to(std::uint64_t& left, std::vector<ref<tick>> to) {
  return {[&left, to](tact::self<go>& self, const go&) {
    self.send_all(to, tick{});
    if (--left != 0) self.send(self.ref(), go{});
  }};
}

// `make(engine, readers)` returns the refs to which each tick is sent; so all readers hear it.
template <class Make>
void tell_all(benchmark::State& state, const Make& make) {
  engine e(small_engine(1, 0));
  std::uint64_t left = 0;
  std::uint64_t heard = 0;
  std::vector<ref<tick>> all;
  for (std::uint64_t i = 0; i < readers; ++i) {
    all.push_back(e.create(behavior<tick>{[&heard](auto&, const tick& m) { heard += m.value; }}));
  }
  const auto source = e.create(sends_to(left, make(e, all)));
  std::uint64_t sent = 0;
  for (auto _ : state) {
    left = rounds;
    e.send(source, go{});
    e.wait_idle();
    sent += rounds * readers;
  }
  report(state, e, sent, heard);
}

// Finds one of a thousand names, again and again.
void look_up(benchmark::State& state) {
  engine e(small_engine(1, 0));
  const registry names(e);
  std::vector<std::string> all;
  for (int i = 0; i < 1'000; ++i) {
    all.push_back("actor " + std::to_string(i));
    names.add(all.back(), e.create(open_echo()));
  }
  std::uint64_t found = 0;
  std::uint64_t asked = 0;
  for (auto _ : state) {
    found += names.find<request<echo_of>>(all[asked % all.size()]) ? 1 : 0;
    ++asked;
  }
  report(state, asked, found);
}

template <class F, class Make>
void measure(const char* name, F run, Make make) {
  time_everything(benchmark::RegisterBenchmark(name, [run, make](benchmark::State& s) { run(s, make); }));
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  const auto ask = [](auto& state, const auto& make) { ask_through(state, make); };
  const auto tell = [](auto& state, const auto& make) { tell_all(state, make); };
  measure("parts/service", ask, [](tact::engine& e) -> echo { return e.create(open_echo()); });
  measure("parts/serializer", ask,
          [](tact::engine& e) -> echo { return e.create(tact::serializer<echo_of>(e.create(open_echo()))); });
  measure("parts/pool", ask, [](tact::engine& e) -> echo {
    return e.create(tact::pool<echo_of>({e.create(open_echo()), e.create(open_echo())}));
  });
  measure("parts/router", ask, [](tact::engine& e) -> echo {
    return e.create(
        tact::router<tact::request<echo_of>>({e.create(open_echo()), e.create(open_echo())}, tact::round_robin()),
        tact::parallel);
  });
  measure("parts/timeout", ask, [](tact::engine& e) -> echo {
    return e.create(tact::timeout<echo_of>(e.create(open_echo()), std::chrono::hours(1)), tact::parallel);
  });
  measure("parts/adapter", ask, [](tact::engine& e) -> echo {
    return e.create(tact::service_adapter<echo_of>(
                        e.create(open_echo()), [](const echo_of& q) { return q; }, [](std::uint64_t r) { return r; }),
                    tact::parallel);
  });
  measure("parts/membrane", ask, [](tact::engine& e) -> echo {
    using asks = tact::request<echo_of>;
    return e.ask(e.create(tact::membrane<asks>()), tact::handle_to<asks>{e.create(open_echo())});
  });
  measure("parts/on_failure", ask, [](tact::engine& e) -> echo {
    return e.create(
        tact::on_failure(e.create(open_echo()), e.create(tact::behavior<tick>{[](auto&, const tick&) {}}), tick{}),
        tact::parallel);
  });
  measure("parts/receivers", tell, [](tact::engine&, const std::vector<tact::ref<tick>>& all) { return all; });
  measure("parts/topic", tell, [](tact::engine& e, const std::vector<tact::ref<tick>>& all) {
    const auto topic = e.create(tact::topic<tick>());
    for (const auto& r : all) e.ask(topic, tact::subscribe_topic<tick>{r});
    return std::vector<tact::ref<tick>>{topic};
  });
  time_everything(benchmark::RegisterBenchmark("parts/registry", look_up));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
