// Sends one message to many actors, and asks all of them.
#include <tact/tact.hpp>
#include <vector>

struct price {
  int cents;
};
struct last_price {
  using reply = int;
};

class subscriber : public tact::actor<subscriber, price, tact::request<last_price>> {
 public:
  void receive(tact::self<subscriber>&, const price& m) { last_ = m.cents; }
  void receive(tact::self<subscriber>& self, const tact::request<last_price>& m) { self.reply(m, last_); }

 private:
  int last_ = 0;
};

int main() {
  tact::engine engine;
  std::vector<tact::ref<subscriber>> all;
  for (int i = 0; i < 3; ++i) all.push_back(engine.spawn<subscriber>());
  engine.send_all(all, price{250});
  return engine.ask_all(all, last_price{}) == std::vector{250, 250, 250} ? 0 : 1;
}
