// Messages and protocols that the tests of this folder share.
#pragma once

#include "tact/tact.hpp"

namespace bank {

struct deposit {
  long cents;
};
struct balance {
  using reply = long;
};
struct transfer {
  using reply = void;
  long cents;
};
struct account : tact::protocol<deposit, tact::request<balance>> {};
struct open {};
struct close {};
struct door : tact::protocol<open, close> {};
// Includes two protocols between messages of its own.
struct branch : tact::protocol<long, account, std::string, door, double> {};
struct region : tact::protocol<int, branch> {};

}  // namespace bank
