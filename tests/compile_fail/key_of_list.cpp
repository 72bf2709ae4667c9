// error: a key is made of bool, numbers, enumerations
#include <vector>
#include <tact/codec/key.hpp>

std::string f(const std::vector<int>& v) {
  return tact::encode_key(v);  // here
}
