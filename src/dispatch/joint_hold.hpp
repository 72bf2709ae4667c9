// The shards that a worker holds: the one whose lane is run, and those joined to it. Protocol page:
// docs/protocols/joint_hold.md.
#pragma once

#include <cstdint>
#include <vector>

#include "base/sparse_array.hpp"
#include "mailbox/shard.hpp"

namespace tact::dispatch {

// Invariant: while a shard is joined its own lane is empty, and all messages for its actors that were taken or sent
// here lie in the lane of the shard that is run, in order. Thread safety: the worker's own thread.
template <class Shard>
class basic_joint_hold {
 public:
  basic_joint_hold(std::uint32_t shards, std::uint32_t offices) : has_(shards), of_office_(offices) {
    joined_.reserve(shards);
    offices_.reserve(offices);
  }

  // A table by shard number: not 0 for each shard that is held. The table stays at its address.
  [[nodiscard]] const base::sparse_array<std::uint8_t>& table() const noexcept { return has_; }
  [[nodiscard]] bool has(std::uint32_t shard) const noexcept { return has_[shard] != 0; }
  // A shard is held: begin was called, and not end.
  [[nodiscard]] bool is_any() const noexcept { return first_ != nullptr; }
  // The shard whose lane is run. REQUIRES: called between begin and end.
  [[nodiscard]] Shard& first() const noexcept { return *first_; }
  [[nodiscard]] bool is_first_alone() const noexcept { return joined_.empty(); }
  [[nodiscard]] const std::vector<Shard*>& joined() const noexcept { return joined_; }
  // The offices of the joined shards, each of them once; that of the first shard only if a joined shard belongs to it.
  [[nodiscard]] const std::vector<std::uint32_t>& offices() const noexcept { return offices_; }
  // The number of joined shards that belong to this office.
  [[nodiscard]] std::uint32_t count_of(std::uint32_t office) const noexcept { return of_office_[office]; }

  void begin(Shard& first) noexcept {
    first_ = &first;
    has_[first.number] = 1;
  }
  // REQUIRES: no shard is joined.
  void end() noexcept {
    has_[first_->number] = 0;
    first_ = nullptr;
  }
  // REQUIRES: the worker has just become the holder of `s`. Behind this call it moves what lies in the lane of `s` to
  // the lane of the first shard.
  void add(Shard& s) noexcept {
    has_[s.number] = 1;
    joined_.push_back(&s);
    if (++of_office_[s.office] == 1) offices_.push_back(s.office);
  }
  // Forgets the joined shards for which let_go returns true, which means that it has let go of them.
  template <class LetGo>
  void remove_if(LetGo let_go) noexcept {
    std::erase_if(joined_, [&](Shard* s) {
      if (!let_go(*s)) return false;
      has_[s->number] = 0;
      if (--of_office_[s->office] == 0) std::erase(offices_, s->office);
      return true;
    });
  }
  // Forgets all shards but the first.
  void separate() noexcept {
    for (const Shard* s : joined_) {
      has_[s->number] = 0;
      of_office_[s->office] = 0;
    }
    joined_.clear();
    offices_.clear();
  }

 private:
  base::sparse_array<std::uint8_t> has_;
  base::sparse_array<std::uint32_t> of_office_;
  Shard* first_ = nullptr;
  std::vector<Shard*> joined_;
  std::vector<std::uint32_t> offices_;
};

class joint_hold final : public basic_joint_hold<mailbox::shard> {
  using basic_joint_hold::basic_joint_hold;
};

}  // namespace tact::dispatch
