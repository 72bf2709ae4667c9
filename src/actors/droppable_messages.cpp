#include "actors/droppable_messages.hpp"

namespace tact::actors {

void droppable_messages::open(detail::port whose, const mailbox_limit& most) noexcept {
  const inside in(lock_);
  whose_ = whose;
  most_ = most;
  tokens_ = 0;
}

void droppable_messages::close() noexcept {
  const inside in(lock_);
  whose_ = 0;
}

std::optional<droppable_messages::droppable> droppable_messages::take_left() noexcept {
  const inside in(lock_);
  if (whose_ != 0 || all_.empty()) return {};
  return pop();
}

droppable_messages::outcome droppable_messages::add(const droppable& message, droppable& dropped) {
  const inside in(lock_);
  if (!detail::same_actor(whose_, message.to)) return outcome::closed;
  const std::uint64_t bytes = message.type->bytes();
  if (!fits(bytes)) {
    dropped = pop();
    return outcome::made_room;
  }
  all_.push_back(message);
  bytes_ += bytes;
  if (tokens_ >= all_.size()) return outcome::added;
  ++tokens_;
  return outcome::with_token;
}

std::optional<droppable_messages::droppable> droppable_messages::redeem(detail::port token) noexcept {
  const inside in(lock_);
  if (whose_ == 0 || !detail::same_actor(whose_, token)) return {};
  --tokens_;
  if (all_.empty()) return {};
  return pop();
}

bool droppable_messages::fits(std::uint64_t bytes) const noexcept {
  if (all_.empty()) return true;
  return (most_.messages == 0 || all_.size() < most_.messages) && (most_.bytes == 0 || bytes_ + bytes <= most_.bytes);
}

droppable_messages::droppable droppable_messages::pop() noexcept {
  const droppable first = all_.front();
  all_.pop_front();
  bytes_ -= first.type->bytes();
  return first;
}

}  // namespace tact::actors
