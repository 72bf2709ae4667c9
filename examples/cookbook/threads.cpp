// Four threads send to one actor.
#include <tact/tact.hpp>
#include <thread>
#include <vector>

struct sum_now {
  using reply = int;
};

class adder : public tact::actor<adder, int, tact::request<sum_now>> {
 public:
  void receive(tact::self<adder>&, int number) { sum_ += number; }
  void receive(tact::self<adder>& self, const tact::request<sum_now>& m) { self.reply(m, sum_); }

 private:
  int sum_ = 0;
};

int main() {
  tact::engine engine;
  const auto sum = engine.spawn<adder>();
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&engine, sum] {
        for (int i = 0; i < 1000; ++i) engine.send(sum, 1);
      });
  }  // joins them
  return engine.ask(sum, sum_now{}) == 4000 ? 0 : 1;
}
