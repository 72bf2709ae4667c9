// Accounts, and a bank that moves money between them.
#pragma once

#include <tact/tact.hpp>
#include <variant>
#include <vector>

namespace bank {

// The answer to each is what is there then.
struct balance {
  using reply = long;
};
// More than is there cannot be withdrawn: the handler throws, and nothing has happened.
struct withdraw {
  using reply = long;
  long cents;
};
struct deposit {
  using reply = long;
  long cents;
};
struct account : tact::protocol<tact::request<balance>, tact::request<withdraw>, tact::request<deposit>> {};

tact::behavior<account> open_account(long cents);
// The same, but it throws at amounts that end with 7.
tact::behavior<account> open_fussy_account(long cents);

// What the bank can be asked to do. A transfer moves money, or fails and has moved nothing; a count is of all accounts.
struct transfer {
  tact::ref<account> from;
  tact::ref<account> to;
  long cents;
};
struct count {};
struct order {
  using reply = long;  // what was moved, or counted
  std::variant<transfer, count> what;
};

// A transfer takes two requests and a count many, one after the other, and others may come in between: then a count
// misses what is on its way. So no client gets this actor itself, only a serializer in front of it.
tact::behavior<tact::request<order>> open_bank(std::vector<tact::ref<account>> accounts);

}  // namespace bank
