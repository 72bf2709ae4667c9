// error: the functions given to engine.ask return void
#include "account.hpp"

constexpr auto at_once = [](auto&& call) { call(); };
constexpr auto answered = [](long cents) { return cents; };
constexpr auto failed = [](const tact::failure&) {};

void f(tact::engine& e, tact::ref<account> a) {
  e.ask(a, balance{}, at_once, answered, failed);  // here
}
