// Requests that come too early are kept, and answered when the value is there.
#include <optional>
#include <tact/future.hpp>
#include <tact/tact.hpp>
#include <vector>

struct value_of {
  using reply = int;
};

class cell : public tact::actor<cell, int, tact::request<value_of>> {
 public:
  void receive(tact::self<cell>& self, int value) {
    value_ = value;
    self.send_all(waiting_, value);
    waiting_.clear();
  }
  void receive(tact::self<cell>& self, const tact::request<value_of>& m) {
    if (value_) return self.reply(m, *value_);
    waiting_.push_back(m.customer);
    self.defer(m);
  }

 private:
  std::optional<int> value_;
  std::vector<tact::ref<int>> waiting_;
};

int main() {
  tact::engine engine;
  const auto a_cell = engine.spawn<cell>();
  auto early = engine.ask_future(a_cell, value_of{});
  engine.send(a_cell, 42);
  return early.get() == 42 && engine.ask(a_cell, value_of{}) == 42 ? 0 : 1;
}
