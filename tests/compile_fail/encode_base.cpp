// error: this struct has a base; make the base a member, or name all members
#include <tact/codec/codec.hpp>

struct base {
  int first;
};
struct derived : base {
  int second;
};
std::string f(const derived& d) {
  return tact::encode(d);  // here
}
