// The text of a struct as the C++ that makes it: "seat{.processing_unit = 2, .core = 1}".
#pragma once

#include <charconv>
#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tact::base {

[[nodiscard]] inline std::string code_of(bool b) { return b ? "true" : "false"; }
[[nodiscard]] inline std::string code_of(std::string text) { return '"' + text + '"'; }
template <std::integral T>
[[nodiscard]] std::string code_of(T number) {
  return number == static_cast<T>(-1) && !std::signed_integral<T> ? "max" : std::to_string(number);
}
// Writes as few digits as are needed to tell this number from all others.
[[nodiscard]] inline std::string code_of(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}
// Writes a time in the largest unit in which it is a whole number: "1500us".
[[nodiscard]] inline std::string code_of(std::chrono::nanoseconds time) {
  const long long ns = time.count();
  if (time == (std::chrono::nanoseconds::max)()) return "max";
  if (ns % 1'000'000'000 == 0) return std::to_string(ns / 1'000'000'000) + "s";
  if (ns % 1'000'000 == 0) return std::to_string(ns / 1'000'000) + "ms";
  return ns % 1'000 == 0 ? std::to_string(ns / 1'000) + "us" : std::to_string(ns) + "ns";
}
template <class R, class... Args>
[[nodiscard]] std::string code_of(const std::function<R(Args...)>& f) {
  return f ? "a function" : "{}";
}
template <class T>
[[nodiscard]] std::string code_of(const std::optional<T>& value) {
  return value ? code_of(*value) : "{}";
}

// What is no number, text, time or function is given as its code.
struct code {
  std::string text;
};
[[nodiscard]] inline std::string code_of(code written) { return std::move(written.text); }

// A struct with few members is one line; of one with more than eight each member has a line.
class struct_text {
 public:
  explicit struct_text(std::string_view type) : text_(type) {}

  template <class T>
  struct_text& with(std::string_view member, T value) {
    members_.append(count_++ == 0 ? "" : ",\n  ").append(".").append(member).append(" = ");
    members_ += code_of(std::move(value));
    return *this;
  }
  [[nodiscard]] std::string text() const {
    // The structs with up to five members stand within other text, a seat among other seats; those with nine and more
    // are read by themselves. None lies between.
    constexpr unsigned in_line_max = 8;
    if (count_ > in_line_max) return text_ + "{\n  " + members_ + "}";
    std::string line;
    for (std::size_t i = 0; i != members_.size(); ++i) {
      const bool ends = members_.compare(i, 3, "\n  ") == 0;
      line += ends ? ' ' : members_[i];
      if (ends) i += 2;
    }
    return text_ + "{" + line + "}";
  }

 private:
  std::string text_;
  std::string members_;
  unsigned count_ = 0;
};

}  // namespace tact::base
