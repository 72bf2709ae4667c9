// Serializers in simulations: their promise holds in every order, whatever fails; serializers with a mistake are found.
#include "simulation/office.hpp"
#include "support/serialized.hpp"

namespace serializer_test {

namespace {

using namespace tact::simulated_tests;
using tact::failure;
using tact::request;

constexpr auto as_it_is = [](tact::ref<request<job>> service) { return tact::serializer<job>(service); };

template <class Make>
tact::exploration look_at(Make make, bool in_order, std::uint64_t seed, int seeds) {
  return tact::explore(static_cast<std::uint64_t>(seeds),
                       [=](tact::simulation& sim) {
                         auto& engine = sim.engine(quiet_options(3));
                         const char* wrong =
                             serve_all(engine, make, in_order, 3, 4, static_cast<unsigned>(seed % fates));
                         sim.check(wrong == nullptr, wrong == nullptr ? "" : wrong);
                       },
                       {.seed = seed, .shrinking_runs = 50, .prints = false});
}

// -- serializers with a mistake

struct mistaken : tact::protocol<request<job>, long, failure> {};
using queue = std::vector<request<job>>;

tact::behavior<mistaken> busy_with(tact::ref<request<job>> service, tact::ref<long> customer, queue waiting);

// Is the service's customer itself, so a second answer ends the turn of the next request.
tact::behavior<mistaken> takes_any_answer(tact::ref<request<job>> service) {
  return {
      [=](tact::self<mistaken>& self, const request<job>& m) {
        self.defer(m);
        self.send(service, request<job>{self.ref(), m.body});
        self.become(busy_with(service, m.customer, {}));
      },
      [](auto&, long) {},
      [](auto&, const failure&) {},
  };
}

tact::behavior<mistaken> busy_with(tact::ref<request<job>> service, tact::ref<long> customer, queue waiting) {
  const auto next = [=](tact::self<mistaken>& self) {
    if (waiting.empty()) return self.become(takes_any_answer(service));
    self.send(service, request<job>{self.ref(), waiting.front().body});
    self.become(busy_with(service, waiting.front().customer, queue(waiting.begin() + 1, waiting.end())));
  };
  return {
      [=](tact::self<mistaken>& self, const request<job>& m) {
        self.defer(m);
        queue more = waiting;
        more.push_back(m);
        self.become(busy_with(service, customer, std::move(more)));
      },
      [=](tact::self<mistaken>& self, long answer) {
        self.send(customer, answer);
        next(self);
      },
      [=](tact::self<mistaken>& self, const failure& f) {
        self.fail(customer, f);
        next(self);
      },
  };
}

// Opens its gate when there is an answer, and only then.
struct opened {};
struct forgetful : tact::protocol<request<job>, opened> {};
tact::behavior<forgetful> opens_for_answers(tact::ref<request<job>> service, bool busy = false, queue waiting = {}) {
  const auto begin = [service](tact::self<forgetful>& self, const request<job>& m) {
    self.ask(
        service, m.body,
        [customer = m.customer, gate = self.ref()](tact::transaction& tx, long answer) {
          tx.send(customer, answer);
          tx.send(gate, opened{});
        },
        [customer = m.customer](tact::transaction& tx, const failure& f) { tx.fail(customer, f); });
  };
  return {
      [=](tact::self<forgetful>& self, const request<job>& m) {
        self.defer(m);
        queue more = waiting;
        busy ? more.push_back(m) : begin(self, m);
        self.become(opens_for_answers(service, true, std::move(more)));
      },
      [=](tact::self<forgetful>& self, const opened&) {
        if (waiting.empty()) return self.become(opens_for_answers(service));
        begin(self, waiting.front());
        self.become(opens_for_answers(service, true, queue(waiting.begin() + 1, waiting.end())));
      },
  };
}

// Three threads ask through a serializer, and one run throws or gets no memory. Each ask ends, and one of them at most
// without an answer.
void ask_through(tact::simulation& sim, bool ordered, bool no_memory, std::uint64_t nth) {
  auto& engine = sim.engine(quiet_options(2));
  const auto service = engine.create(
      tact::behavior<request<job>>{[](auto& self, const request<job>& m) { self.reply(m, m.body.answer()); }},
      tact::parallel);
  const tact::ref<request<job>> gate =
      ordered ? engine.create(as_it_is(service)) : engine.create(as_it_is(service), tact::parallel);
  int failed = 0;
  const auto ask = [&, gate](int client) {
    try {
      sim.check(engine.ask(gate, job{.client = client}) == client * 1'000'000L, "a wrong answer");
    } catch (const tact::ask_error& e) {
      sim.check(e.reason() == tact::failure_reason::handler_threw, "a wrong reason");
      ++failed;
    } catch (const std::bad_alloc&) {
      sim.check(no_memory, "memory that nobody has refused");
      ++failed;
    }
  };
  no_memory ? sim.fail_allocation(nth) : sim.throw_at(nth);
  for (int client = 1; client <= 3; ++client) {
    sim.start_thread([ask, client] {
      for (int i = 0; i < 2; ++i) ask(client);
    });
  }
  sim.run();
  ask(4);
  sim.check(failed <= 1, "one run failed, and more than one ask");
}

}  // namespace

TEST_CASE("simulation: a serializer keeps its promise under every seed, ordered or parallel", "[law5][law6][law8]") {
  TACT_SEEDED(seed);
  const bool ordered = GENERATE(true, false);
  const auto e = look_at(as_it_is, ordered, seed, scaled(500));
  INFO(e.text());
  CHECK(!e.failed);
}

TEST_CASE("simulation: a serializer that takes any answer, or waits after a failure, is found", "[law8]") {
  TACT_SEEDED(seed);
  CHECK(look_at(takes_any_answer, true, seed, 1'000).failed);
  CHECK(look_at([](auto service) { return opens_for_answers(service); }, true, seed, 1'000).what ==
        "a client was not told");
}

TEST_CASE("simulation: whichever run throws or gets no memory, every ask through a serializer ends", "[law1][law8]") {
  TACT_SEEDED(seed);
  const bool ordered = GENERATE(true, false);
  const bool no_memory = GENERATE(true, false);
  for (std::uint64_t nth = 1; nth <= 80; ++nth) {
    INFO("nth=" << nth << " no_memory=" << no_memory << " ordered=" << ordered);
    const auto e = tact::explore(static_cast<std::uint64_t>(scaled(20)),
                                 [&](tact::simulation& sim) { ask_through(sim, ordered, no_memory, nth); },
                                 {.seed = seed, .prints = false});
    INFO(e.text());
    REQUIRE(!e.failed);
  }
}

}  // namespace serializer_test
