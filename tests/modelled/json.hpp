// Reads a text of JSON, for tests.
#pragma once

#include <charconv>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tact::modelled_tests {

// The values of a text under their ways, as "lines.0.name"; "lines" itself is how many there are. Throws
// std::runtime_error where the text is not JSON, as far as a result has it: no null, no true, no exponents, no \u.
class json {
 public:
  explicit json(std::string_view text) : rest_(text) {
    read_value("");
    if (!rest_.empty()) refuse();
  }
  [[nodiscard]] const std::string& text(const std::string& way) const { return values_.at(way); }
  [[nodiscard]] double number(const std::string& way) const { return std::stod(values_.at(way)); }
  [[nodiscard]] bool has(const std::string& way) const { return values_.count(way) != 0; }

 private:
  [[noreturn]] void refuse() const { throw std::runtime_error("no JSON: " + std::string(rest_.substr(0, 40))); }
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  [[nodiscard]] bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    skip_blanks();
    return true;
  }
  std::string read_string() {
    if (!take('"')) refuse();
    std::string all;
    for (; !rest_.empty() && rest_.front() != '"'; rest_.remove_prefix(1)) {
      if (static_cast<unsigned char>(rest_.front()) < ' ') refuse();
      if (rest_.front() == '\\') rest_.remove_prefix(1);
      if (!rest_.empty()) all += rest_.front();
    }
    if (!take('"')) refuse();
    return all;
  }
  void read_number(const std::string& way) {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) refuse();
    const auto length = static_cast<std::size_t>(end - rest_.data());
    values_[way] = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }
  void read_value(const std::string& way) {
    skip_blanks();
    const std::string under = way.empty() ? "" : way + ".";
    if (take('{')) {
      unsigned count = 0;
      for (bool more = !take('}'); more; ++count) {
        const std::string name = read_string();
        if (has(under + name) || !take(':')) refuse();
        read_value(under + name);
        more = take(',');
        if (!more && !take('}')) refuse();
      }
      values_[way] = std::to_string(count);
    } else if (take('[')) {
      unsigned count = 0;
      for (bool more = !take(']'); more; ++count) {
        read_value(under + std::to_string(count));
        more = take(',');
        if (!more && !take(']')) refuse();
      }
      values_[way] = std::to_string(count);
    } else if (!rest_.empty() && rest_.front() == '"') {
      values_[way] = read_string();
    } else {
      read_number(way);
    }
    skip_blanks();
  }

  std::string_view rest_;
  std::map<std::string, std::string> values_;
};

}  // namespace tact::modelled_tests
