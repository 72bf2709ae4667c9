// What a trace says of causes, of undone runs, and of handlers that wait.
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "support/engine_fixture.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/simulation.hpp"

namespace inspect_causes_test {

namespace {

using namespace tact::support;
using tact::inspect::event;
using tact::inspect::outcome;
using tact::inspect::step;
using tact::inspect::trace;

struct first {};
struct second {};
struct third {
  int number = 0;
};
struct half {
  using reply = int;
  int of;
};

const event* find(const trace& t, step what, std::string_view message) {
  const auto& all = t.events();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const event& e) { return e.what == what && e.message_type.ends_with(message); });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("trace: a message knows of which messages it came, back to the thread outside") {
  tact::engine engine(quiet_options(2));
  tact::inspect::recorder recorder(engine);
  const auto last = engine.create(tact::behavior<third>([](auto&, const third&) {}));
  const auto middle =
      engine.create(tact::behavior<second>([=](auto& self, const second&) { self.send(last, third{}); }));
  const auto entry =
      engine.create(tact::behavior<first>([=](auto& self, const first&) { self.send(middle, second{}); }));
  engine.send(entry, first{});
  require_idle(engine);

  const trace t = recorder.read();
  const event* const e = find(t, step::sent, "third");
  REQUIRE(e != nullptr);
  const auto chain = t.causes_of(e->message);
  REQUIRE(chain.size() == 3);
  CHECK(chain[0].message_type.ends_with("third"));
  CHECK(chain[1].message_type.ends_with("second"));
  CHECK(chain[2].message_type.ends_with("first"));
  CHECK(chain[2].cause == 0);
  CHECK(t.threads()[chain[2].thread].starts_with("threads outside"));
  const std::string why = t.why(e->message);
  CHECK(std::count(why.begin(), why.end(), '\n') == 3);
  CHECK(why.find("because of") != std::string::npos);
  CHECK(t.why(12345678).find("not recorded") != std::string::npos);
}

TEST_CASE("trace: what a handler sent before it threw an exception is shown, and marked as undone") {
  tact::engine engine(quiet_options(1));
  tact::inspect::recorder recorder(engine);
  const auto target = engine.create(tact::behavior<third>([](auto&, const third&) {}));
  const auto failing = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    self.send(target, third{});
    self.note("about to fail");
    throw std::runtime_error("no");
  }));
  engine.send(failing, first{});
  require_idle(engine);

  const trace t = recorder.read();
  const event* const sent = find(t, step::sent, "third");
  REQUIRE(sent != nullptr);
  CHECK(sent->is_undone);
  CHECK(find(t, step::begun, "third") == nullptr);
  const auto marked =
      std::find_if(t.events().begin(), t.events().end(), [](const event& e) { return e.what == step::marked; });
  REQUIRE(marked != t.events().end());
  CHECK(marked->text == "about to fail");
  CHECK(marked->is_undone);
}

TEST_CASE("trace: what is sent after discard takes effect, what was sent before does not") {
  tact::engine engine(quiet_options(1));
  tact::inspect::recorder recorder(engine);
  const auto target = engine.create(tact::behavior<third>([](auto&, const third&) {}));
  const auto careful = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    self.send(target, third{1});
    self.discard();
    self.send(target, third{2});
  }));
  engine.send(careful, first{});
  require_idle(engine);

  const trace t = recorder.read();
  std::vector<bool> undone;
  for (const event& e : t.events()) {
    if (e.what == step::sent && e.message_type.ends_with("third")) undone.push_back(e.is_undone);
  }
  CHECK(undone == std::vector<bool>{true, false});
}

TEST_CASE("trace: a handler that waits is shown until it waits, and again when it goes on") {
  tact::engine engine(quiet_options(2));
  tact::inspect::recorder recorder(engine);
  const auto service = engine.create(tact::behavior<tact::request<half>>(
      [](auto& self, const tact::request<half>& m) { self.reply(m, m.body.of / 2); }));
  const auto target = engine.create(tact::behavior<third>([](auto&, const third&) {}));
  const auto asking = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    const int got = self.ask(service, half{8});
    self.send(target, third{got});
  }));
  engine.send(asking, first{});
  require_idle(engine);

  const trace t = recorder.read();
  const event* const begun = find(t, step::begun, "first");
  REQUIRE(begun != nullptr);
  std::vector<step> steps;
  for (const event& e : t.events()) {
    if (e.message == begun->message && e.what != step::sent) steps.push_back(e.what);
  }
  CHECK(steps == std::vector<step>{step::begun, step::waits, step::goes_on, step::over});
  // What it sends behind the wait comes of its own message.
  const event* const sent = find(t, step::sent, "third");
  REQUIRE(sent != nullptr);
  CHECK(sent->cause == begun->message);
}

TEST_CASE("trace: a message for an actor that has ended is an unserved one, with its cause") {
  tact::engine engine(quiet_options(1));
  tact::inspect::recorder recorder(engine);
  const auto ended = engine.create(tact::behavior<third>([](auto& self, const third&) { self.stop(); }));
  engine.send(ended, third{});
  require_idle(engine);
  const auto sender =
      engine.create(tact::behavior<first>([=](auto& self, const first&) { self.send(ended, third{}); }));
  engine.send(sender, first{});
  require_idle(engine);

  const trace t = recorder.read();
  const event* const unserved = find(t, step::unserved, "third");
  REQUIRE(unserved != nullptr);
  CHECK(unserved->why == tact::failure_reason::target_ended);
  CHECK(t.causes_of(unserved->message).size() == 2);
}

TEST_CASE("trace: a message that a timer sends comes of the message whose handler has set it") {
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  tact::inspect::recorder recorder(engine);
  const auto target = engine.create(tact::behavior<third>([](auto&, const third&) {}));
  const auto setting = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    self.send_after(std::chrono::milliseconds(10), target, third{});
    self.send_every(std::chrono::milliseconds(10), target, third{});
  }));
  engine.send(setting, first{});
  sim.advance(std::chrono::milliseconds(25));

  const trace t = recorder.read();
  const event* const begun = find(t, step::begun, "first");
  REQUIRE(begun != nullptr);
  std::size_t sent = 0;
  for (const event& e : t.events()) {
    if (e.what != step::sent || e.message == begun->message) continue;
    ++sent;
    CHECK(e.cause == begun->message);
  }
  CHECK(sent == 3);
}

TEST_CASE("trace: a sequence chart shows what came of a message, what was undone, and says what it leaves out") {
  tact::engine engine(quiet_options(1));
  tact::inspect::recorder recorder(engine);
  const auto target = engine.create(tact::behavior<third>([](auto&, const third&) {}));
  const auto failing = engine.create(tact::behavior<second>([=](auto& self, const second&) {
    self.send(target, third{});
    throw std::runtime_error("no");
  }));
  const auto entry = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    self.note("at the end; of it");
    self.send(failing, second{});
    self.send(target, third{});
  }));
  engine.send(entry, first{});
  engine.send(target, third{});  // belongs to another task
  require_idle(engine);

  const trace t = recorder.read();
  const auto chart_of = [&](std::size_t most) {
    std::ostringstream text;
    t.write_mermaid(text, find(t, step::sent, "first")->message, most);
    return text.str();
  };
  const std::string all = chart_of(200);
  INFO(all);
  const auto count = [&](std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = all.find(part); at != std::string::npos; at = all.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(all.starts_with("sequenceDiagram\n  participant a1 as outside\n"));
  CHECK(count("  participant") == 4);
  CHECK(count("->>") == 3);
  CHECK(count("--x") == 1);
  CHECK(count("(undone)") == 1);
  CHECK(count("failed at") == 1);
  CHECK(count("at the #101;nd#59; of it") == 1);
  CHECK(count("not shown") == 0);
  CHECK(chart_of(2).find("4 more steps are not shown") != std::string::npos);

  std::ostringstream picture;
  t.write_svg(picture, find(t, step::sent, "first")->message, 5);
  const std::string svg = picture.str();
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(svg.find("at the end; of it") != std::string::npos);
  CHECK(svg.find("class=\"undone\"") != std::string::npos);
  CHECK(svg.find("1 more step is not shown") != std::string::npos);
}

}  // namespace inspect_causes_test
