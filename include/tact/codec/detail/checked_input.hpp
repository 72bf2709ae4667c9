// Bytes that are read step by step, with the way to the member that is being read: so a fault can be named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/decode_error.hpp"
#include "tact/codec/detail/byte_order.hpp"

namespace tact::detail::coding {

// From a value to one inside it. It lies on the stack of who reads that one.
struct path_step {
  const path_step* up = nullptr;
  std::string_view name{};  // empty: an index
  std::uint64_t index = 0;
};
// "account.history[3].amount".
inline std::string text_of_path(std::string_view root, const path_step* where) {
  if (where == nullptr) return std::string(root);
  std::string text = text_of_path(root, where->up);
  if (where->name.empty()) return text + '[' + std::to_string(where->index) + ']';
  return (text + '.').append(where->name);
}

class checked_input {
 public:
  // `offset` is where `bytes` begin in what was to be decoded.
  checked_input(std::string_view bytes, std::size_t offset, const codec_limits& limits, std::string_view root)
      : begin_(bytes.data()),
        at_(begin_),
        end_(begin_ + bytes.size()),
        offset_(offset),
        depth_(limits.depth),
        items_(limits.items),
        root_(root) {}

  [[nodiscard]] const char* at() const noexcept { return at_; }
  [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] std::size_t offset() const noexcept { return offset_ + static_cast<std::size_t>(at_ - begin_); }

  // What is read from here on lies there; returns the way before, for the call that goes back.
  const path_step* go_to(const path_step* where) noexcept {
    const path_step* const before = where_;
    where_ = where;
    return before;
  }
  [[nodiscard]] const path_step* where() const noexcept { return where_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw decode_error(text_of_path(root_, where_), what, offset());
  }

  void enter() {
    if (depth_ == 0) fail("is nested deeper than codec_limits::depth allows");
    --depth_;
  }
  void leave() noexcept { ++depth_; }
  void take_items(std::uint64_t n) {
    if (n > items_) {
      fail("expected no more entries in all than codec_limits::items allows, found a container of " +
           std::to_string(n));
    }
    items_ -= n;
  }
  std::string_view take(std::uint64_t bytes, std::string_view expected) {
    if (bytes > left()) {
      fail("expected " + std::string(expected) + " of " + std::to_string(bytes) + " bytes, found the end after " +
           std::to_string(left()));
    }
    const std::string_view taken(at_, static_cast<std::size_t>(bytes));
    at_ += bytes;
    return taken;
  }
  std::uint64_t take_count(std::string_view of) {
    std::uint64_t n = 0;
    const char* const behind = load_count(at_, end_, n);
    if (behind == nullptr) {
      fail("expected the size of " + std::string(of) + ", found " +
           (is_open_count() ? "the end" : "a malformed number"));
    }
    at_ = behind;
    return n;
  }
  bool take_flag(std::string_view of) {
    const auto byte = static_cast<unsigned char>(take(1, of).front());
    if (byte > 1) {
      --at_;
      fail("expected " + std::string(of) + ", which is 0 or 1, found " + std::to_string(byte));
    }
    return byte != 0;
  }
  void take_zero(std::string_view of) {
    if (take(1, of).front() == 0) return;
    --at_;
    fail("expected " + std::string(of) + ", which is 0, found " + std::to_string(static_cast<unsigned char>(*at_)));
  }
  std::size_t take_alternative(std::size_t alternatives) {
    const char* const begin = at_;
    const std::uint64_t index = take_count("a variant");
    if (index < alternatives) return static_cast<std::size_t>(index);
    at_ = begin;
    fail("expected one of " + std::to_string(alternatives) + " alternatives, found the number " +
         std::to_string(index));
  }
  // Each element takes a byte at least.
  std::uint64_t take_elements(std::string_view of, std::uint64_t least_bytes, bool are_items) {
    const char* const begin = at_;
    const std::uint64_t n = take_count(of);
    if (n > left() / least_bytes) {
      const std::uint64_t there = left();
      at_ = begin;
      fail("expected " + std::string(of) + " of " + std::to_string(n) + " entries, found only " +
           std::to_string(there) + " bytes");
    }
    if (are_items) take_items(n);
    return n;
  }
  void require_end() const {
    if (left() != 0) fail("expected the end of the value, found " + std::to_string(left()) + " more bytes");
  }

 private:
  // Do the bytes end within a count?
  [[nodiscard]] bool is_open_count() const noexcept {
    for (const char* c = at_; c != end_; ++c) {
      if (static_cast<unsigned char>(*c) < 0x80 || c - at_ > 9) return false;
    }
    return true;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t offset_;
  std::uint32_t depth_;
  std::uint64_t items_;
  std::string_view root_;
  const path_step* where_ = nullptr;
};

// The way goes one step further while this lives.
class one_step {
 public:
  one_step(checked_input& in, std::string_view name, std::uint64_t index = 0) noexcept
      : in_(in), step_{in.where(), name, index} {
    in_.go_to(&step_);
  }
  ~one_step() { in_.go_to(step_.up); }
  one_step(const one_step&) = delete;
  one_step& operator=(const one_step&) = delete;

 private:
  checked_input& in_;
  path_step step_;
};

}  // namespace tact::detail::coding
