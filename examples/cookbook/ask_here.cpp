// The answer comes back to the actor that has asked, as a message of its own: it may use the actor's members.
#include <tact/tact.hpp>

struct price {
  using reply = int;
  int item;
};
struct add {
  int item;
};
struct total {
  using reply = int;
};

class basket : public tact::actor<basket, add, tact::request<total>> {
 public:
  explicit basket(tact::ref<tact::request<price>> shop) : shop_(shop) {}
  void receive(tact::self<basket>& self, const add& m) {
    self.ask_here(
        shop_, price{m.item}, [this](tact::self<basket>&, int cents) { total_ += cents; },
        [this](tact::self<basket>&, const tact::failure&) { ++missing_; });
  }
  void receive(tact::self<basket>& self, const tact::request<total>& m) {
    self.reply(m, missing_ == 0 ? total_ : -missing_);
  }

 private:
  const tact::ref<tact::request<price>> shop_;
  int total_ = 0;
  int missing_ = 0;
};

int main() {
  tact::engine engine;
  const auto shop = engine.create(tact::behavior<tact::request<price>>{
      [](auto& self, const tact::request<price>& m) { self.reply(m, 10 * m.body.item); }});
  const auto mine = engine.spawn<basket>(shop);
  for (int item = 1; item <= 4; ++item) mine | add{item};
  engine.wait_idle();
  return engine.ask(mine, total{}) == 100 ? 0 : 1;
}
