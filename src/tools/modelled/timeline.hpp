// How many threads of a model were busy, and when.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tools/modelled/machine.hpp"

namespace tact::modelled {

// Cuts the time into pieces of equal length, fewer than `pieces_max` of them: they become twice as long when they are
// too many.
class timeline {
 public:
  static constexpr std::size_t pieces_max = 64;

  // A thread was busy from the one moment to the other.
  void add(picoseconds from, picoseconds to) {
    if (has_ended_) return;
    if (from < begin_) from = begin_;
    if (from >= to) return;
    while ((to - begin_) / length_ >= pieces_max) halve();
    for (picoseconds at = from; at < to;) {
      const std::size_t piece = (at - begin_) / length_;
      const picoseconds end = std::min(to, begin_ + (piece + 1) * length_);
      if (piece >= busy_.size()) busy_.resize(piece + 1);
      busy_[piece] += end - at;
      at = end;
    }
  }
  // Forgets what was before.
  void begin(picoseconds at) {
    has_ended_ = false;
    begin_ = at;
    length_ = shortest;
    busy_.clear();
  }
  // What comes behind is not counted.
  void end() noexcept { has_ended_ = true; }
  [[nodiscard]] picoseconds length() const noexcept { return length_; }
  // Threads busy in each piece, on average.
  [[nodiscard]] std::vector<double> threads() const {
    std::vector<double> all;
    for (const picoseconds b : busy_) all.push_back(static_cast<double>(b) / static_cast<double>(length_));
    return all;
  }

 private:
  static constexpr picoseconds shortest = 10'000'000;

  void halve() {
    for (std::size_t i = 0; i < busy_.size(); ++i)
      i % 2 == 0 ? void(busy_[i / 2] = busy_[i]) : void(busy_[i / 2] += busy_[i]);
    busy_.resize((busy_.size() + 1) / 2);
    length_ *= 2;
  }

  bool has_ended_ = false;
  picoseconds begin_ = 0;
  picoseconds length_ = shortest;
  std::vector<picoseconds> busy_;
};

}  // namespace tact::modelled
