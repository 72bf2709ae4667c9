// The text of one line, put together of parts that have an operator<<.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tact::inspect {
class line_queue;
}

namespace tact::detail {

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char> ||
    std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> || std::is_same_v<T, char16_t> ||
    std::is_same_v<T, char32_t>;
// Numbers that are written the same with and without a stream.
template <class T>
inline constexpr bool is_plain_number = std::is_integral_v<T> && !std::is_same_v<T, bool> && !is_character<T>;
template <class T>
inline constexpr bool is_plain_text =
    std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> ||
    std::is_same_v<std::decay_t<T>, const char*> || std::is_same_v<std::decay_t<T>, char*>;

template <class T>
concept line_part = is_plain_text<T> || requires(std::ostream& out, const T& part) { out << part; };

// Thread safety: as a std::string.
class line_text {
 public:
  line_text();
  ~line_text();
  line_text(const line_text&) = delete;
  line_text& operator=(const line_text&) = delete;

  // Texts and whole numbers need no stream, which takes longer to make than the rest of the line. From the first other
  // part on a stream prints all, because a manipulator changes what comes behind it.
  template <class T>
  void add(const T& part) {
    if constexpr (is_plain_text<T>) {
      if (stream_ == nullptr) return add_text(part);
    } else if constexpr (is_plain_number<T>) {
      if (stream_ == nullptr) return add_number(part);
    }
    stream() << part;
    look_whether_printed();
  }
  // The line with its end.
  [[nodiscard]] std::string take() &&;

 private:
  class own_stream;

  void add_text(std::string_view text) { text_.append(text); }
  void add_text(const std::string& text) { text_.append(text); }
  void add_text(const char* text) { text_.append(text == nullptr ? "(null)" : text); }
  template <std::integral N>
  void add_number(N number) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  [[nodiscard]] std::ostream& stream();
  // Says so when the part was not printed, and lets the rest of the line be printed.
  void look_whether_printed();

  std::string text_;
  std::unique_ptr<own_stream> stream_;
};

template <class... T>
[[nodiscard]] std::string line_of(const T&... parts) {
  static_assert((line_part<T> && ...), "tact::inspect::println: each part has an operator<< for std::ostream");
  line_text line;
  (line.add(parts), ...);
  return std::move(line).take();
}

// In a handler behind its commit, else at once. Null: to what stands for the standard output.
void put_line(std::string line, std::shared_ptr<inspect::line_queue> to = nullptr);
void put_line_at_once(std::string line) noexcept;

}  // namespace tact::detail
