// A handler asks another actor: once it waits for the answer, and once it goes on.
#include <tact/tact.hpp>

struct price {
  using reply = int;
  int item;
};
struct total {
  using reply = int;
};
struct total_later : total {};

struct till : tact::protocol<tact::request<total>, tact::request<total_later>> {};

static tact::behavior<till> open_till(tact::ref<tact::request<price>> shop) {
  return {[=](auto& self, const tact::request<total>& m) {
            const int first = self.ask(shop, price{1});
            self.reply(m, first + self.ask(shop, price{2}));
          },
          [=](auto& self, const tact::request<total_later>& m) {
            self.ask(shop, price{3}, [m](auto& tx, int answer) { tx.reply(m, answer); });
            self.defer(m);
          }};
}

int main() {
  tact::engine engine;
  const auto shop = engine.create(tact::behavior<tact::request<price>>{
      [](auto& self, const tact::request<price>& m) { self.reply(m, 10 * m.body.item); }});
  const auto till_1 = engine.create(open_till(shop));
  return engine.ask(till_1, total{}) == 30 && engine.ask(till_1, total_later{}) == 30 ? 0 : 1;
}
