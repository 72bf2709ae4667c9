// A front passes each request on to the actor that has the key; that one answers the asker directly.
#include <tact/tact.hpp>

struct find {
  using reply = int;
  int key;
};
using table = tact::request<find>;  // a message alone is a protocol too

static tact::behavior<table> open_table(int offset) {
  return {[=](auto& self, const table& m) { self.reply(m, m.body.key + offset); }};
}

int main() {
  tact::engine engine;
  const auto even = engine.create(open_table(100));
  const auto odd = engine.create(open_table(200));
  const auto front = engine.create(
      tact::behavior<table>{[=](auto& self, const table& m) { self.pass_on(m.body.key % 2 == 0 ? even : odd, m); }});
  const auto alias = engine.create(tact::forwarder(front));
  return engine.ask(front, find{4}) == 104 && engine.ask(alias, find{5}) == 205 ? 0 : 1;
}
