#include "inspect/page/request.hpp"

#include <cstddef>

namespace tact::inspect {

namespace {

constexpr std::size_t members_most = 8;

// Reads from the front of a text. After a mistake it reads nothing more. Thread safety: one thread.
class json_reader {
 public:
  explicit json_reader(std::string_view text) noexcept : left_(text) {}

  [[nodiscard]] bool takes(char c) {
    skip_blanks();
    if (left_.empty() || left_.front() != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] std::optional<std::string> take_text() {
    if (!takes('"')) return {};
    std::string text;
    while (!left_.empty()) {
      const char c = take();
      if (c == '"') return text;
      if (static_cast<unsigned char>(c) < 0x20) return {};
      if (c != '\\') {
        text += c;
      } else if (!take_escape(text)) {
        return {};
      }
    }
    return {};
  }
  [[nodiscard]] bool is_at_end() {
    skip_blanks();
    return left_.empty();
  }

 private:
  char take() {
    const char c = left_.front();
    left_.remove_prefix(1);
    return c;
  }
  void skip_blanks() {
    const std::size_t n = left_.find_first_not_of(" \t\r\n");
    left_.remove_prefix(n == left_.npos ? left_.size() : n);
  }
  // Behind the backslash.
  [[nodiscard]] bool take_escape(std::string& text) {
    if (left_.empty()) return false;
    const char c = take();
    if (c == 'u') return take_code(text);
    constexpr std::string_view written = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    const std::size_t at = written.find(c);
    if (at == written.npos) return false;
    text += meant[at];
    return true;
  }
  // No request needs characters beyond ASCII that are written so.
  [[nodiscard]] bool take_code(std::string& text) {
    if (left_.size() < 4) return false;
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      constexpr std::string_view hexadecimal = "0123456789abcdef";
      const char c = take();
      const std::size_t digit = hexadecimal.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
      if (digit == hexadecimal.npos) return false;
      code = code * 16 + static_cast<unsigned>(digit);
    }
    if (code >= 0x80) return false;
    text += static_cast<char>(code);
    return true;
  }

  std::string_view left_;
};

}  // namespace

std::optional<request_text> request_text::read(std::string_view json) {
  json_reader from(json);
  request_text all;
  if (!from.takes('{')) return {};
  if (from.takes('}')) return from.is_at_end() ? std::optional(std::move(all)) : std::nullopt;
  do {
    auto name = from.take_text();
    if (!name || !from.takes(':')) return {};
    auto value = from.take_text();
    if (!value || all.members_.size() == members_most) return {};
    all.members_.emplace_back(std::move(*name), std::move(*value));
  } while (from.takes(','));
  return from.takes('}') && from.is_at_end() ? std::optional(std::move(all)) : std::nullopt;
}

std::string_view request_text::operator[](std::string_view name) const noexcept {
  for (const auto& [key, value] : members_) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace tact::inspect
