// Values in JSON, put together piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "inspect/json_text.hpp"

namespace tact::inspect {

// Puts together one value: what opens is closed by the caller, and the commas come by themselves.
class json_builder {
 public:
  json_builder& open_object() { return open('{'); }
  json_builder& close_object() { return close('}'); }
  json_builder& open_array() { return open('['); }
  json_builder& close_array() { return close(']'); }
  // The name of the member whose value comes next.
  json_builder& name(std::string_view key);

  json_builder& add(std::string_view text) { return put(json_text(text)); }
  json_builder& add(const char* text) { return add(std::string_view(text)); }
  json_builder& add(bool b) { return put(b ? "true" : "false"); }
  // What is no finite number is null.
  json_builder& add(double number);
  template <class T>
    requires std::is_integral_v<T>
  json_builder& add(T number) {
    return put(std::to_string(number));
  }

  template <class T>
  json_builder& with(std::string_view key, const T& value) {
    return name(key).add(value);
  }
  [[nodiscard]] std::string take() noexcept { return std::move(text_); }

 private:
  json_builder& open(char bracket);
  json_builder& close(char bracket);
  json_builder& put(std::string_view value);

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace tact::inspect
