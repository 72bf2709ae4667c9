// What the tests of this folder test: a clerk who fetches a price, and gives up when that takes too long.
// docs/testing_your_actors.md.
#pragma once

#include <tact/tact.hpp>

#include <chrono>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace shop {

struct price {
  using reply = int;
  std::string of;
};
inline std::ostream& operator<<(std::ostream& out, const price& p) { return out << p.of; }
struct prices : tact::protocol<tact::request<price>> {};

struct offer {
  using reply = std::string;
  std::string of;
};
struct clerk : tact::protocol<tact::request<offer>> {};

inline tact::behavior<clerk> open_clerk(tact::ref<prices> from) {
  return {[=](tact::self<clerk>& self, const tact::request<offer>& m) {
    if (m.body.of.empty()) throw std::invalid_argument("an offer of nothing");
    self.defer(m);
    self.ask(
        from, price{m.body.of}, std::chrono::seconds(2),
        [m](tact::transaction& tx, int euros) { tx.reply(m, m.body.of + ": " + std::to_string(euros)); },
        [m](tact::transaction& tx, const tact::failure&) { tx.reply(m, m.body.of + ": ask again tomorrow"); });
  }};
}

// A stand-in for the actor that the clerk asks: it knows one price, and answers after `delay`.
struct price_due {
  tact::request<price> of;
};
struct stand_in : tact::protocol<prices, price_due> {};
inline tact::behavior<stand_in> open_prices(int euros, std::chrono::nanoseconds delay = {}) {
  return {
      [=](tact::self<stand_in>& self, const tact::request<price>& m) {
        self.defer(m);
        self.send_after(delay, self.ref(), price_due{m});
      },
      [=](auto& self, const price_due& m) { self.reply(m.of, euros); },
  };
}

}  // namespace shop
