// What a trace says of handlers that wait, of what they create, and of the times between their steps.
#include <map>
#include <stdexcept>

#include "inspect/consistent.hpp"
#include "support/engine_fixture.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/simulation.hpp"

namespace inspect_waiting_test {

namespace {

using namespace tact::support;
using tact::inspect::event;
using tact::inspect::outcome;
using tact::inspect::recorder;
using tact::inspect::step;
using tact::inspect::trace;

struct first {};
struct second {};
struct half {
  using reply = int;
  int of;
};
struct news : tact::protocol<second> {};

const std::vector<std::string> nothing;

tact::behavior<tact::request<half>> halving() {
  return [](auto& self, const tact::request<half>& m) { self.reply(m, m.body.of / 2); };
}
tact::behavior<news> listening() {
  return [](auto&, const second&) {};
}

std::vector<const event*> find_all(const trace& t, step what, std::string_view type = {}) {
  std::vector<const event*> found;
  for (const event& e : t.events()) {
    if (e.what == what && (type.empty() || e.message_type == type || e.actor_type == type)) found.push_back(&e);
  }
  return found;
}
std::uint64_t number_of(const trace& t, std::string_view type) {
  const auto sent = find_all(t, step::sent, type);
  REQUIRE(sent.size() == 1);
  return sent.front()->message;
}

}  // namespace

TEST_CASE("trace: what a handler creates before its wait and behind it is told, and comes of its message") {
  tact::engine engine(quiet_options(2));
  recorder records(engine);
  const auto service = engine.create(halving());
  const auto asking = [=](auto& self, const first&) {
    self.send(self.create(listening()), second{});
    static_cast<void>(self.ask(service, half{2}));
    self.send(self.create(listening()), second{});
    self.stop();
  };
  engine.send(engine.create(tact::behavior<first>(asking)), first{});
  require_idle(engine);

  const trace t = records.read();
  CHECK(contradictions_in(t, read_when::complete) == nothing);
  const auto created = find_all(t, step::created, "news");
  REQUIRE(created.size() == 2);
  for (const event* e : created) CHECK(e->cause == number_of(t, "first"));
  const auto stopped = find_all(t, step::stopped);
  REQUIRE(stopped.size() == 1);
  CHECK(stopped.front()->cause == number_of(t, "first"));
}

TEST_CASE("trace: a handler that fails behind its wait has failed, and the answer was taken") {
  tact::engine engine(quiet_options(1));
  recorder records(engine);
  const auto service = engine.create(halving());
  const auto target = engine.create(listening());
  const auto asking = [=](auto& self, const tact::request<half>& m) {
    self.send(target, second{});
    static_cast<void>(self.ask(service, half{m.body.of}));
    self.note("behind the wait");
    self.send(target, second{});
    throw std::runtime_error("no");
  };
  const auto failing = engine.create(tact::behavior<tact::request<half>>(asking));
  CHECK_THROWS(engine.ask(failing, half{4}));
  require_idle(engine);

  const trace t = records.read();
  CHECK(contradictions_in(t, read_when::complete) == nothing);
  const auto waits = find_all(t, step::waits);
  REQUIRE(waits.size() == 1);
  const std::uint64_t asked = waits.front()->message;
  std::size_t failed = 0;
  for (const event* e : find_all(t, step::over)) {
    CHECK(e->how == (e->message == asked ? outcome::failed : outcome::committed));
    failed += e->message == asked ? 1U : 0U;
  }
  CHECK(failed == 1);
  std::vector<bool> undone;
  for (const event* e : find_all(t, step::sent, "second")) undone.push_back(e->is_undone);
  CHECK(undone == std::vector<bool>{false, true});
  // What its customer is told comes of the message that has failed.
  const auto notices = find_all(t, step::sent, "tact::failure");
  REQUIRE(notices.size() == 1);
  CHECK(notices.front()->cause == asked);
  CHECK(!notices.front()->is_undone);
}

TEST_CASE("trace: a handler that began unrecorded goes on by the answer, of which it then comes") {
  tact::engine engine(quiet_options(1));
  const auto target = engine.create(listening());
  const auto service = engine.create(halving());
  door asked, answered;
  const auto slow = engine.create(tact::behavior<tact::request<half>>([&](auto& self, const tact::request<half>& m) {
                                    asked.open();
                                    answered.pass();
                                    self.reply(m, m.body.of);
                                  }),
                                  tact::blocking);
  recorder records(engine);
  records.stop();
  engine.send(engine.create(tact::behavior<first>([=](auto& self, const first&) {
    static_cast<void>(self.ask(slow, half{1}));
    self.send(target, second{});
    static_cast<void>(self.ask(service, half{1}));
    self.send(target, second{});
  })),
              first{});
  REQUIRE(asked.pass());
  records.start();
  answered.open();
  require_idle(engine);

  const trace t = records.read();
  CHECK(contradictions_in(t, read_when::at_rest) == nothing);
  const auto sent = find_all(t, step::sent, "second");
  REQUIRE(sent.size() == 2);
  for (const event* e : sent) CHECK(e->cause != 0);
}

TEST_CASE("trace: a worker that has had nothing to do begins the next message when it does, not when it was done") {
  tact::engine engine(quiet_options(1));
  recorder records(engine, {.one_of = 2});
  std::atomic<int> handled{0};
  const auto counting = engine.create(tact::behavior<first>([&](auto&, const first&) { ++handled; }));
  const auto send = [&] {
    engine.send(counting, first{});
    require_idle(engine);
  };
  // Of two messages one is chosen: by the thread that sends, or by the worker, if the thread has not chosen it.
  send();
  send();
  const auto before = std::chrono::steady_clock::now().time_since_epoch();
  send();
  const trace t = records.read();
  const auto begun = find_all(t, step::begun);
  REQUIRE(begun.size() == 2);
  CHECK(find_all(t, step::sent).size() == 1);
  CHECK(begun.front()->at < before);
  // The rate of the counter is measured, and a little wrong.
  CHECK(begun.back()->at > before - std::chrono::microseconds(50));
}

TEST_CASE("trace: handlers that wait are shown for as long as they run and wait") {
  using std::chrono::milliseconds;
  tact::simulation sim(1);
  tact::engine& engine = sim.engine(quiet_options(1));
  recorder records(engine);
  // Answers after as many milliseconds as it is asked for.
  const auto late = engine.create(tact::behavior<tact::request<half>>([](auto& self, const tact::request<half>& m) {
    self.send_after(milliseconds(m.body.of), m.customer, int{m.body.of});
    self.defer(m);
  }));
  for (const int wait : {25, 10}) {
    engine.send(engine.create(tact::behavior<first>([=](auto& self, const first&) {
      static_cast<void>(self.ask(late, half{wait}));
      static_cast<void>(self.ask(late, half{2 * wait}));
    })),
                first{});
  }
  sim.advance(milliseconds(100));

  const trace t = records.read();
  CHECK(contradictions_in(t, read_when::at_rest) == nothing);
  std::map<std::uint64_t, std::vector<milliseconds>> waits;
  std::map<std::uint64_t, std::chrono::nanoseconds> since;
  for (const event& e : t.events()) {
    if (e.what == step::waits) since[e.message] = e.at;
    if (e.what == step::goes_on)
      waits[e.message].push_back(std::chrono::duration_cast<milliseconds>(e.at - since.at(e.message)));
  }
  std::vector<std::vector<milliseconds>> all;
  for (const auto& [message, each] : waits) all.push_back(each);
  CHECK(all == std::vector<std::vector<milliseconds>>{{milliseconds(25), milliseconds(50)},
                                                      {milliseconds(10), milliseconds(20)}});
}

}  // namespace inspect_waiting_test
