// A seed gives one execution, whatever compiler, options and sanitizers the library and the program are built with:
// what one build finds, another one repeats.
#include <cstdint>
#include <iomanip>
#include <string_view>

#include "simulation/office.hpp"
#include "tact/patterns.hpp"

namespace trace_of_seed_test {

namespace {

using namespace tact;
using namespace tact::simulated_tests;
using namespace std::chrono_literals;

struct relay : protocol<request<balance>> {};
behavior<relay> ask_on(ref<request<balance>> to, bool waits) {
  return {[=](tact::self<relay>& self, const request<balance>& m) {
    if (waits) return self.reply(m, self.ask(to, balance{}));
    self.defer(m);
    self.ask(to, balance{}, [c = m.customer](transaction& tx, long v) { tx.send(c, v); });
  }};
}

struct ring : protocol<request<balance>, ref<request<balance>>> {};
behavior<ring> ask_round(ref<request<balance>> next) {
  return {[=](auto& self, const request<balance>& m) { self.reply(m, self.ask(next, balance{})); },
          [](tact::self<ring>& self, const ref<request<balance>>& other) { self.become(ask_round(other)); }};
}

using program = void (*)(tact::simulation&, engine&, ref<account>);
constexpr int times = 10;

constexpr program programs[] = {
    [](tact::simulation&, engine& e, ref<account>) {  // runs that collide
      const auto p = e.create(open_account(0), parallel);
      for (int i = 0; i < times; ++i) e.send(p, deposit{i});
    },
    [](tact::simulation&, engine& e, ref<account> c) {
      for (int i = 0; i < times; ++i) static_cast<void>(e.ask(c, balance{}));
    },
    [](tact::simulation&, engine& e, ref<account> c) {
      const auto a = e.create(ask_on(c, true));
      for (int i = 0; i < times; ++i) static_cast<void>(e.ask(a, balance{}));
    },
    [](tact::simulation&, engine& e, ref<account> c) {
      const auto a = e.create(ask_on(c, false), parallel);
      for (int i = 0; i < times; ++i) static_cast<void>(e.ask(a, balance{}));
    },
    [](tact::simulation& sim, engine& e, ref<account> c) {
      for (int i = 0; i < times; ++i) static_cast<void>(e.send_after(std::chrono::milliseconds(i), c, deposit{i}));
      sim.advance(20ms);
    },
    [](tact::simulation&, engine& e, ref<account>) {
      tact::scope members(e);
      for (int i = 0; i < times; ++i) e.send(members.create(open_account(i)), deposit{i});
    },
    [](tact::simulation&, engine& e, ref<account>) {
      const auto b = e.create(open_account(0), blocking);
      for (int i = 0; i < times; ++i) e.send(b, deposit{i});
    },
    [](tact::simulation&, engine& e, ref<account>) {
      const auto all = e.create(topic<deposit>());
      for (int i = 0; i < times / 2; ++i) e.ask(all, subscribe_topic<deposit>{e.create(open_account(i))});
      for (int i = 0; i < times / 2; ++i) e.send(all, deposit{i});
    },
    [](tact::simulation&, engine& e, ref<account>) {
      const auto p = e.create(open_account(0), parallel);
      e.set_workers(2);
      for (int i = 0; i < times; ++i) e.send(p, deposit{i});
      e.set_workers(4);
    },
    [](tact::simulation&, engine& e, ref<account>) {  // handlers that wait for each other, and are told
      const auto first = e.create(ask_round({}), by_priority([](const request<balance>&) { return 0; }));
      const auto round = e.create(ask_round(first));
      e.send(first, ref<request<balance>>(round));
      try {
        static_cast<void>(e.ask(round, balance{}));
      } catch (const ask_error&) {
        // As it must be.
      }
    },
};
// What the traces of 50 seeds come to for each program. When a change of the library changes executions on purpose, the
// test prints the new row; it must be the same in all builds.
constexpr std::uint64_t known[] = {0xF3EAB6DD7B1C7278, 0x8744788AD5F55EAB, 0x8955B88CDD14ECE3, 0x3779EDF30E27D821,
                                   0xF4D68CA7B838DC0D, 0xD062E4F15B5CFD9,  0xA21CBE97476B4BF5, 0x4F66AA05024382B,
                                   0x8F5EB50A8BF89996, 0xF95AB256A443A927};

std::uint64_t add_to(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

std::uint64_t hash_of(program run) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    tact::simulation sim(seed);
    {
      engine& e = sim.engine();
      const auto c = e.create(open_account(0));
      for (int i = 0; i < times; ++i) e.send(c, deposit{i});
      run(sim, e, c);
      e.wait_idle();
    }
    hash = add_to(hash, sim.trace());
  }
  return hash;
}

}  // namespace

TEST_CASE("simulation: a seed gives the same execution in every build") {
  std::ostringstream row;
  bool are_known = true;
  for (std::size_t i = 0; i < std::size(programs); ++i) {
    const std::uint64_t hash = hash_of(programs[i]);
    row << (i == 0 ? "" : ", ") << "0x" << std::hex << std::uppercase << hash;
    are_known = are_known && hash == known[i];
  }
  INFO("this build comes to {" << row.str() << "}");
  CHECK(are_known);
}

}  // namespace trace_of_seed_test
