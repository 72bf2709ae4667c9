// A beta: an actor made on the spot, which hears one message and is gone.
#include <atomic>
#include <tact/tact.hpp>

struct balance {
  using reply = int;
};
struct look {};

int main() {
  std::atomic<int> seen = 0;
  tact::engine engine;
  const auto account = engine.create(
      tact::behavior<tact::request<balance>>{[](auto& self, const tact::request<balance>& m) { self.reply(m, 100); }});
  const auto clerk = engine.create(tact::behavior<look>{[=, &seen](auto& self, const look&) {
    const auto customer =
        self.beta([&seen](auto&, int cents) { seen += cents; }, [&seen](auto&, const tact::failure&) { seen = -1; });
    self.send(account, tact::request<balance>{customer, {}});
  }});
  engine.send(clerk, look{});
  engine.wait_idle();
  return seen == 100 ? 0 : 1;
}
