#include "actors/pressure/kept_messages.hpp"

#include <utility>

#include "actors/cells/cell.hpp"
#include "actors/wait/wait_circles.hpp"
#include "base/reserve.hpp"

namespace tact::actors {

namespace {

bool is_counted(const kept_messages::kept& k) noexcept { return k.type->role == detail::message_type::ordinary; }

}  // namespace

const void* kept_messages::kept::message() const noexcept {
  const void* const payload = body->payload;
  return type->indirect ? *static_cast<const void* const*>(payload) : payload;
}

detail::port kept_messages::kept::customer_that_waits() const noexcept {
  if (type->customer == nullptr) return 0;
  const detail::port customer = type->customer(const_cast<void*>(message()));
  const bool waits = customer != 0 && is_current(customer) && cell_of(customer).type() != nullptr &&
                     cell_of(customer).type()->kind == detail::actor_kind::waiter;
  return waits ? customer : 0;
}

void kept_messages::open(detail::port whose, const mailbox_limit& most, detail::mailbox_order&& order) noexcept {
  const inside in(lock_);
  whose_ = whose;
  most_ = most;
  order_ = std::move(order);
  tokens_ = 0;
}

void kept_messages::close() noexcept {
  detail::mailbox_order forgotten;  // its state may be the last: then it ends outside of the lock
  const inside in(lock_);
  whose_ = 0;
  std::swap(forgotten, order_);
}

std::optional<kept_messages::kept> kept_messages::take_left() noexcept {
  const inside in(lock_);
  if (whose_ != 0 || size() == 0) return {};
  return pop();
}

// The user's function is called outside of the lock. Meanwhile the actor may end, so the order is held here.
std::int64_t kept_messages::rank_of(const kept& message) const noexcept {
  if (!is_counted(message)) return 0;
  const base::may_not_use_reserve refused_as_usual;
  const detail::mailbox_order order = order_for(message.to);
  return order ? order.ranks[index_of(message.to)](order.state.get(), message.message()) : 0;
}

detail::mailbox_order kept_messages::order_for(detail::port to) const noexcept {
  const inside in(lock_);
  return detail::same_actor(whose_, to) ? order_ : detail::mailbox_order{};
}

kept_messages::outcome kept_messages::add(const kept& message, std::int64_t rank, kept& dropped) {
  const inside in(lock_);
  if (!detail::same_actor(whose_, message.to)) return outcome::closed;
  if (is_counted(message) && !fits(message.type->bytes())) return make_room(rank, dropped);
  push(message, rank);
  // A token makes the worker of an actor that waits look for circles, so a request of a handler that waits has its own.
  const bool may_close_circle = wait_circles::are_known() && message.customer_that_waits() != 0;
  if (tokens_ >= size() && !may_close_circle) return outcome::added;
  ++tokens_;
  return outcome::with_token;
}

std::optional<kept_messages::kept> kept_messages::redeem(detail::port token) noexcept {
  const inside in(lock_);
  if (whose_ == 0 || !detail::same_actor(whose_, token)) return {};
  --tokens_;
  if (size() == 0) return {};
  return pop();
}

std::optional<kept_messages::kept> kept_messages::redeem_end(detail::port token) noexcept {
  const inside in(lock_);
  kept end;
  const auto is_end = [](const kept& k) { return !is_counted(k); };
  if (!detail::same_actor(whose_, token) || !(ranked_.try_pop(is_end, end) || try_pop_in_turn(is_end, end))) return {};
  --tokens_;
  return end;
}

std::vector<detail::port> kept_messages::customers_that_wait(detail::port token) const {
  std::vector<detail::port> all;
  const inside in(lock_);
  if (!detail::same_actor(whose_, token)) return all;
  const auto note = [&](const kept& k) {
    if (const detail::port customer = k.customer_that_waits()) all.push_back(customer);
  };
  in_turn_.for_each(note);
  ranked_.for_each(note);
  return all;
}

std::optional<kept_messages::kept> kept_messages::take_request(detail::port token, detail::port customer) noexcept {
  const inside in(lock_);
  kept request;
  if (!detail::same_actor(whose_, token)) return {};
  const auto is_meant = [&](const kept& k) {
    return k.type->customer != nullptr && detail::same_actor(k.customer_that_waits(), customer);
  };
  if (!ranked_.try_pop(is_meant, request) && !try_pop_in_turn(is_meant, request)) return {};
  leave(request);
  return request;
}

// Takes out the first message without a rank for which is_meant(message) holds. False: there is none.
template <class IsMeant>
bool kept_messages::try_pop_in_turn(IsMeant is_meant, kept& taken) noexcept {
  bool found = false;
  in_turn_.erase_if([&](const kept& k) {
    if (found || !is_meant(k)) return false;
    taken = k;
    return found = true;
  });
  return found;
}

bool kept_messages::fits(std::uint64_t bytes) const noexcept {
  if (counted_ == 0) return true;
  return (most_.messages == 0 || counted_ < most_.messages) && (most_.bytes == 0 || bytes_ + bytes <= most_.bytes);
}

kept_messages::outcome kept_messages::make_room(std::int64_t rank, kept& dropped) noexcept {
  if (!order_) {
    // Behind an order to end the actor no message is handled, so none must go for it.
    if (size() != counted_) return outcome::too_low;
    dropped = pop();
  } else if (ranked_.try_pop_before(
                 rank, [](const kept& k) { return !is_counted(k); }, dropped)) {
    leave(dropped);
  } else {
    return outcome::too_low;
  }
  return outcome::made_room;
}

void kept_messages::push(const kept& message, std::int64_t rank) {
  if (!order_) {
    in_turn_.push_back(message);
    if (!is_counted(message)) return;
  } else if (is_counted(message)) {
    ranked_.push(message, rank);
  } else {
    return ranked_.push_end(message);
  }
  ++counted_;
  bytes_ += message.type->bytes();
}

kept_messages::kept kept_messages::pop() noexcept {
  kept first;
  if (!in_turn_.empty()) {
    first = in_turn_.front();
    in_turn_.pop_front();
  } else {
    first = ranked_.pop_first();
  }
  if (is_counted(first)) leave(first);
  return first;
}

void kept_messages::leave(const kept& message) noexcept {
  --counted_;
  bytes_ -= message.type->bytes();
}

}  // namespace tact::actors
