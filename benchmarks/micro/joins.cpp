// A handler asks eight actors at once, round after round: by hand, where the answers come to the asker itself, which
// counts them; by betas that count; and by joins. Per request.
#include <tact/patterns.hpp>
#include <vector>

#include "micro/engine_run.hpp"

namespace tact::bench {
namespace {

constexpr std::uint64_t services = 8;
constexpr std::uint64_t rounds = 2000;

struct echo_of {
  using reply = std::uint64_t;
  std::uint64_t value = 1;
};
using echo = ref<request<echo_of>>;

struct next_round {};

// What all askers have in common. The counts are read when the engine is idle.
struct books {
  std::vector<echo> all{};
  std::uint64_t left = 0;
  std::uint64_t heard = 0;
};

struct asker : protocol<next_round, std::uint64_t> {};

template <class Self>
void go_on(Self& self, books& b, ref<next_round> to) {
  if (--b.left != 0) self.send(to, next_round{});
}

// The customer is the asker itself.
behavior<asker> by_hand(books& b) {
  return {
      [&b](tact::self<asker>& self, const next_round&) {
        for (const echo to : b.all) self.send(to, request<echo_of>{self.ref(), {}});
      },
      [&b](tact::self<asker>& self, std::uint64_t answer) {
        b.heard += answer;
        if (b.heard % services == 0) go_on(self, b, self.ref());
      },
  };
}

behavior<asker> by_betas(books& b) {
  return {
      [&b](tact::self<asker>& self, const next_round&) {
        for (const echo to : b.all) {
          self.ask(to, echo_of{}, [&b, me = ref<std::uint64_t>(self.ref())](transaction& tx, std::uint64_t answer) {
            tx.send(me, answer);
          });
        }
      },
      [&b](tact::self<asker>& self, std::uint64_t answer) {
        b.heard += answer;
        if (b.heard % services == 0) go_on(self, b, self.ref());
      },
  };
}

behavior<asker> by_ask_all(books& b) {
  return {
      [&b](tact::self<asker>& self, const next_round&) {
        self.ask_all(b.all, echo_of{},
                     [&b, me = ref<next_round>(self.ref())](transaction& tx, std::vector<outcome<std::uint64_t>> all) {
                       for (const auto& o : all) b.heard += *o;
                       go_on(tx, b, me);
                     });
      },
      [](auto&, std::uint64_t) {},
  };
}

behavior<asker> by_all_of(books& b, ref<request<to_all<echo_of>>> service) {
  return {
      [&b, service](tact::self<asker>& self, const next_round&) {
        self.ask(service, to_all<echo_of>{},
                 [&b, me = ref<next_round>(self.ref())](transaction& tx, std::vector<outcome<std::uint64_t>> all) {
                   for (const auto& o : all) b.heard += *o;
                   go_on(tx, b, me);
                 });
      },
      [](auto&, std::uint64_t) {},
  };
}

// The answers of the losers are dead letters.
behavior<asker> by_first_of(books& b, ref<request<echo_of>> service) {
  return {
      [&b, service](tact::self<asker>& self, const next_round&) {
        self.ask(service, echo_of{}, [&b, me = ref<next_round>(self.ref())](transaction& tx, std::uint64_t) {
          b.heard += services;
          go_on(tx, b, me);
        });
      },
      [](auto&, std::uint64_t) {},
  };
}

template <class Make>
void ask_eight(benchmark::State& state, const Make& make) {
  books b;
  engine_options options = small_engine(1, 0);
  options.on_dead_letter = [](const dead_letter&) {};
  engine e(options);
  for (std::uint64_t i = 0; i < services; ++i) {
    b.all.push_back(
        e.create(behavior<request<echo_of>>{[](auto& self, const request<echo_of>& m) { self.reply(m, m.body.value); }},
                 parallel));
  }
  const auto a = e.create(make(e, b));
  std::uint64_t asked = 0;
  for (auto _ : state) {
    b.left = rounds;
    e.send(a, next_round{});
    e.wait_idle();
    asked += rounds * services;
  }
  report(state, asked, b.heard);
}

template <class Make>
void measure(const char* name, Make make) {
  time_everything(benchmark::RegisterBenchmark(name, [make](benchmark::State& s) { ask_eight(s, make); }));
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  measure("joins/by_hand", [](tact::engine&, books& b) { return by_hand(b); });
  measure("joins/betas", [](tact::engine&, books& b) { return by_betas(b); });
  measure("joins/ask_all", [](tact::engine&, books& b) { return by_ask_all(b); });
  measure("joins/all_of", [](tact::engine& e, books& b) {
    return by_all_of(b, e.create(tact::all_of<echo_of>(b.all), tact::parallel));
  });
  measure("joins/first_of", [](tact::engine& e, books& b) {
    return by_first_of(b, e.create(tact::first_of<echo_of>(b.all), tact::parallel));
  });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
