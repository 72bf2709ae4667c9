// What a trace says when steps are lost, when messages get no handler, and when much is read.
#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "inspect/consistent.hpp"
#include "support/engine_fixture.hpp"
#include "tact/inspect/recorder.hpp"

namespace inspect_lost_test {

namespace {

using namespace tact::support;
using tact::inspect::event;
using tact::inspect::outcome;
using tact::inspect::recorder;
using tact::inspect::step;
using tact::inspect::trace;

struct first {};
struct second {
  int number = 0;
};

const std::vector<std::string> nothing;
constexpr std::size_t least_memory = 64 << 10;  // 2048 steps

tact::behavior<second> listening() {
  return [](auto&, const second&) {};
}

}  // namespace

TEST_CASE("trace: of a handler whose beginning is lost it is known that it failed, and what its sends came of") {
  tact::engine engine(quiet_options(1));
  recorder records(engine, {.bytes_per_thread = least_memory});
  const auto target = engine.create(listening());
  const auto failing = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    for (int n = 0; n < 5000; ++n) self.send(target, second{n});
    throw std::runtime_error("no");
  }));
  engine.send(failing, first{});
  require_idle(engine);

  const trace t = records.read();
  REQUIRE(t.lost() > 0);
  const auto last = std::find_if(t.events().rbegin(), t.events().rend(), [](const event& e) { return e.message != 0; });
  REQUIRE(last != t.events().rend());
  REQUIRE(last->what == step::over);
  CHECK(last->how == outcome::failed);
  std::size_t sent = 0;
  std::size_t right = 0;
  for (const event& e : t.events()) {
    if (e.message_type != "second") continue;
    ++sent;
    right += e.is_undone && e.cause == last->message ? 1U : 0U;
  }
  CHECK(sent > 1000);
  CHECK(right == sent);
}

TEST_CASE("trace: when all actors have ended no handler runs any more, however many steps are lost") {
  tact::engine engine(quiet_options(2));
  recorder records(engine, {.bytes_per_thread = least_memory});
  const auto dying = [](auto& self, const second& m) {
    if (m.number != 0) {
      for (int n = 0; n < 2; ++n)
        self.send(self.create(tact::behavior<second>([](auto& its, const second&) { its.stop(); })), second{0});
    }
    self.stop();
  };
  for (int n = 0; n < 2000; ++n) engine.send(engine.create(tact::behavior<second>(dying)), second{1});
  require_idle(engine);
  const trace t = records.read();
  CHECK(t.lost() > 0);
  CHECK(engine.statistics().actors_alive == 0);
  CHECK(contradictions_in(t, read_when::at_rest) == nothing);
  std::ostringstream json;
  t.write_chrome_json(json);
  CHECK(json.str().ends_with("]\n"));
}

TEST_CASE("trace: messages of a full mailbox are dead letters with their numbers, the others are handled by theirs") {
  const auto policy = GENERATE(tact::when_full::drop_newest, tact::when_full::drop_oldest);
  tact::engine engine(quiet_options(2));
  recorder records(engine);
  const auto small = engine.create(listening(), tact::mailbox_limit{.messages = 3, .when_full = policy});
  const auto flooding = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    for (int n = 0; n < 10; ++n) self.send(small, second{n});
  }));
  engine.send(flooding, first{});
  require_idle(engine);

  const trace t = records.read();
  CHECK(contradictions_in(t, read_when::complete) == nothing);
  std::size_t unserved = 0;
  for (const event& e : t.events()) {
    if (e.what != step::unserved) continue;
    ++unserved;
    CHECK(e.why == tact::failure_reason::mailbox_full);
    CHECK(t.causes_of(e.message).size() == 2);
  }
  CHECK(unserved == engine.statistics().dead_letters);
  CHECK(unserved != 0);
}

TEST_CASE("trace: what a thread outside sends to an actor that has ended is a dead letter with its number") {
  tact::engine engine(quiet_options(1));
  recorder records(engine);
  const auto gone = engine.create(tact::behavior<second>([](auto& self, const second&) { self.stop(); }));
  engine.send(gone, second{});
  require_idle(engine);
  engine.send(gone, second{1});

  const std::vector<tact::dead_letter> letters = engine.dead_letters();
  REQUIRE(letters.size() == 1);
  REQUIRE(letters[0].trace != 0);
  const trace t = records.read();
  CHECK(contradictions_in(t, read_when::complete) == nothing);
  const auto found = std::find_if(t.events().begin(), t.events().end(), [&](const event& e) {
    return e.what == step::unserved && e.message == letters[0].trace;
  });
  REQUIRE(found != t.events().end());
  CHECK(found->message_type == "second");
  CHECK(t.causes_of(letters[0].trace).size() == 1);
}

TEST_CASE("trace: what an engine has not handled when it ends is told with its number") {
  auto engine = std::make_unique<tact::engine>(quiet_options(1));
  recorder records(*engine);
  door begun, ends;
  const auto slow = engine->create(tact::behavior<second>([&](auto&, const second& m) {
    if (m.number != 0) return;
    begun.open();
    ends.pass();
  }));
  for (int n = 0; n < 4; ++n) engine->send(slow, second{n});
  REQUIRE(begun.pass());
  // It does not wait for the handler, which goes on; the other messages are not handled any more.
  CHECK(!engine->cancel(std::chrono::milliseconds(0)));
  ends.open();
  engine.reset();

  // A trace can be read after the end of its engine.
  const trace t = records.read();
  CHECK(contradictions_in(t, read_when::complete) == nothing);
  std::size_t unserved = 0;
  for (const event& e : t.events()) unserved += e.what == step::unserved && e.message != 0 ? 1U : 0U;
  CHECK(unserved == 3);
}

TEST_CASE("trace: to read and write traces adds nothing to them") {
  tact::engine engine(quiet_options(1));
  recorder records(engine);
  const auto of_messages = [](const trace& t) {
    return std::count_if(t.events().begin(), t.events().end(), [](const event& e) { return e.message != 0; });
  };
  std::ptrdiff_t seen = 0;
  const auto looking = engine.create(tact::behavior<first>([&](auto&, const first&) {
    for (int n = 0; n < 10; ++n) {
      const trace t = records.read();
      std::ostringstream text;
      t.write_chrome_json(text);
      seen = of_messages(t);
    }
  }));
  for (int n = 0; n < 5; ++n) engine.send(looking, first{});
  require_idle(engine);
  CHECK(seen <= 15);
  const trace last = records.read();
  CHECK(of_messages(last) == 15);
}

TEST_CASE("trace: a chart of ten thousand messages is cut, and says by how much") {
  tact::engine engine(quiet_options(1));
  recorder records(engine, {.bytes_per_thread = std::size_t{4} << 20});
  const auto target = engine.create(listening());
  const auto entry = engine.create(tact::behavior<first>([=](auto& self, const first&) {
    for (int n = 0; n < 10'000; ++n) self.send(target, second{n});
  }));
  engine.send(entry, first{});
  require_idle(engine);

  const trace t = records.read();
  REQUIRE(t.events().front().message_type == "first");
  std::ostringstream mermaid, svg;
  t.write_mermaid(mermaid, t.events().front().message);
  t.write_svg(svg, t.events().front().message);
  const std::string text = mermaid.str();
  CHECK(std::count(text.begin(), text.end(), '\n') < 210);
  CHECK(text.find("9801 more steps are not shown") != std::string::npos);
  CHECK(svg.str().find("8001 more steps are not shown") != std::string::npos);
}

}  // namespace inspect_lost_test
