#include "tact/inspect/detail/line_text.hpp"

#include <ostream>
#include <streambuf>

namespace tact::detail {

namespace {

// Appends to a string.
class appending_buffer final : public std::streambuf {
 public:
  explicit appending_buffer(std::string& to) noexcept : to_(to) {}

 protected:
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof())) to_.push_back(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    to_.append(text, static_cast<std::size_t>(size));
    return size;
  }

 private:
  std::string& to_;
};

}  // namespace

class line_text::own_stream {
 public:
  explicit own_stream(std::string& to) : buffer_(to), out_(&buffer_) {}
  [[nodiscard]] std::ostream& out() noexcept { return out_; }

 private:
  appending_buffer buffer_;
  std::ostream out_;
};

line_text::line_text() = default;
line_text::~line_text() = default;

std::ostream& line_text::stream() {
  if (stream_ == nullptr) stream_ = std::make_unique<own_stream>(text_);
  return stream_->out();
}

void line_text::look_whether_printed() {
  if (!stream_->out().fail()) return;
  stream_->out().clear();
  text_.append("(not printable)");
}

std::string line_text::take() && {
  text_.push_back('\n');
  return std::move(text_);
}

}  // namespace tact::detail
