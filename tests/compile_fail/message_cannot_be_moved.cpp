// error: a message is an object that can be moved
#include <mutex>

#include "account.hpp"

struct locked {
  std::mutex lock;
};
struct safe : tact::protocol<deposit, locked> {};  // here
