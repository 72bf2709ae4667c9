#include "tools/simulated/message_contents.hpp"

#include <algorithm>
#include <ostream>
#include <streambuf>
#include <string_view>

namespace tact::simulated {
namespace {

// Keeps the beginning of what is written, on one line.
class beginning final : public std::streambuf {
 public:
  [[nodiscard]] std::string text() const {
    std::size_t end = size_;
    // In UTF-8: a character that was cut is left out.
    while (is_cut_ && end != 0 && (static_cast<unsigned char>(text_[end]) & 0xC0u) == 0x80u) --end;
    std::string all(text_, end);
    std::replace_if(
        all.begin(), all.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return is_cut_ ? all + "..." : all;
  }

 private:
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof())) put(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* from, std::streamsize count) override {
    for (std::streamsize i = 0; i != count && !is_cut_; ++i) put(from[i]);
    return count;
  }
  void put(char c) noexcept {
    text_[size_] = c;  // one more than is shown, to see whether a character was cut
    is_cut_ = is_cut_ || size_ == message_contents::bytes_max;
    size_ += !is_cut_;
  }

  char text_[message_contents::bytes_max + 1];
  std::size_t size_ = 0;
  bool is_cut_ = false;
};

}  // namespace

void message_contents::show(const detail::type_key& type, detail::message_printer printer) {
  if (printer != nullptr && find(type) == nullptr) printers_.emplace_back(&type, printer);
}

detail::message_printer message_contents::find(const detail::type_key& type) const noexcept {
  const auto found = std::find_if(printers_.begin(), printers_.end(),
                                  [&](const auto& p) { return detail::same_type(*p.first, type); });
  return found == printers_.end() ? nullptr : found->second;
}

std::string message_contents::text_of(const sync::noted_message& m) noexcept {
  if (m.key == nullptr || m.message == nullptr || printers_.empty() || left_out::depth != 0) return {};
  const detail::message_printer print = find(*m.key);
  if (print == nullptr) return {};
  try {
    const left_out within;
    beginning kept;
    std::ostream out(&kept);
    print(out, m.message);
    return kept.text();
  } catch (...) {
    return {};  // the line has the name of the message
  }
}

}  // namespace tact::simulated
