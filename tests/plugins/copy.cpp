// A plug-in that has its own copy of the library in itself.
#include "tact/engine.hpp"

// In no anonymous namespace: what the compiler makes for it is shared by libraries as far as it may be.
struct add_one {
  using reply = long;
  long n;
};
using adder = tact::request<add_one>;

// Returns n + 1, which an actor asks another one.
extern "C" long run_engine(long n) {
  tact::engine e({.workers = 2});
  const tact::ref<adder> last =
      e.create(tact::behavior<adder>{[](auto& s, const adder& m) { s.reply(m, m.body.n + 1); }});
  const tact::ref<adder> first = e.create(tact::behavior<adder>{
      [last](tact::self<adder>& s, const adder& m) { s.reply(m, s.ask(last, add_one{m.body.n})); }});
  return e.ask(first, add_one{n});
}
