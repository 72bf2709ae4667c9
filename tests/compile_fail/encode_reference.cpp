// error: needs a constructor without arguments, because values are read into it; a reference must be a value
#include <tact/codec/codec.hpp>

struct view {
  int& number;
};
std::string f(const view& v) {
  return tact::encode(v);  // here
}
