// The account of the programs here.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tact/tact.hpp"

struct deposit {
  long cents;
};
struct balance {
  using reply = long;
};
struct withdraw {
  long cents;
};
struct account : tact::protocol<deposit, tact::request<balance>> {};

inline constexpr auto take_deposit = [](auto&, const deposit&) {};
inline constexpr auto tell_balance = [](auto& self, const tact::request<balance>& m) { self.reply(m, 1); };
