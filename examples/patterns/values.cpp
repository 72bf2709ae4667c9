// Values as actors: prices that a shop is asked for once, a total that is sent on before it is there, a stock that a
// display watches, and how long it all took. Checks what it has computed, and ends with 0.
#include <chrono>
#include <compare>
#include <cstdio>
#include <string>
#include <vector>

#include <tact/patterns.hpp>
#include <tact/tact.hpp>

namespace {

using namespace std::chrono_literals;

struct price_of {
  using reply = long;
  std::string what;
  friend auto operator<=>(const price_of&, const price_of&) = default;
};
using prices = tact::ref<tact::request<price_of>>;

// Knows what things cost, and counts how often it is asked.
tact::behavior<tact::request<price_of>> open_shop(tact::ref<tact::counter_protocol> asked) {
  return {[asked](auto& self, const tact::request<price_of>& m) {
    self.send(asked, tact::add_to_count{});
    self.reply(m, 100 * static_cast<long>(m.body.what.size()));
  }};
}

struct total_of {
  using reply = long;
  std::string first;
  std::string second;
};

// Adds two prices. It asks for both at once, and for their values one after the other.
tact::behavior<tact::request<total_of>> hire_clerk(prices known) {
  return {[known](auto& self, const tact::request<total_of>& m) {
    const auto first = tact::ask_eventually(self, known, price_of{m.body.first}, tact::owned);
    const auto second = tact::ask_eventually(self, known, price_of{m.body.second}, tact::owned);
    self.defer(m);
    self.ask(
        first.ref(), tact::value_of<long>{},
        [first, second, customer = m.customer](tact::transaction& tx, long a) {
          tx.ask(
              second.ref(), tact::value_of<long>{},
              [second, customer, a](tact::transaction& later, long b) { later.send(customer, a + b); },
              [customer](tact::transaction& later, const tact::failure& f) { later.fail(customer, f); });
        },
        [customer = m.customer](tact::transaction& tx, const tact::failure& f) { tx.fail(customer, f); });
  }};
}

bool is_right(const char* what, long found, long expected) {
  std::printf("%-34s %ld\n", what, found);
  return found == expected;
}

}  // namespace

int main() {
  std::vector<long> shown;  // only the display writes
  tact::engine engine;
  const auto asked = engine.create(tact::counter(), tact::parallel);
  const auto shop = engine.create(open_shop(asked));
  const prices known = engine.create(tact::cache<price_of>(shop, {.entries = 100, .age = 1h}), tact::parallel);
  const auto clerk = engine.create(hire_clerk(known), tact::parallel);
  const auto latency = engine.create(tact::histogram());

  const auto sold = engine.create(tact::observable(0L));
  const auto display = engine.create(tact::behavior<long>{[&shown](auto&, long cents) { shown.push_back(cents); }});
  engine.send(sold, tact::subscribe_observable<long>{display});

  for (int sale = 0; sale < 10; ++sale) {
    const auto began = std::chrono::steady_clock::now();
    const long total = engine.ask(clerk, total_of{"tea", "sugar"});
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
    engine.send(latency, tact::record_value{static_cast<std::uint64_t>(took.count())});
    for (long before = 0;;) {
      const auto c = engine.ask(sold, tact::compare_and_set<long>{before, before + total});
      if (c.was_set) break;
      before = c.value;
    }
  }
  engine.wait_idle();

  const tact::distribution times = engine.ask(latency, tact::read_distribution{});
  std::printf("%-34s %llu\n", "median of a sale, in nanoseconds", static_cast<unsigned long long>(times.quantile(0.5)));
  bool right = is_right("questions to the shop", engine.ask(asked, tact::read_count{}), 2);
  right = is_right("sales", static_cast<long>(times.count()), 10) && right;
  right = is_right("changes shown", static_cast<long>(shown.size()), 11) && right;
  right = is_right("sold, in cents", shown.back(), 8'000) && right;
  return right ? 0 : 1;
}
