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

struct inc {
  int by;
};
struct value {
  using reply = long;
};
struct counter : protocol<inc, request<value>> {};
behavior<counter> count(long so_far) {
  return {[=](tact::self<counter>& self, const inc& m) { self.become(count(so_far + m.by)); },
          [=](auto& self, const request<value>& m) { self.reply(m, so_far); }};
}
struct relay : protocol<request<value>> {};
behavior<relay> ask_on(ref<request<value>> to, bool waits) {
  return {[=](tact::self<relay>& self, const request<value>& m) {
    if (waits) return self.reply(m, self.ask(to, value{}));
    self.defer(m);
    self.ask(to, value{}, [c = m.customer](transaction& tx, long v) { tx.send(c, v); });
  }};
}

struct ring : protocol<request<value>, ref<request<value>>> {};
behavior<ring> ask_round(ref<request<value>> next) {
  return {[=](auto& self, const request<value>& m) { self.reply(m, self.ask(next, value{})); },
          [](tact::self<ring>& self, const ref<request<value>>& other) { self.become(ask_round(other)); }};
}

using program = void (*)(tact::simulation&, engine&, ref<counter>);
constexpr int times = 10;

constexpr program programs[] = {
    [](tact::simulation&, engine& e, ref<counter>) {  // runs that collide
      const auto p = e.create(count(0), parallel);
      for (int i = 0; i < times; ++i) e.send(p, inc{i});
    },
    [](tact::simulation&, engine& e, ref<counter> c) {
      for (int i = 0; i < times; ++i) static_cast<void>(e.ask(c, value{}));
    },
    [](tact::simulation&, engine& e, ref<counter> c) {
      const auto a = e.create(ask_on(c, true));
      for (int i = 0; i < times; ++i) static_cast<void>(e.ask(a, value{}));
    },
    [](tact::simulation&, engine& e, ref<counter> c) {
      const auto a = e.create(ask_on(c, false), parallel);
      for (int i = 0; i < times; ++i) static_cast<void>(e.ask(a, value{}));
    },
    [](tact::simulation& sim, engine& e, ref<counter> c) {
      for (int i = 0; i < times; ++i) static_cast<void>(e.send_after(std::chrono::milliseconds(i), c, inc{i}));
      sim.advance(20ms);
    },
    [](tact::simulation&, engine& e, ref<counter>) {
      tact::scope members(e);
      for (int i = 0; i < times; ++i) e.send(members.create(count(i)), inc{i});
    },
    [](tact::simulation&, engine& e, ref<counter>) {
      const auto b = e.create(count(0), blocking);
      for (int i = 0; i < times; ++i) e.send(b, inc{i});
    },
    [](tact::simulation&, engine& e, ref<counter>) {
      const auto all = e.create(topic<inc>());
      for (int i = 0; i < times / 2; ++i) e.ask(all, subscribe_topic<inc>{e.create(count(i))});
      for (int i = 0; i < times / 2; ++i) e.send(all, inc{i});
    },
    [](tact::simulation&, engine& e, ref<counter>) {
      const auto p = e.create(count(0), parallel);
      e.set_workers(2);
      for (int i = 0; i < times; ++i) e.send(p, inc{i});
      e.set_workers(4);
    },
    [](tact::simulation&, engine& e, ref<counter>) {  // handlers that wait for each other, and are told
      const auto first = e.create(ask_round({}), by_priority([](const request<value>&) { return 0; }));
      const auto round = e.create(ask_round(first));
      e.send(first, ref<request<value>>(round));
      try {
        static_cast<void>(e.ask(round, value{}));
      } catch (const ask_error&) {
        // As it must be.
      }
    },
};
// What the traces of 50 seeds come to for each program. When a change of the library changes executions on purpose, the
// test prints the new row; it must be the same in all builds.
constexpr std::uint64_t known[] = {0x9005A77A758602A8, 0x59F2542970E18461, 0x9062A0A58BF045EE, 0x80820678926ABE9F,
                                   0x24F72883DC4F4A09, 0x12D551D628DD25CD, 0xACCCCFEE4901C979, 0x34B59847C80F856F,
                                   0xA162FFA7A7AC5A11, 0xC9E61C7973596071};

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
      const auto c = e.create(count(0));
      for (int i = 0; i < times; ++i) e.send(c, inc{i});
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
  INFO("constexpr std::uint64_t known[] = {" << row.str() << "};");
  CHECK(are_known);
}

}  // namespace trace_of_seed_test
