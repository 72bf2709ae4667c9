// Joins and relays: a traveller asks airlines for prices. All of them, the first, the first that has an answer; and
// services that are put together out of others.
#include <chrono>
#include <iostream>
#include <limits>
#include <string>
#include <tact/patterns.hpp>
#include <tact/tact.hpp>
#include <vector>

using namespace std::chrono_literals;

struct price_of {
  using reply = long;
  std::string town;
};
using airline = tact::ref<tact::request<price_of>>;

struct tax_on {
  using reply = long;
  long cents;
};

struct cheapest_to {
  using reply = long;
  std::string town;
};

tact::behavior<tact::request<price_of>> sells_at(long cents) {
  return {[=](auto& self, const tact::request<price_of>& m) {
    if (m.body.town == "Nowhere") throw std::invalid_argument("there is no flight to " + m.body.town);
    self.reply(m, cents);
  }};
}

// Takes the request, and never answers.
tact::behavior<tact::request<price_of>> is_on_strike() {
  return {[](auto& self, const tact::request<price_of>& m) { self.defer(m); }};
}

// Asks all airlines, and answers with the lowest price that came in time.
tact::behavior<tact::request<cheapest_to>> finds_cheapest(std::vector<airline> airlines) {
  return {[=](auto& self, const tact::request<cheapest_to>& m) {
    self.ask_all(airlines, price_of{m.body.town}, 20ms,
                 [m](tact::transaction& tx, const std::vector<tact::outcome<long>>& prices) {
                   long least = std::numeric_limits<long>::max();
                   for (const auto& price : prices) {
                     if (price) least = std::min(least, *price);
                   }
                   tx.reply(m, least);
                 });
    self.defer(m);
  }};
}

int main() {
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // what fails here is told to those who asked
  tact::engine engine(options);
  const airline dear = engine.create(sells_at(30'000));
  const airline cheap = engine.create(sells_at(20'000));
  const airline silent = engine.create(is_on_strike());

  const auto agent = engine.create(finds_cheapest({dear, silent, cheap}));
  const long cheapest = engine.ask(agent, cheapest_to{"Rome"});
  std::cout << "the cheapest flight: " << cheapest << '\n';

  const auto all = engine.create(tact::all_of<price_of>({dear, silent}, 20ms));
  const auto prices = engine.ask(all, tact::to_all<price_of>{{"Rome"}});
  std::cout << "one of them: " << *prices[0] << ", the other: " << prices[1].why().what << '\n';

  const auto any = engine.create(tact::any_ok<price_of>({silent, cheap}));
  const long first = engine.ask(any, price_of{"Rome"});
  std::string reason;
  try {
    engine.ask(engine.create(tact::any_ok<price_of>({dear, cheap})), price_of{"Nowhere"});
  } catch (const tact::ask_error& e) {
    reason = e.causes().at(1);
  }
  std::cout << "the first that answers: " << first << "; to Nowhere: " << reason << '\n';

  const auto tax = engine.create(
      tact::behavior<tact::request<tax_on>>{[](auto& self, const auto& m) { self.reply(m, m.body.cents / 5); }});
  const auto tax_of_flight = engine.create(tact::pipe(cheap, tax));
  const long cents = engine.ask(tax_of_flight, tact::to_pipe<price_of, long>{{"Rome"}});
  std::cout << "tax: " << cents << '\n';

  // A long list, of which two are asked at a time.
  const auto list = engine.create(tact::par_map<price_of>({cheap}, {.at_once = 2}));
  const auto towns = engine.ask(list, tact::query_batch<price_of>{{{"Rome"}, {"Nowhere"}, {"Oslo"}}});
  std::cout << "of three towns the second has no flight: " << towns[1].why().what << '\n';

  const bool right = towns.size() == 3 && towns[0] && !towns[1] && towns[2] && cheapest == 20'000 &&
                     prices.size() == 2 && !prices[1] && first == 20'000 &&
                     reason == "handler threw: there is no flight to Nowhere" && cents == 4'000;
  return right ? 0 : 1;
}
