// Asks two actors at once, and waits later.
#include <tact/future.hpp>
#include <tact/tact.hpp>

struct square {
  using reply = int;
  int number;
};

int main() {
  tact::engine engine;
  const auto squarer = engine.create(tact::behavior<tact::request<square>>{
      [](auto& self, const tact::request<square>& m) { self.reply(m, m.body.number * m.body.number); }});
  std::future<int> three = engine.ask_future(squarer, square{3});
  std::future<int> four = engine.ask_future(squarer, square{4});
  return three.get() + four.get() == 25 ? 0 : 1;
}
