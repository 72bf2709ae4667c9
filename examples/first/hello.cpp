// The first program of the README: one actor, two messages.
#include <iostream>
#include <string>
#include <tact/tact.hpp>

struct greeting {
  std::string text;
};

int main() {
  tact::engine engine;
  auto printer = engine.create(tact::behavior<greeting>([](auto&, const greeting& m) { std::cout << m.text << '\n'; }));
  printer | greeting{"hello"} | greeting{"world"};
  engine.drain();  // handles what is in flight, then ends the engine
}
