// Days for the tests: short ones on which everything happens.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>

#include "figures.hpp"
#include "market.hpp"
#include "plain_day.hpp"
#include "session.hpp"

namespace market::tests {

// Few accounts with little money, so that each limit refuses something; small packets, so that there are many rounds.
inline std::shared_ptr<const session> short_day(std::uint64_t seed, std::uint64_t orders = 1'200) {
  rules by;
  by.books = 3;
  by.feeds = 3;
  by.ledgers = 2;
  by.accounts = 25;
  by.opening_cash = 15'000'00;
  by.opening_shares = 80;
  by.risk = {.largest_order = 200, .largest_exposure = 25'000'00, .orders_per_burst = 4};
  by.window = 4;
  by.audit_every = 4;
  return std::make_shared<const session>(make_session(
      by, {.orders = orders, .seed = seed, .packet_size = 6, .malformed_one_in = 50, .strange_one_in = 40}));
}

inline std::uint64_t count(const day_figures& day, verdict v) {
  return std::accumulate(day.ledgers.begin(), day.ledgers.end(), std::uint64_t{0},
                         [&](auto sum, const auto& l) { return sum + l.orders[static_cast<std::size_t>(v)]; });
}

}  // namespace market::tests
