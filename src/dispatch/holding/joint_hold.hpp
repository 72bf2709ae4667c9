// The shards that a worker holds: the one whose lane is run, and those joined to it. Protocol page:
// docs/protocols/joint_hold.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/sparse_array.hpp"
#include "mailbox/outbox_set.hpp"
#include "mailbox/shard.hpp"

namespace tact::dispatch {

// Invariants: (1) while a shard is joined its own lane is empty, and all messages for its actors that were taken or
// sent here lie in the lane of the shard that is run, in order; (2) tails() says of each shard where this thread writes
// messages for it: of one that it holds the lane that is run, of any other the outbox through which they go there, open
// or closed. A closed outbox has no room, so a sender that finds one looks whether to open it or to join the shard.
// Thread safety: the worker's own thread.
template <class Shard>
class basic_joint_hold {
 public:
  // `outbox_for`: for each shard the number of its outbox in `outboxes`. Both outlive this object.
  basic_joint_hold(std::span<const std::uint32_t> outbox_for, mailbox::outbox_set& outboxes, std::uint32_t offices)
      : outbox_for_(outbox_for),
        outboxes_(outboxes),
        tails_(outbox_for.size()),
        has_(outbox_for.size()),
        of_office_(offices) {
    for (std::uint32_t s = 0; s < outbox_for.size(); ++s) lead_elsewhere(s);
    joined_.reserve(outbox_for.size());
    offices_.reserve(offices);
  }

  // The tails by shard number. This table stays at its address, as the next table does.
  [[nodiscard]] detail::queue_tail* const* tails() const noexcept { return tails_.data(); }
  // A table by shard number: it has a value other than 0 for each shard that is held.
  [[nodiscard]] const base::sparse_array<std::uint8_t>& table() const noexcept { return has_; }
  [[nodiscard]] bool has(std::uint32_t shard) const noexcept { return has_[shard] != 0; }
  // A shard is held: begin was called, and not end.
  [[nodiscard]] bool is_any() const noexcept { return first_ != nullptr; }
  // How often begin was called.
  [[nodiscard]] std::uint64_t holds() const noexcept { return holds_; }
  // The shard whose lane is run. REQUIRES: called between begin and end.
  [[nodiscard]] Shard& first() const noexcept { return *first_; }
  [[nodiscard]] bool is_first_alone() const noexcept { return joined_.empty(); }
  [[nodiscard]] const std::vector<Shard*>& joined() const noexcept { return joined_; }
  // The offices of the joined shards, each of them once; that of the first shard only if a joined shard belongs to it.
  [[nodiscard]] const std::vector<std::uint32_t>& offices() const noexcept { return offices_; }
  // The number of joined shards that belong to this office.
  [[nodiscard]] std::uint32_t count_of(std::uint32_t office) const noexcept { return of_office_[office]; }

  void begin(Shard& first) noexcept {
    ++holds_;
    first_ = &first;
    has_[first.number] = 1;
    lead_to(first);
  }
  // From now on what is sent to the shard with the number of `s` goes to the lane of `s`. REQUIRES: it is held.
  void lead_to(Shard& s) noexcept { tails_[s.number] = &s.lane; }
  // REQUIRES: no shard is joined.
  void end() noexcept {
    leave(first_->number);
    first_ = nullptr;
  }
  // REQUIRES: the worker has just become the holder of `s`. Behind this call it moves what lies in the lane of `s` to
  // the lane of the first shard.
  void add(Shard& s) noexcept {
    has_[s.number] = 1;
    tails_[s.number] = &first_->lane;
    joined_.push_back(&s);
    if (++of_office_[s.office] == 1) offices_.push_back(s.office);
  }
  // Forgets the joined shards for which let_go returns true, which means that it has let go of them.
  template <class LetGo>
  void remove_if(LetGo let_go) noexcept {
    std::erase_if(joined_, [&](Shard* s) {
      if (!let_go(*s)) return false;
      leave(s->number);
      if (--of_office_[s->office] == 0) std::erase(offices_, s->office);
      return true;
    });
  }
  // Forgets all shards but the first.
  void separate() noexcept {
    for (const Shard* s : joined_) {
      leave(s->number);
      of_office_[s->office] = 0;
    }
    joined_.clear();
    offices_.clear();
  }

 private:
  void lead_elsewhere(std::uint32_t shard) noexcept { tails_[shard] = &outboxes_.at(outbox_for_[shard]).queue; }
  void leave(std::uint32_t shard) noexcept {
    has_[shard] = 0;
    if (!Shard::policy::planted(sync::fault::tail_left_behind)) lead_elsewhere(shard);
  }

  const std::span<const std::uint32_t> outbox_for_;
  mailbox::outbox_set& outboxes_;
  std::vector<detail::queue_tail*> tails_;
  base::sparse_array<std::uint8_t> has_;
  base::sparse_array<std::uint32_t> of_office_;
  Shard* first_ = nullptr;
  std::uint64_t holds_ = 0;
  std::vector<Shard*> joined_;
  std::vector<std::uint32_t> offices_;
};

class joint_hold final : public basic_joint_hold<mailbox::shard> {
  using basic_joint_hold::basic_joint_hold;
};

}  // namespace tact::dispatch
