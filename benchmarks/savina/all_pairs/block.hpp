// What a block of all_pairs knows and does, whatever runtime carries its messages.
#pragma once

#include <array>
#include <utility>

#include "savina/all_pairs/graph.hpp"

namespace bench {

struct block_record {
  distances result;
  std::uint64_t heard = 0;  // until its end: of the others' last messages some come before that, some after
};

class block_state {
 public:
  block_state(const all_pairs_setting& setting, std::size_t number)
      : setting_(&setting),
        row_(number / setting.across),
        column_(number % setting.across),
        mine_(setting.cut(row_, column_)) {
    for (auto& one : news_) {
      one.of_row.resize(setting.across);
      one.of_column.resize(setting.across);
    }
  }

  [[nodiscard]] const distances& mine() const { return mine_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] bool is_done() const { return steps_ == setting_->nodes; }

  // f(number) for each other block of its row and of its column.
  template <class F>
  void for_neighbours(F f) const {
    for (std::size_t i = 0; i < setting_->across; ++i) {
      if (i != column_) f(row_ * setting_->across + i);
      if (i != row_) f(i * setting_->across + column_);
    }
  }

  // What the block `from`, a neighbour, knew after so many steps. It may be one step ahead of this one.
  void keep(std::size_t from, std::uint32_t steps, distances its) {
    news& in = news_[steps % 2];
    const std::size_t row = from / setting_->across;
    const std::size_t column = from % setting_->across;
    (row == row_ ? in.of_row[column] : in.of_column[row]) = std::move(its);
    ++in.count;
  }

  // The next step, if all neighbours have told what they knew before it.
  bool step() {
    news& in = news_[steps_ % 2];
    if (in.count != 2 * (setting_->across - 1)) return false;
    in.count = 0;
    const std::size_t at = steps_ / setting_->side;
    const auto after = std::make_shared_for_overwrite<distance[]>(setting_->side * setting_->side);
    setting_->step(steps_, mine_.get(), (at == column_ ? mine_ : in.of_row[at]).get(),
                   (at == row_ ? mine_ : in.of_column[at]).get(), after.get());
    mine_ = after;
    ++steps_;
    return true;
  }

 private:
  struct news {
    std::vector<distances> of_row;     // by the columns of its blocks
    std::vector<distances> of_column;  // by the rows of its blocks
    std::size_t count = 0;
  };

  const all_pairs_setting* setting_;
  std::size_t row_;
  std::size_t column_;
  distances mine_;
  std::array<news, 2> news_;
  std::uint32_t steps_ = 0;
};

// The sum of what all blocks heard.
inline std::uint64_t heard(const std::vector<block_record>& of) {
  std::uint64_t sum = 0;
  for (const auto& one : of) sum += one.heard;
  return sum;
}

inline void check_blocks(program& p, const all_pairs_setting& setting, const std::vector<block_record>& of) {
  std::vector<const distance*> found;
  for (const auto& one : of) found.push_back(one.result.get());
  setting.check(p, found);
}

}  // namespace bench
