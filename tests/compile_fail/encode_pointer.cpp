// error: an address means nothing to another run; hold the value itself
#include <tact/codec/codec.hpp>

struct node {
  long value;
  node* next;
};
std::string f(const node& n) {
  return tact::encode(n);  // here
}
