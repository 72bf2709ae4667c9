// A program of somebody else under AddressSanitizer, with a library that is not: handlers wait for answers, some throw
// there, and nothing is reported. What still runs names an actor that waits.
#include <array>
#include <chrono>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <tact/future.hpp>
#include <tact/tact.hpp>
#include <thread>

struct half {
  long of;
  using reply = long;
};
struct halves : tact::protocol<tact::request<half>> {};
struct sum {
  long of;
  using reply = long;
};
struct sums : tact::protocol<tact::request<sum>> {};

tact::behavior<halves> halve() {
  return {[](auto& self, const tact::request<half>& m) { self.reply(m, m.body.of / 2); }};
}

tact::behavior<sums> add(tact::ref<halves> h) {
  return {[=](auto& self, const tact::request<sum>& m) {
    std::array<long, 64> parts{};  // objects of this frame that the sanitizer watches while another stack runs
    for (auto& part : parts) part = self.ask(h, half{m.body.of});
    long all = 0;
    for (const long part : parts) all += part;
    try {
      if (m.body.of % 2 != 0) throw std::invalid_argument(std::string(100, 'o'));
    } catch (const std::invalid_argument&) {
      all += 1;
    }
    self.reply(m, all);
  }};
}

struct open {};

// Answers when it is opened, also what comes later: a thread that sees a handler wait may be quicker than the request.
class gate : public tact::actor<gate, tact::request<half>, open> {
 public:
  void receive(tact::self<gate>& self, const tact::request<half>& m) {
    if (is_open_) return self.reply(m, m.body.of / 2);
    self.defer(m);
    asked_ = m;
  }
  void receive(tact::self<gate>& self, const open&) {
    is_open_ = true;
    if (asked_) self.reply(*asked_, asked_->body.of / 2);
  }

 private:
  bool is_open_ = false;
  std::optional<tact::request<half>> asked_;
};

bool is_named_while_it_waits(tact::engine& engine) {
  const auto shut = engine.spawn<gate>();
  const auto desk = engine.create(tact::behavior<sums>{[=](auto& self, const tact::request<sum>& m) {
                                    self.reply(m, self.ask(shut, half{m.body.of}));
                                  }},
                                  tact::named("desk"));
  auto answer = engine.ask_future(desk, sum{8});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(100);  // under valgrind it takes long
  bool is_named = false;
  while (!is_named && std::chrono::steady_clock::now() < end) {
    const std::string text = engine.still_running();
    const auto at = text.find("1 handler waits for an answer (");
    is_named = at != std::string::npos && text.find("desk", at) != std::string::npos;
    std::this_thread::yield();
  }
  shut | open{};
  return answer.get() == 4 && is_named;
}

int main() {
  tact::engine engine;
  const auto h = engine.create(halve());
  const auto s = engine.create(add(h));
  long all = 0;
  for (long i = 0; i < 100; ++i) all += engine.ask(s, sum{i});
  std::cout << all << '\n';
  return all == 64 * 2450 + 50 && is_named_while_it_waits(engine) ? 0 : 1;
}
