// The contents of messages in the trace of a simulation.
#include <ostream>
#include <stdexcept>
#include <string>

#include "simulation/office.hpp"

namespace {

using namespace tact::simulated_tests;
using Catch::Matchers::Contains;

struct note {
  std::string text;
};
std::ostream& operator<<(std::ostream& out, const note& n) { return out << n.text; }
struct bad {};
std::ostream& operator<<(std::ostream& out, const bad&) {
  out << "half of it";
  throw std::runtime_error("printing failed");
}
struct plain {};
struct page {
  using reply = long;
  int number;
};
std::ostream& operator<<(std::ostream& out, const page& p) { return out << "page " << p.number; }
struct reader : tact::protocol<note, bad, plain, tact::request<page>> {};
tact::behavior<reader> open_reader() {
  return {[](auto&, const note&) {}, [](auto&, const bad&) {}, [](auto&, const plain&) {},
          [](auto& self, const tact::request<page>& m) { self.reply(m, m.body.number * 10L); }};
}

template <class M>
std::string trace_of(const M& message, bool shows) {
  tact::simulation sim(1);
  if (shows) sim.show_messages<reader>();
  sim.engine().send(sim.engine().create(open_reader()), message);
  sim.run();
  return sim.trace();
}

TEST_CASE("trace: a message that can be printed shows its contents where it is sent and handled", "[simulation]") {
  const std::string trace = trace_of(note{"two words"}, true);
  CHECK_THAT(trace, Contains("reader@1 is sent note (two words)\n") &&
                        Contains("reader@1 handles note (two words)\n") && Contains("reader@1 has committed note\n"));
  CHECK_THAT(trace_of(note{"two words"}, false), Contains("is sent note\n") && !Contains("two words"));
  CHECK_THAT(trace_of(plain{}, true), Contains("handles plain\n"));
}

TEST_CASE("trace: a request shows its query, and its answer is shown too", "[simulation]") {
  tact::simulation sim(1);
  sim.show_messages<reader>();
  auto& engine = sim.engine();
  CHECK(engine.ask(engine.create(open_reader()), page{7}) == 70);
  CHECK_THAT(sim.trace(), Contains("handles request<page> (page 7)\n") && Contains("handles long (70)\n"));
}

TEST_CASE("trace: contents take one line, and of a long text the beginning is shown", "[simulation]") {
  CHECK_THAT(trace_of(note{"first\nsecond\tthird"}, true), Contains("handles note (first second third)\n"));
  CHECK_THAT(trace_of(note{std::string(1'000'000, 'x')}, true),
             Contains("handles note (" + std::string(120, 'x') + "...)\n"));
  std::string umlauts = "x";  // so that the limit is within a character
  for (int i = 0; i < 100; ++i) umlauts += "\xC3\xA4";
  CHECK_THAT(trace_of(note{umlauts}, true), Contains("(" + umlauts.substr(0, 119) + "...)\n"));
}

TEST_CASE("trace: a message whose printing throws has its name alone, and is handled all the same", "[simulation]") {
  const std::string trace = trace_of(bad{}, true);
  CHECK_THAT(trace, Contains("is sent bad\n") && Contains("has committed bad\n") && !Contains("half"));
}

TEST_CASE("trace: explore shows the contents of the failure that it has found", "[simulation]") {
  const auto found = tact::explore(100,
                                   [](tact::simulation& sim) {
                                     sim.show_messages<reader>();
                                     sim.engine().send(sim.engine().create(open_reader()), note{"the last words"});
                                     sim.run();
                                     sim.check(false, "always");
                                   },
                                   {.prints = false});
  CHECK(found.failed);
  CHECK_THAT(found.trace, Contains("handles note (the last words)"));
}

}  // namespace
