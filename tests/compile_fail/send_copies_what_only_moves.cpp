// error: message_cannot_be_copied<std::unique_ptr<int
#include "account.hpp"

void f(tact::ref<std::unique_ptr<int>> a, std::unique_ptr<int>& p) {
  a | p;  // here
}
