// A user's program with requests and patterns, compiled to be checked for undefined behaviour.
#include "tact/patterns.hpp"

namespace {

struct size_of {
  using reply = int;
};

}  // namespace

int checked_user();
int checked_user() {
  tact::engine engine;
  const tact::registry names(engine);
  const auto a = engine.create(
      tact::behavior<tact::request<size_of>>{[](auto& self, const tact::request<size_of>& m) { self.reply(m, 1); }});
  names.add("a", a);
  const auto through = engine.create(tact::retry<size_of>(a));
  return engine.ask(through, size_of{});
}
