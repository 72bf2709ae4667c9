// Messages that nobody handled are named: who, what, why, and what to do.
#include <sstream>
#include <string>
#include <tuple>

#include "support/engine_fixture.hpp"

namespace dead_letters_test {

namespace {

using namespace tact::support;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

struct note {};
struct order {
  using reply = int;
};
struct shop : tact::protocol<note, tact::request<order>> {};
tact::behavior<shop> open_shop() {
  return {[](auto&, const note&) {}, [](auto& self, const tact::request<order>& m) { self.reply(m, 1); }};
}
class clerk : public tact::actor<clerk, note> {
 public:
  tact::allocation receive(tact::self<clerk>&, const note&) { return tact::allocation::delete_; }
};

std::string text_of(const tact::dead_letter& letter) {
  std::ostringstream out;
  out << letter;
  return out.str();
}
std::string last_letter(const tact::engine& engine) {
  const auto letters = engine.dead_letters();
  return letters.empty() ? "none" : text_of(letters.back());
}

}  // namespace

TEST_CASE("dead letters: a send to an actor that has ended names both types, and what to do", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto c = engine.spawn<clerk>();
  c | note{};
  require_idle(engine);
  c | note{};
  require_idle(engine);
  CHECK_THAT(last_letter(engine),
             StartsWith("note to clerk@") && Contains(": target ended; a ref keeps no actor alive"));
}

namespace {

struct guest : tact::protocol<note> {};
tact::behavior<guest> open_guest() {
  return [](tact::self<guest>& self, const note&) { self.stop(); };
}

}  // namespace

// Both are parallel: the cells of other actors go back to their shards.
TEST_CASE("dead letters: an actor whose cell another one has by now is not called by the other's name", "[actor]") {
  tact::engine engine(quiet_options(1));
  const auto ended = engine.create(open_guest(), tact::parallel);
  ended | note{};
  require_idle(engine);
  const auto name_of = [](auto ref) {
    std::ostringstream out;
    out << ref;
    return out.str();
  };
  const std::string name = name_of(ended);
  REQUIRE_THAT(name, StartsWith("guest@"));
  const std::string cell = name.substr(5, name.find('#') - 5);
  // A cell comes back after a grace period, which passes between messages, to the worker that freed it.
  bool taken = false;
  const auto creator = engine.create(
      tact::behavior<note>{[&](tact::self<note>& self, const note&) {
        taken = taken || name_of(self.create(open_shop(), tact::parallel)).find(cell + "#") != std::string::npos;
      }},
      tact::parallel);
  for (int i = 0; i < 10'000 && !taken; ++i) {
    engine.send(creator, note{});
    engine.wait_idle();
  }
  REQUIRE(taken);
  ended | note{};
  require_idle(engine);
  CHECK_THAT(last_letter(engine), StartsWith("note to actor@") && Contains("target ended"));
}

TEST_CASE("dead letters: every reason says what to do about it", "[actor]") {
  using tact::failure_reason;
  for (const auto& [target, reason, remedy] : {
           std::tuple{"nobody", failure_reason::target_ended, "the ref was empty"},
           std::tuple{"shop@1#1", failure_reason::target_ended, "send before its end"},
           std::tuple{"shop@1#1", failure_reason::engine_ended, "drain it"},
           std::tuple{"asker@1#1", failure_reason::answered_already, "reply once"},
           std::tuple{"shop@1#1", failure_reason::failure_not_heard, "add a handler for tact::failure"},
       }) {
    CHECK_THAT(
        text_of({target, "note", reason}),
        StartsWith("note to " + std::string(target) + ": " + std::string(to_string(reason))) && Contains(remedy));
  }
}

}  // namespace dead_letters_test
