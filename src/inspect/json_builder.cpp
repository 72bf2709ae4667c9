#include "inspect/json_builder.hpp"

#include <charconv>
#include <cmath>

namespace tact::inspect {

json_builder& json_builder::name(std::string_view key) {
  put(json_text(key));
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

// Not by printf, which writes the comma of the program's locale.
json_builder& json_builder::add(double number) {
  if (!std::isfinite(number)) return put("null");
  char digits[32];
  return put({digits, std::to_chars(digits, digits + sizeof digits, number).ptr});
}

json_builder& json_builder::open(char bracket) {
  put({&bracket, 1});
  needs_comma_ = false;
  return *this;
}

json_builder& json_builder::close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
  return *this;
}

json_builder& json_builder::put(std::string_view value) {
  if (needs_comma_) text_ += ',';
  text_ += value;
  needs_comma_ = true;
  return *this;
}

}  // namespace tact::inspect
