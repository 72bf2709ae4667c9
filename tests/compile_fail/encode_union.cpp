// error: nothing says which member of a union is there; use std::variant
#include <tact/codec/codec.hpp>

union either {
  int number;
  float weight;
};
struct account {
  either one;
};
std::string f(const account& a) {
  return tact::encode(a);  // here
}
