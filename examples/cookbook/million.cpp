// An actor with a million entries: each message makes the next version of its table. Says how many it makes a second.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <tact/data/map.hpp>
#include <tact/tact.hpp>
#include <utility>

using accounts = tact::map<std::int64_t, std::int64_t>;

struct deposit {
  std::int64_t account;
  std::int64_t amount;
};
struct statement {
  using reply = accounts;
};
struct bank : tact::protocol<deposit, tact::request<statement>> {};

static tact::behavior<bank> with(const accounts& now) {
  return {[=](tact::self<bank>& self, const deposit& m) {
            self.become(with(now.insert_or_assign(m.account, now.at(m.account) + m.amount)));
          },
          [=](auto& self, const tact::request<statement>& m) { self.reply(m, now); }};
}

int main() {
  constexpr std::int64_t count = 1'000'000;
  constexpr std::int64_t deposits = 100'000;
  accounts::transient_type opened;
  for (std::int64_t i = 0; i < count; ++i) opened.insert(i, 100);
  tact::engine engine({.workers = 1});
  const auto home = engine.create(with(std::move(opened).persistent()));
  const accounts before = engine.ask(home, statement{});
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  for (std::int64_t i = 1; i <= deposits; ++i) engine.send(home, deposit{i * 7919 % count, 1});
  engine.wait_idle();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const double processor_us = 1e6 * static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC / deposits;
  std::printf("%.0f versions a second, each took %.1f us of processors\n", deposits / took.count(), processor_us);
  const accounts after = engine.ask(home, statement{});
  return before.at(7919) == 100 && after.at(7919) == 101 && after.size() == count ? 0 : 1;
}
