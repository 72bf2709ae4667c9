// The shards that a worker holds beside the one that it runs. Protocol page: docs/protocols/joint_hold.md.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sparse_array.hpp"
#include "mailbox/shard.hpp"

namespace tact::dispatch {

// While a shard is joined its own lane is empty: what is there for its actors lies in the lane of the shard that is
// run, in order. Thread safety: the worker's own thread.
template <class Shard>
class basic_joint_hold {
 public:
  basic_joint_hold(std::uint32_t shards, std::uint32_t offices) : has_(shards), of_office_(offices) {
    held_.reserve(shards);
    offices_.reserve(offices);
  }

  // By shard: not 0 for those that are joined. Stays where it is.
  [[nodiscard]] const base::sparse_array<std::uint8_t>& table() const noexcept { return has_; }
  [[nodiscard]] bool has(std::uint32_t shard) const noexcept { return has_[shard] != 0; }
  [[nodiscard]] bool empty() const noexcept { return held_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return held_.size(); }
  [[nodiscard]] const std::vector<Shard*>& all() const noexcept { return held_; }
  // Through which messages come to them, each once.
  [[nodiscard]] const std::vector<std::uint32_t>& offices() const noexcept { return offices_; }
  // Shards that are joined of those of one office.
  [[nodiscard]] std::uint32_t count_of(std::uint32_t office) const noexcept { return of_office_[office]; }

  // REQUIRES: the worker has just become the holder of `s`, and its lane is empty.
  void add(Shard& s) noexcept {
    has_[s.number] = 1;
    held_.push_back(&s);
    if (++of_office_[s.office] == 1) offices_.push_back(s.office);
  }
  // Forgets those for which let_go says that it has let them go.
  template <class LetGo>
  void remove_if(LetGo let_go) noexcept {
    std::erase_if(held_, [&](Shard* s) {
      if (!let_go(*s)) return false;
      has_[s->number] = 0;
      if (--of_office_[s->office] == 0) std::erase(offices_, s->office);
      return true;
    });
  }
  void clear() noexcept {
    for (const Shard* s : held_) {
      has_[s->number] = 0;
      of_office_[s->office] = 0;
    }
    held_.clear();
    offices_.clear();
  }

 private:
  base::sparse_array<std::uint8_t> has_;
  base::sparse_array<std::uint32_t> of_office_;
  std::vector<Shard*> held_;
  std::vector<std::uint32_t> offices_;
};

class joint_hold final : public basic_joint_hold<mailbox::shard> {
  using basic_joint_hold::basic_joint_hold;
};

}  // namespace tact::dispatch
