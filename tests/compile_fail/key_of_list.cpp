// error: a key is made of bool, numbers, enumerations
#include <tact/codec/key.hpp>
#include <vector>

std::string f(const std::vector<int>& v) {
  return tact::encode_key(v);  // here
}
