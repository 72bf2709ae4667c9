#include "actors/run/staged_effects.hpp"

#include <cstring>
#include <new>

#include "actors/common/grouped_lines.hpp"
#include "actors/life/idle_watch.hpp"
#include "base/blocks.hpp"

namespace tact::actors {

namespace {

// An address of no actor, which stands for the n-th actor that a run created.
port token_of(std::size_t number) noexcept { return (number + 1) << detail::index_bits; }

std::string in_words(const detail::behavior_type* next, bool stops) {
  if (stops) return "ends the actor";
  return next == nullptr ? "does not become" : "becomes a behaviour of " + std::string(next->name);
}

}  // namespace

port staged_effects::known_by(port p) const noexcept {
  for (std::size_t i = 0; i < created_.size(); ++i) {
    if (detail::same_actor(created_[i], p)) return token_of(i) | (p & detail::index_mask);
  }
  return p;
}

void staged_effects::read(transactions::journal& staged) noexcept {
  try {
    read_all(staged);
  } catch (const std::bad_alloc&) {
    is_incomplete_ = true;
  }
}

void staged_effects::read_all(transactions::journal& staged) {
  base::look_for_memory();
  for (const auto& made : staged.creations()) {
    created_.push_back(made.address);
    created_types_.push_back(made.behavior == nullptr ? nullptr : made.behavior->type);
  }
  staged.for_each_staged([&](mailbox::envelope& e) {
    send s{known_by(e.target()), &e.type(), {}};
    if (e.type().has_plain_bytes) {
      s.words.resize((e.type().payload_bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
      std::memcpy(s.words.data(), e.payload(), e.type().payload_bytes);
      for (auto& word : s.words) word = known_by(word);
    }
    sends_.push_back(std::move(s));
  });
  std::sort(sends_.begin(), sends_.end());
  stops_ = staged.stops();
  next_ = staged.next() == nullptr ? nullptr : &real_type(*staged.next());
}

std::string staged_effects::difference_from(const staged_effects& other) const {
  if (is_incomplete_ || other.is_incomplete_) return {};
  if (threw_ != other.threw_) return threw_ ? "throws" : "does not throw";
  if (waits_ != other.waits_) return waits_ ? "waits for an answer" : "does not wait for an answer";
  if (stops_ != other.stops_ || next_ != other.next_) return in_words(next_, stops_);
  if (created_types_ != other.created_types_) return "creates " + counted(created_.size(), "actor");
  if (sends_.size() != other.sends_.size()) return "sends " + counted(sends_.size(), "message");
  for (std::size_t i = 0; i < sends_.size(); ++i) {
    if (sends_[i] == other.sends_[i]) continue;
    const std::string text = "sends a " + std::string(sends_[i].type->name);
    if (sends_[i].target != other.sends_[i].target) return text + " to another actor";
    if (sends_[i].type != other.sends_[i].type)
      return text + " instead of a " + std::string(other.sends_[i].type->name);
    return text + " with another content";
  }
  return {};
}

}  // namespace tact::actors
