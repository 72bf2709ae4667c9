// A program of somebody else under AddressSanitizer, with a library that is not: handlers wait for answers, some throw
// there, and nothing is reported.
#include <array>
#include <iostream>
#include <stdexcept>
#include <string>
#include <tact/tact.hpp>

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

int main() {
  tact::engine engine;
  const auto h = engine.create(halve());
  const auto s = engine.create(add(h));
  long all = 0;
  for (long i = 0; i < 100; ++i) all += engine.ask(s, sum{i});
  std::cout << all << '\n';
  return all == 64 * 2450 + 50 ? 0 : 1;
}
