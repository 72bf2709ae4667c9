// Which handler serves which message, and how behaviours end.
#include <atomic>
#include <memory>
#include <optional>

#include "messages.hpp"
#include "support/catch.hpp"

namespace behavior_test {

using bank::account;
using bank::balance;
using bank::deposit;

namespace {

struct which {
  using reply = std::string;
};
struct plain {
  using reply = std::string;
};
struct forms : tact::protocol<tact::request<which>, tact::request<plain>, std::unique_ptr<int>> {};

// Overloaded: serves two messages.
struct both {
  void operator()(tact::transaction& tx, const tact::request<which>& m) const { tx.reply(m, "first"); }
  void operator()(tact::transaction& tx, const tact::request<plain>& m) const { tx.reply(m, "second"); }
};

void answer(tact::self<forms>& self, const tact::request<which>& m) { self.reply(m, "function"); }

tact::behavior<account> open_account(long cents) {
  return {
      [=](tact::self<account>& self, const deposit& m) {
        if (m.cents == 0) return self.become({});
        self.become(open_account(cents + m.cents));
      },
      [=](auto& self, const tact::request<balance>& m) { self.reply(m, cents); },
  };
}

constexpr auto ignore_number = [](auto&, const std::unique_ptr<int>&) {};

}  // namespace

TEST_CASE("behavior: is one pointer, and moves", "[api]") {
  STATIC_REQUIRE(sizeof(tact::behavior<account>) == sizeof(void*));
  auto from = open_account(1);
  const tact::behavior<account> to = std::move(from);
  CHECK(to);
  CHECK_FALSE(from);
  CHECK_FALSE(tact::behavior<account>{});
}

TEST_CASE("behavior: one that is never used is destroyed with what it holds", "[api]") {
  const auto held = std::make_shared<int>(1);
  {
    const tact::behavior<long> b{[held](auto&, long) {}};
  }
  CHECK(held.use_count() == 1);
}

TEST_CASE("behavior: a handler that names a message goes before one that takes any", "[api]") {
  tact::engine engine;
  const auto a = engine.create(tact::behavior<forms>{
                                   [](auto& self, const auto& m) {
                                     if constexpr (requires { m.customer; }) self.reply(m, "any");
                                   },
                                   [](auto& self, const tact::request<which>& m) { self.reply(m, "named"); },
                               },
                               tact::parallel);
  CHECK(engine.ask(a, which{}) == "named");
  CHECK(engine.ask(a, plain{}) == "any");
}

TEST_CASE("behavior: a function and an overloaded object are handlers too", "[api]") {
  tact::engine engine;
  const auto f = engine.create(
      tact::behavior<forms>{&answer, [](auto& self, const tact::request<plain>& m) { self.reply(m, "lambda"); },
                            ignore_number},
      tact::parallel);
  const auto o = engine.create(tact::behavior<forms>{both{}, ignore_number}, tact::parallel);
  CHECK(engine.ask(f, which{}) == "function");
  CHECK(engine.ask(f, plain{}) == "lambda");
  CHECK(engine.ask(o, which{}) == "first");
  CHECK(engine.ask(o, plain{}) == "second");
}

TEST_CASE("behavior: becoming nothing ends the actor", "[api]") {
  tact::engine engine;
  const auto a = engine.create(open_account(0));
  a | deposit{2} | deposit{0} | deposit{3};
  engine.wait_finished();
  CHECK(engine.statistics().dead_letters == 1);
  CHECK_THROWS_AS(engine.ask(a, balance{}), tact::ask_error);
}

TEST_CASE("behavior: an actor created from nothing is nobody", "[api]") {
  tact::engine engine;
  CHECK_FALSE(engine.create(tact::behavior<account>{}, tact::parallel));
}

TEST_CASE("behavior: hears of failure when its protocol lists tact::failure", "[api]") {
  struct hearing : tact::protocol<long, tact::failure> {};
  tact::engine engine;
  std::optional<tact::failure_reason> heard;
  const auto dead = engine.create(open_account(0));
  dead | deposit{0};
  engine.wait_idle();
  const auto h = engine.create(
      tact::behavior<hearing>{[](auto&, long) {}, [&](auto&, const tact::failure& f) { heard = f.reason; }});
  dead | tact::request<balance>{h};
  engine.wait_idle();
  CHECK(heard == tact::failure_reason::target_ended);
}

TEST_CASE("forwarder and sink: the last one answers, or nobody", "[api]") {
  tact::engine engine;
  const auto a = engine.create(open_account(7), tact::parallel);
  const auto f = engine.create(tact::forwarder<tact::request<balance>>(a), tact::parallel);
  CHECK(engine.ask(f, balance{}) == 7);
  const auto s = engine.create(tact::sink<account>(), tact::parallel);
  try {
    engine.ask(s, balance{});
    FAIL("a sink answered");
  } catch (const tact::ask_error& e) {
    CHECK(e.reason() == tact::failure_reason::unanswered);
  }
}

}  // namespace behavior_test
