// error: a message is an object that can be moved
#include "account.hpp"

struct shape {
  virtual ~shape() = default;
  virtual int area() const = 0;
};
struct canvas : tact::protocol<shape> {};  // here
