#include "actor/kept_messages.hpp"

#include <algorithm>
#include <utility>

namespace tact::actor {

void kept_messages::open(detail::port whose, const mailbox_limit& most) noexcept {
  const inside in(lock_);
  whose_ = whose;
  most_ = most;
  tokens_ = 0;
}

std::vector<kept_messages::kept> kept_messages::close() noexcept {
  const inside in(lock_);
  whose_ = 0;
  std::vector<kept> left = std::exchange(ring_, {});
  std::rotate(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(oldest_), left.end());
  left.resize(count_);
  oldest_ = 0;
  count_ = 0;
  bytes_ = 0;
  return left;
}

kept_messages::outcome kept_messages::add(const kept& message, kept& dropped) {
  const inside in(lock_);
  if (!detail::same_actor(whose_, message.to)) return outcome::closed;
  const std::uint64_t bytes = message.type->bytes();
  if (!fits(bytes)) dropped = pop();
  if (!fits(bytes)) return outcome::made_room;
  if (count_ == ring_.size()) grow();
  ring_[(oldest_ + count_++) % ring_.size()] = message;
  bytes_ += bytes;
  if (tokens_ >= count_) return outcome::added;
  ++tokens_;
  return outcome::with_token;
}

std::optional<kept_messages::kept> kept_messages::redeem(detail::port token) noexcept {
  const inside in(lock_);
  if (whose_ == 0 || !detail::same_actor(whose_, token)) return {};
  --tokens_;
  if (count_ == 0) return {};
  return pop();
}

bool kept_messages::fits(std::uint64_t bytes) const noexcept {
  if (count_ == 0) return true;
  return (most_.messages == 0 || count_ < most_.messages) && (most_.bytes == 0 || bytes_ + bytes <= most_.bytes);
}

kept_messages::kept kept_messages::pop() noexcept {
  const kept first = ring_[oldest_];
  oldest_ = (oldest_ + 1) % ring_.size();
  --count_;
  bytes_ -= first.type->bytes();
  return first;
}

void kept_messages::grow() {
  std::vector<kept> larger(2 * ring_.size() + 8);
  for (std::size_t i = 0; i < count_; ++i) larger[i] = ring_[(oldest_ + i) % ring_.size()];
  ring_ = std::move(larger);
  oldest_ = 0;
}

}  // namespace tact::actor
