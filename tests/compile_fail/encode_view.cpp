// error: Of views and clocks take the value: std::string
#include <tact/codec/codec.hpp>

struct account {
  std::string_view owner;
};
std::string f(const account& a) {
  return tact::encode(a);  // here
}
