// error: an array of C, or is not made by \{\}; use std::array
#include <tact/codec/codec.hpp>

struct matrix {
  int first[3];
  int second;
};
std::string f(const matrix& m) {
  return tact::encode(m);  // here
}
