// Law 11: engines end cleanly: drain, wait_finished, cancel, and the destructor, in time and with names.
#include <string>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/patterns/supervisor.hpp"

namespace clean_end_test {

namespace {

using namespace tact::support;

struct spin {
  tracked kept{};
};
struct wheel : tact::protocol<spin> {};
// Never comes to an end by itself.
tact::behavior<wheel> open_wheel() {
  return {[](tact::self<wheel>& self, const spin& m) {
    self.send(self.ref(), m);
    self.become(open_wheel());
  }};
}

struct countdown {
  unsigned left;
  tracked kept{};
};
struct mortal : tact::protocol<countdown> {};
tact::behavior<mortal> open_mortal(std::atomic<long>& handled) {
  return {[&handled](tact::self<mortal>& self, const countdown& m) {
    ++handled;
    if (m.left == 0) return self.stop();
    self.send(self.ref(), countdown{m.left - 1});
    self.send(self.create(open_mortal(handled), tact::parallel), countdown{0});
  }};
}

struct block {};
class blocked_actor : public tact::actor<blocked_actor, block> {
 public:
  blocked_actor(meeting& in, door& out) : in_(&in), out_(&out) {}
  void receive(tact::self<blocked_actor>&, const block&) {
    in_->join();
    out_->pass();
  }

 private:
  meeting* in_;
  door* out_;
};

}  // namespace

TEST_CASE("clean end: an engine without actors ends at once", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  engine.wait_idle();
  engine.wait_finished();
  engine.drain();
  engine.drain();
  engine.cancel();
  engine.wait_idle();
  CHECK(engine.statistics().messages_sent == 0);
}

TEST_CASE("clean end: drain finishes everything that is in flight and what comes of it", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<long> handled{0};
  const auto n = static_cast<unsigned>(scaled(2'000));
  tact::engine engine(quiet_options(workers));
  for (int i = 0; i < 3; ++i) engine.send(engine.create(open_mortal(handled)), countdown{n});
  REQUIRE(engine.drain(generous));
  CHECK(handled == 3 * (2 * static_cast<long>(n) + 1));
  require_accounted(engine);
  CHECK(engine.statistics().actors_alive == 0);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("clean end: wait_finished returns when the last actor has ended, and not before", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<long> handled{0};
  tact::engine engine(quiet_options(workers));
  // One that ends before the next is created does not end the engine.
  const auto first = engine.create(open_mortal(handled), tact::parallel);
  engine.send(first, countdown{0});
  engine.wait_finished();
  const auto second = engine.create(open_mortal(handled));
  CHECK_FALSE(engine.wait_finished(std::chrono::milliseconds(1)));
  engine.send(second, countdown{static_cast<unsigned>(scaled(1'000))});
  REQUIRE(engine.wait_finished(generous));
  CHECK(handled == 2 + 2 * scaled(1'000));
  CHECK(engine.statistics().actors_alive == 0);
  engine.send(second, countdown{0});
  engine.wait_finished();
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("clean end: cancel stops endless loops and counts what it did not deliver", "[law11][law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<std::uint64_t> dead{0};
  auto options = quiet_options(workers);
  options.on_dead_letter = [&](const tact::dead_letter& d) {
    dead += d.reason == tact::failure_reason::engine_ended && d.message == "spin";
  };
  tact::engine engine(options);
  for (int i = 0; i < 20; ++i) {
    const auto w = i % 2 == 0 ? engine.create(open_wheel(), tact::parallel) : engine.create(open_wheel());
    for (int k = 0; k < 5; ++k) engine.send(w, spin{});
  }
  CHECK_FALSE(engine.wait_idle(std::chrono::milliseconds(5)));
  CHECK_FALSE(engine.drain(std::chrono::milliseconds(5)));
  REQUIRE(engine.cancel(generous));
  require_accounted(engine);
  CHECK(dead == 100);
  CHECK(engine.statistics().dead_letters == 100);
}

TEST_CASE("clean end: past a deadline the engine names the actor and the message that keep it", "[law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  meeting in(2);
  door out;
  tact::engine engine(quiet_options(workers));
  const auto a = engine.spawn<blocked_actor>(in, out);
  a | block{};
  REQUIRE(in.join());
  CHECK_FALSE(engine.wait_idle(std::chrono::milliseconds(1)));
  CHECK_FALSE(engine.wait_finished(std::chrono::milliseconds(1)));
  CHECK_FALSE(engine.drain(std::chrono::milliseconds(1)));
  CHECK_FALSE(engine.cancel(std::chrono::milliseconds(1)));
  const std::string text = engine.still_running();
  CHECK_THAT(text, Catch::Matchers::Contains("blocked_actor"));
  CHECK_THAT(text, Catch::Matchers::Contains("handling block"));
  out.open();
  REQUIRE(engine.cancel(generous));
  CHECK_THAT(engine.still_running(), !Catch::Matchers::Contains("handling"));
  require_accounted(engine);
}

TEST_CASE("clean end: the destructor cancels a loop that never ends, says so, and destroys what it held", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  auto options = quiet_options(workers);
  options.shutdown_timeout = std::chrono::milliseconds(20);
  const std::string text = captured_stderr([&] {
    tact::engine engine(options);
    const auto w = engine.create(open_wheel(), tact::parallel);
    for (int i = 0; i < 10; ++i) engine.send(w, spin{});
  });
  CHECK_THAT(text, Catch::Matchers::Contains("still had work") && Catch::Matchers::Contains("1 wheel"));
}

TEST_CASE("clean end: sends that race with the end are all accounted for", "[law11][law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  for (int round = 0; round < scaled(30); ++round) {
    const nothing_left left;
    constexpr std::uint64_t each = 200;
    tact::engine engine(quiet_options(workers));
    const auto sink = engine.create(tact::sink<spin>(), tact::parallel);
    const auto pit = engine.create(tact::sink<spin>());
    meeting ready(4);
    on_threads(4, [&](unsigned thread) {
      ready.join();
      if (thread == 0) return round % 2 == 0 ? engine.cancel() : engine.drain();
      for (std::uint64_t i = 0; i < each; ++i) engine.send(i % 2 == 0 ? sink : pit, spin{});
    });
    require_accounted(engine);
    REQUIRE(engine.statistics().messages_sent == 3 * each);
    REQUIRE(engine.statistics().failures == 0);
  }
}

namespace {

struct question {
  using reply = int;
};
struct silent : tact::protocol<tact::request<question>> {};
// Never answers.
tact::behavior<silent> open_silent() {
  return {[](auto& self, const tact::request<question>& m) { self.defer(m); }};
}

enum class way { drains, cancels, cancels_while_busy };

}  // namespace

TEST_CASE("clean end: behind a drain or cancel whose limit has passed, all that waits for the end goes on", "[law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const way how = GENERATE(way::drains, way::cancels, way::cancels_while_busy);
  const auto limit = GENERATE(std::chrono::microseconds(0), std::chrono::microseconds(30));
  const nothing_left left;
  meeting in(2);
  door out;
  std::future<int> answer;
  {
    tact::engine engine(quiet_options(workers));
    auto outer = std::make_unique<tact::scope>(engine);
    auto inner = std::make_unique<tact::scope>(engine, *outer);
    auto family = std::make_unique<tact::supervisor>(engine);
    answer = engine.ask_future(inner->create(open_silent()), question{});
    static_cast<void>(outer->create(open_silent(), tact::parallel));
    static_cast<void>(family->create(tact::restarting(open_silent)));
    engine.wait_idle();
    if (how == way::cancels_while_busy) {
      engine.send(engine.spawn<blocked_actor>(tact::blocking, in, out), block{});
      REQUIRE(in.join());
    }
    static_cast<void>(how == way::drains ? engine.drain(limit) : engine.cancel(limit));
    out.open();
    family.reset();
    inner.reset();
    outer.reset();
    CHECK_THROWS_AS(answer.get(), tact::ask_error);
  }
}

}  // namespace clean_end_test
