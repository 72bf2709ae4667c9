// The shards that a worker holds beside the one that it runs. Protocol page: docs/protocols/joint_hold.md.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sparse_array.hpp"
#include "mailbox/shard.hpp"

namespace tact::dispatch {

// While a shard is joined its own lane is empty: what is there for its actors lies in the lane of the shard that is
// run, in order. Thread safety: the worker's own thread.
class joint_hold {
 public:
  explicit joint_hold(std::uint32_t shards) : has_(shards) { held_.reserve(shards); }

  // By shard: not 0 for those that are joined. Stays where it is.
  [[nodiscard]] const base::sparse_array<std::uint8_t>& table() const noexcept { return has_; }
  [[nodiscard]] bool has(std::uint32_t shard) const noexcept { return has_[shard] != 0; }
  [[nodiscard]] bool empty() const noexcept { return held_.empty(); }
  [[nodiscard]] const std::vector<mailbox::shard*>& all() const noexcept { return held_; }

  // REQUIRES: the worker has just become the holder of `s`, and its lane is empty.
  void add(mailbox::shard& s) noexcept {
    has_[s.number] = 1;
    held_.push_back(&s);
  }
  void clear() noexcept {
    for (const mailbox::shard* s : held_) has_[s->number] = 0;
    held_.clear();
  }

 private:
  base::sparse_array<std::uint8_t> has_;
  std::vector<mailbox::shard*> held_;
};

}  // namespace tact::dispatch
