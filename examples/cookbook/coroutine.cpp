// A coroutine asks two actors, one after the other, and holds no thread meanwhile.
#include <coroutine>
#include <exception>
#include <future>
#include <tact/tact.hpp>

struct twice {
  using reply = int;
  int number;
};

struct detached {
  struct promise_type {
    detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

static detached four_times(tact::engine& engine, tact::ref<tact::request<twice>> to, int n, std::promise<int>& told) {
  const int two = co_await engine.ask_async(to, twice{n});
  told.set_value(co_await engine.ask_async(to, twice{two}));
}

int main() {
  std::promise<int> told;
  tact::engine engine;
  const auto doubler = engine.create(tact::behavior<tact::request<twice>>{
      [](auto& self, const tact::request<twice>& m) { self.reply(m, 2 * m.body.number); }});
  four_times(engine, doubler, 10, told);
  return told.get_future().get() == 40 ? 0 : 1;
}
