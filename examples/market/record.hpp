// A record of a feed: one line of text that says an order.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "order.hpp"

namespace market {

// A record that does not say an order. what() says what is wrong with it.
class malformed_record : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "N 42 17 ACME B 100 99.50": account 42 orders, by its number 17, to buy 100 ACME at 99.50 or less; S sells.
// "C 42 17 ACME": account 42 cancels its order 17.
// An instrument that is not among the first `listed` symbols is no error of the record, the order has no_instrument
// then. Throws malformed_record.
order parse_record(std::string_view line, std::size_t listed);

// The text of an order, as parse_record takes it.
std::string record_of(const order& o);

}  // namespace market
