// error: an enumeration needs its underlying type
#include <tact/codec/codec.hpp>

enum color { red, green };
color f(const std::string& bytes) {
  return tact::decode<color>(bytes);  // here
}
