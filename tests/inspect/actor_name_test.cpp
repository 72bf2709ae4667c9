// An actor has one name: what its ref prints is what all that looks at it says.
#include <sstream>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/inspect/actor_watch.hpp"
#include "tact/inspect/recorder.hpp"

namespace inspect_actor_name_test {

namespace {

using namespace tact::support;
using Catch::Contains;
using Catch::StartsWith;
using tact::inspect::step;
using tact::inspect::trace;

struct deposit {};
struct close {};
struct account : tact::protocol<deposit, close> {};
struct begin {};
struct teller : tact::protocol<begin> {};

auto open_account() {
  return tact::behavior<account>([](auto&, const deposit&) {}, [](auto& self, const close&) { self.stop(); });
}

template <class P>
std::string printed(tact::ref<P> r) {
  std::ostringstream text;
  text << r;
  return text.str();
}

template <class Write>
std::string written(Write write) {
  std::ostringstream text;
  write(text);
  return text.str();
}

// Not the first actor of its cell, so that the address without the generation is not enough to know it.
tact::ref<account> reopened(tact::engine& engine) {
  const auto closed = engine.create(open_account());
  engine.send(closed, close{});
  require_idle(engine);
  return engine.create(open_account());
}

std::uint64_t number_of(const trace& t, step what, std::string_view message) {
  for (const auto& e : t.events()) {
    if (e.what == what && e.message_type.ends_with(message)) return e.message;
  }
  return 0;
}

}  // namespace

TEST_CASE("inspect: the recorder's texts, charts and exports name an actor as its ref does") {
  tact::engine engine(quiet_options(1));
  tact::inspect::recorder recorder(engine);
  const auto target = reopened(engine);
  const auto sender =
      engine.create(tact::behavior<teller>([=](auto& self, const begin&) { self.send(target, deposit{}); }));
  const std::string account_name = printed(target);
  const std::string teller_name = printed(sender);
  CHECK_THAT(account_name, Catch::Matches("account@[0-9a-f]+#[0-9]+"));

  std::vector<std::string> lines;
  tact::inspect::actor_watch watch(recorder, target, {.every = std::chrono::hours(1), .to = [&](std::string_view line) {
                                                        lines.emplace_back(line);
                                                      }});
  engine.send(sender, begin{});
  require_idle(engine);
  const trace t = recorder.read();
  const std::uint64_t deposited = number_of(t, step::sent, "deposit");
  const std::uint64_t began = number_of(t, step::sent, "begin");

  CHECK_THAT(t.why(deposited), Contains(" for " + account_name + ", sent"));
  CHECK_THAT(t.why(deposited), Contains(" for " + teller_name + ", sent"));
  for (const std::string& name : {account_name, teller_name}) {
    CHECK_THAT(written([&](std::ostream& to) { t.write_svg(to, began); }), Contains('>' + name + '<'));
    // '#' begins a sign by its number in the language of Mermaid.
    std::string in_mermaid = name;
    in_mermaid.replace(in_mermaid.find('#'), 1, "#35;");
    CHECK_THAT(written([&](std::ostream& to) { t.write_mermaid(to, began); }), Contains(" as " + in_mermaid + '\n'));
    const std::string json = written([&](std::ostream& to) { t.write_chrome_json(to); });
    CHECK_THAT(json, Contains(R"("args":{"name":")" + name + '"') && Contains(R"("args":{"actor":")" + name + '"'));
  }
  watch.look();
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], StartsWith(account_name + " at ") && Contains(" from " + teller_name + ": committed"));
}

}  // namespace inspect_actor_name_test
