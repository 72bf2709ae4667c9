// Accounts, and two kinds of tellers who pay from them: one looks first and pays then, the other leaves both to the
// account.
#pragma once

#include <tact/tact.hpp>

namespace bank {

struct deposit {
  long cents;
};
// Takes the money, whatever is there.
struct take {
  long cents;
};
struct balance {
  using reply = long;
};
// Takes the money if it is there; the answer says whether.
struct try_to_take {
  using reply = bool;
  long cents;
};

struct account : tact::protocol<deposit, take, tact::request<balance>, tact::request<try_to_take>> {};

struct pay {
  tact::ref<account> from;
  tact::ref<account> to;
  long cents;
};

// Pays what is there, and never overdraws an account; at least that is what it is for.
struct teller : tact::protocol<pay> {};

tact::behavior<account> open_account(long cents);

// Looks how much there is, and pays when the answer comes. By then another teller may have paid from the account.
tact::behavior<teller> hire_hasty_teller();
// Looks and takes in one transaction, which is the account's.
tact::behavior<teller> hire_careful_teller();

}  // namespace bank
