// The customer to whom a run owes an answer.
#pragma once

#include <utility>

#include "tact/detail/core.hpp"

namespace tact::actors {

// A run that handles a request owes an answer until it sends to the request's customer, or settles the debt otherwise.
// A run that commits with a debt tells its customer that no answer will come. Thread safety: owner only.
class debt {
 public:
  void begin(detail::port customer) noexcept {
    customer_ = customer;
    at_first_ = customer;
  }
  // A message goes to this actor: if it is the customer, nothing is owed any more.
  void settle(detail::port to) noexcept {
    if (customer_ != 0 && detail::same_actor(to, customer_)) customer_ = 0;
    if (deferred_ != 0 && detail::same_actor(to, deferred_)) deferred_ = 0;
  }
  // A later run will answer the customer.
  void defer(detail::port customer) noexcept {
    if (customer_ == 0 || !detail::same_actor(customer, customer_)) return;
    customer_ = 0;
    deferred_ = customer;
  }
  // The customer whose answer was deferred, by this run or by the one that has made the object which runs; 0: none, or
  // it was sent something.
  [[nodiscard]] detail::port deferred() const noexcept { return deferred_; }
  void inherit(detail::port customer) noexcept { deferred_ = customer; }
  // 0: nothing is owed.
  [[nodiscard]] detail::port customer() const noexcept { return customer_; }
  // The customer to whom the run owed an answer when it began, also when that was answered since.
  [[nodiscard]] detail::port at_first() const noexcept { return at_first_; }
  [[nodiscard]] detail::port take() noexcept { return std::exchange(customer_, 0); }
  void put_back(detail::port customer) noexcept { customer_ = customer; }
  // What the run has sent was thrown away.
  void renew() noexcept {
    customer_ = at_first_;
    deferred_ = 0;
  }

 private:
  detail::port customer_ = 0;
  detail::port at_first_ = 0;
  detail::port deferred_ = 0;
};

}  // namespace tact::actors
