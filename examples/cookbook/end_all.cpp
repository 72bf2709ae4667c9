// Ends all actors of a session together, and goes on when they have ended.
#include <tact/tact.hpp>

struct job {};

static tact::behavior<job> hire(int& done) {
  return {[&done](auto&, const job&) { ++done; }};
}

int main() {
  tact::engine engine;
  int a = 0;
  int b = 0;
  {
    tact::scope session(engine);
    const auto first = session.create(hire(a));
    const auto second = session.create(hire(b));
    first | job{} | job{};
    second | job{};
  }  // waits here: a and b are used no more
  return a == 2 && b == 1 ? 0 : 1;
}
