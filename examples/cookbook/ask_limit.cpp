// Asks with a time limit: an actor that answers, and one that never does.
#include <chrono>
#include <tact/tact.hpp>

struct hello {
  using reply = int;
};

int main() {
  using namespace std::chrono_literals;
  tact::engine engine;
  const auto polite = engine.create(
      tact::behavior<tact::request<hello>>{[](auto& self, const tact::request<hello>& m) { self.reply(m, 1); }});
  const auto silent = engine.create(
      tact::behavior<tact::request<hello>>{[](auto& self, const tact::request<hello>& m) { self.defer(m); }});
  const auto answer = engine.ask(polite, hello{}, 1min);
  const auto none = engine.ask(silent, hello{}, 1ms);
  return answer == 1 && !none ? 0 : 1;
}
