// Which lines a cache holds.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace tact::modelled {

// A cache of so many ways, which drops of a set the line that was used least recently.
class tags {
 public:
  static constexpr std::uint32_t none = 0;

  tags(std::size_t lines, unsigned ways)
      : ways_(ways), sets_(std::bit_ceil(std::max<std::size_t>(lines / ways, 1))), lines_(sets_ * ways, none) {}

  // Is the line there? It counts as used then.
  [[nodiscard]] bool use(std::uint32_t number) noexcept {
    std::uint32_t* const set = set_of(number);
    for (unsigned i = 0; i < ways_; ++i) {
      if (set[i] != number) continue;
      std::rotate(set, set + i, set + i + 1);
      return true;
    }
    return false;
  }
  // REQUIRES: it is not there. Returns the line that it takes the place of, or `none`.
  std::uint32_t add(std::uint32_t number) noexcept {
    std::uint32_t* const set = set_of(number);
    std::rotate(set, set + ways_ - 1, set + ways_);
    return std::exchange(set[0], number);
  }
  void remove(std::uint32_t number) noexcept {
    std::uint32_t* const set = set_of(number);
    std::uint32_t* const last = set + ways_;
    std::uint32_t* const at = std::find(set, last, number);
    if (at == last) return;
    std::rotate(at, at + 1, last);
    last[-1] = none;
  }
  template <class Do>
  void for_each(Do what) const {
    for (const std::uint32_t number : lines_)
      if (number != none) what(number);
  }

 private:
  std::uint32_t* set_of(std::uint32_t number) noexcept {
    // The page takes part, so that pages of one colour do not fall into the same sets.
    const std::uint32_t mixed = number ^ (number >> 12) * 0x9e5u;
    return lines_.data() + (mixed & (sets_ - 1)) * ways_;
  }

  unsigned ways_;
  std::size_t sets_;
  std::vector<std::uint32_t> lines_;
};

}  // namespace tact::modelled
