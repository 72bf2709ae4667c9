// What code that is compiled for debugging is told at the spot: a scope behind its engine, an object that is attached
// twice or goes too early, a self in the wrong place, a continuation that refers to what has gone.
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/sanitized.hpp"
#include "support/captured_stderr.hpp"
#include "support/death.hpp"
#include "support/engine_fixture.hpp"
#include "support/refusal.hpp"
#include "tact/scope.hpp"
#include "unit/actors/misuses.hpp"

namespace misuse_test {

namespace {

using namespace tact::support;
using Catch::Matchers::Contains;
using tact::allocation;

struct ping {};
struct stop {};
struct question {
  using reply = int;
};
using line = tact::protocol<ping>;

tact::behavior<line> nothing() {
  return {[](auto&, const ping&) {}};
}

}  // namespace

TEST_CASE("scope: to create by it behind its engine is refused by name", "[scope]") {
  auto engine = std::make_unique<tact::engine>(quiet_options(1));
  tact::scope group(*engine);
  static_cast<void>(group.create(nothing(), tact::parallel));
  engine.reset();
  // Another engine may have come to the place of the first one.
  engine = std::make_unique<tact::engine>(quiet_options(1));
  CHECK_THAT(refusal([&] { static_cast<void>(group.create(nothing(), tact::parallel)); }),
             Contains("the engine of this scope has ended"));
  CHECK_THAT(
      refusal([&] {
        static_cast<void>(group.create_group([](tact::ref<line>) { return std::tuple(nothing()); }, tact::parallel));
      }),
      Contains("the engine of this scope has ended"));
  CHECK(engine->statistics().actors_created == 0);
  CHECK(group.size() == 0);
  group.end();
  group.wait();
}

#if !defined(NDEBUG)

namespace {

std::string this_file(unsigned at) { return std::string("misuse_test.cpp:") + std::to_string(at); }

// Ends as it is told by what it returns.
class counter : public tact::actor<counter, ping, stop> {
 public:
  explicit counter(allocation last = allocation::finished) : last_(last) {}
  void receive(tact::self<counter>&, const ping&) { ++pings; }
  allocation receive(tact::self<counter>&, const stop&) const { return last_; }
  int pings = 0;

 private:
  allocation last_;
};

tact::ref<tact::request<question>> make_answerer(tact::engine& e) {
  return e.create(
      tact::behavior<tact::protocol<tact::request<question>>>{
          [](auto& self, const tact::request<question>& q) { self.reply(q, 1); }},
      tact::parallel);
}

// What handlers sent and created, and what becomes of it, when they do f(self).
template <class F>
std::string words_of_handler(F f) {
  return captured_stderr([&] {
    tact::engine engine(quiet_options(1));
    const auto asked = make_answerer(engine);
    engine.create(tact::behavior<line>{[=](tact::self<line>& self, const ping&) { f(self, asked); }}, tact::parallel) |
        ping{};
    require_idle(engine);
  });
}

}  // namespace

TEST_CASE("scope: the refusal says where it was asked to create", "[scope]") {
  std::optional<tact::engine> engine(std::in_place, quiet_options(1));
  tact::scope group(*engine);
  engine.reset();
  const unsigned here = __LINE__ + 1;
  CHECK_THAT(refusal([&] { static_cast<void>(group.create(nothing(), tact::parallel)); }), Contains(this_file(here)));
}

TEST_CASE("attach: an object that is attached is refused, and the first attach is named", "[actor]") {
  counter c;
  tact::engine engine(quiet_options(1));
  const unsigned here = __LINE__ + 1;
  const auto first = engine.attach(c);
  CHECK_THAT(refusal([&] { static_cast<void>(engine.attach(c)); }),
             Contains("counter is attached since") && Contains(this_file(here)));
  // The one that stood goes on.
  first | ping{};
  require_idle(engine);
  CHECK(c.pings == 1);
}

TEST_CASE("attach: an object whose actor has ended may be attached again", "[actor]") {
  counter c;
  {
    tact::engine engine(quiet_options(1));
    const auto first = engine.attach(c);
    first | stop{};
    require_idle(engine);
    engine.attach(c) | ping{};
    require_idle(engine);
  }
  // The engine that had it is no more.
  tact::engine another(quiet_options(1));
  another.attach(c) | ping{};
  require_idle(another);
  CHECK(c.pings == 2);
}

TEST_CASE("attach: an object of a run that did not commit may be attached again", "[actor]") {
  counter c;
  tact::engine engine(quiet_options(1));
  int runs = 0;
  const auto a = engine.create(tact::behavior<line>{[&](tact::self<line>& self, const ping&) {
                                 const auto made = self.attach(c);
                                 if (++runs == 1) throw std::runtime_error("not yet");
                                 self.send(made, ping{});
                               }},
                               tact::parallel);
  a | ping{};
  a | ping{};
  require_idle(engine);
  CHECK(runs == 2);
  CHECK(c.pings == 1);
}

TEST_CASE("attach: an object may go before its actor as long as no message comes", "[actor]") {
  tact::engine engine(quiet_options(1));
  {
    counter c;
    engine.attach(c) | ping{};
    require_idle(engine);
    CHECK(c.pings == 1);
  }
  CHECK(engine.statistics().actors_alive == 1);
}

TEST_CASE("attach: a message for an object that was destroyed ends a debug build by name", "[actor]") {
  const unsigned here = __LINE__ + 4;
  const std::string text = last_words([] {
    tact::engine engine(quiet_options(1));
    auto c = std::make_unique<counter>();
    const auto a = engine.attach(*c);
    c.reset();
    a | ping{};
    engine.wait_idle();
  });
  CHECK_THAT(text, Contains("counter, attached at") && Contains(this_file(here)) &&
                       Contains("was destroyed, and now a message comes for it"));
}

TEST_CASE("attach: an object that is destroyed while it handles a message ends a debug build by name", "[actor]") {
  class suicide : public tact::actor<suicide, ping> {
   public:
    void receive(tact::self<suicide>&, const ping&) { delete this; }
  };
  const std::string text = last_words([] {
    tact::engine engine(quiet_options(1));
    engine.attach(*new suicide) | ping{};
    engine.wait_idle();
  });
  CHECK_THAT(text, Contains("suicide, attached at") && Contains("is destroyed while it handles a message"));
}

TEST_CASE("attach: whatever its last state is, an attached object ends as it says", "[actor]") {
  tact::engine engine(quiet_options(1));
  auto* deleted = new counter(allocation::delete_);
  alignas(counter) std::byte room[sizeof(counter)];
  auto* destroyed = new (room) counter(allocation::destroy);
  engine.attach(*deleted) | stop{};
  engine.attach(*destroyed) | stop{};
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("self: one that is used on another thread is refused there", "[transaction]") {
  std::string text;
  tact::engine engine(quiet_options(1));
  const auto sink = engine.create(nothing(), tact::parallel);
  engine.create(tact::behavior<line>{[&, sink](tact::self<line>& self, const ping&) {
                  std::thread([&] { text = refusal([&] { self.send(sink, ping{}); }); }).join();
                }},
                tact::parallel) |
      ping{};
  require_idle(engine);
  CHECK_THAT(text, Contains("used outside of its handler"));
  CHECK(engine.statistics().messages_sent == 1);
}

// AddressSanitizer names these itself: the use before the library is asked, and locals that it keeps off the stack.
#if !defined(TACT_ASAN)
TEST_CASE("self: one that is kept is refused behind its handler", "[transaction]") {
  tact::self<line>* kept = nullptr;
  std::string text;
  tact::engine engine(quiet_options(1));
  const auto sink = engine.create(nothing(), tact::parallel);
  engine.create(tact::behavior<line>{[&](tact::self<line>& self, const ping&) { kept = &self; }}, tact::parallel) |
      ping{};
  require_idle(engine);
  CHECK_THAT(refusal([&] { kept->send(sink, ping{}); }), Contains("used outside of its handler"));
  CHECK_THAT(refusal([&] { static_cast<void>(kept->create(nothing(), tact::parallel)); }),
             Contains("used outside of its handler"));
  CHECK_THAT(refusal([&] { kept->become(nothing()); }), Contains("used outside of its handler"));
  CHECK(engine.statistics().messages_sent == 1);
}

TEST_CASE("continuation: one that captures by reference what was its handler's is named when it is called",
          "[transaction]") {
  SECTION("an answer") {
    const std::string text = words_of_handler([](auto& self, auto asked) {
      volatile int local = 0;
      self.ask(asked, question{}, [&](auto&, int) { static_cast<void>(&local); });
    });
    CHECK_THAT(text, Contains("captures by reference what was local to its handler") && Contains("lambda"));
  }
  SECTION("a commit") {
    const std::string text = words_of_handler([](auto& self, auto) {
      volatile int local = 0;
      self.on_commit([&] { static_cast<void>(&local); });
    });
    CHECK_THAT(text, Contains("captures by reference what was local to its handler"));
  }
  SECTION("its self") {
    const std::string text =
        words_of_handler([](auto& self, auto) { self.on_commit([&] { static_cast<void>(&self); }); });
    CHECK_THAT(text, Contains("captures by reference what was local to its handler"));
  }
  SECTION("a failure") {
    const std::string text = words_of_handler([](auto& self, auto) {
      volatile int local = 0;
      self.ask(
          tact::ref<tact::request<question>>{}, question{}, [](auto&, int) {},
          [&](const tact::failure&) { static_cast<void>(&local); });
    });
    CHECK_THAT(text, Contains("captures by reference what was local to its handler"));
  }
}

#endif

TEST_CASE("continuation: nothing is said of one that captures by value, or whose handler still waits",
          "[transaction]") {
  SECTION("by value") {
    CHECK(words_of_handler([](auto& self, auto asked) {
            const int local = 7;
            const auto me = self.ref();
            self.ask(asked, question{}, [=](auto& tx, int) { tx.monitor(me, tact::ref<tact::ended>{}), (void)local; });
            self.on_commit([=] { (void)local; });
          }).empty());
  }
  SECTION("what lives longer") {
    static int longer = 0;
    int outer = 0;
    CHECK(words_of_handler([&outer](auto& self, auto asked) {
            self.ask(asked, question{}, [&outer](auto&, int) { ++outer; });
            self.on_commit([at = &longer] { ++*at; });
          }).empty());
    CHECK(outer == 1);
  }
  SECTION("its handler waits until it has run") {
    CHECK(words_of_handler([](auto& self, auto asked) {
            int got = 0;
            self.send(asked, tact::request<question>{self.beta([&](auto&, int n) { got = n; }), {}});
            while (got == 0) static_cast<void>(self.ask(asked, question{}));
          }).empty());
  }
}

#endif

TEST_CASE("self: in a release build too one that is kept does nothing behind its handler", "[transaction]") {
  tact::engine engine(quiet_options(1));
  keep_self(engine);
  require_idle(engine);
  CHECK_THAT(refusal([&] { use_kept_self(engine); }), Contains("handler"));
  require_idle(engine);
  CHECK(engine.statistics().messages_sent == 1);
}

}  // namespace misuse_test
