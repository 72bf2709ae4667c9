// A request that a pool has given to a member, until its end.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// The end of one turn. The pool and the message that tells it of this end share it.
struct pool_turn_end {
  std::atomic<bool> has_come{false};    // to the pool
  std::atomic<bool> has_failed{false};  // the member has not done what it was given
};

// Tells a pool that a turn is over. It is sent by the run that hears the outcome; if that run fails, it is destroyed
// unsent, and its destructor sends another one, which is no part of a run. So the pool hears of each turn, whatever
// fails.
class pool_turn_over {
 public:
  pool_turn_over(counted<pool_turn_end> end, ref<pool_turn_over> pool, std::uint64_t at, std::uint64_t number) noexcept
      : seat(at), turn(number), end_(std::move(end)), pool_(pool) {}
  pool_turn_over(pool_turn_over&& other) noexcept
      : seat(other.seat), turn(other.turn), end_(std::move(other.end_)), pool_(other.pool_) {}
  pool_turn_over(const pool_turn_over&) = delete;
  pool_turn_over& operator=(const pool_turn_over&) = delete;
  ~pool_turn_over() {
    if (end_ && pool_ && !end_->has_come) send_another();
  }
  void note_arrival() const noexcept { end_->has_come = true; }

  const std::uint64_t seat;
  const std::uint64_t turn;

 private:
  // The other message has no ref of the pool, so its destructor sends none.
  void send_another() noexcept;

  counted<pool_turn_end> end_;  // null: moved from
  const ref<pool_turn_over> pool_;
};

inline void pool_turn_over::send_another() noexcept {
  const unfailing sure;
  try {
    send_anywhere(pool_, pool_turn_over(end_, {}, seat, turn));
  } catch (...) {
    // The engine is gone, and the pool with it.
  }
}

// What the beta does. If its run fails the engine tells the customer.
template <class Q>
struct pool_turn {
  using reply = typename request<Q>::reply;

  void operator()(transaction& tx, reply& answer) const {
    end(tx);
    tx.send(customer, std::move(answer));
  }
  void operator()(transaction& tx, const failure& f) const {
    end(tx);
    tx.fail(customer, as_far_as_memory_goes(f));
  }
  void end(transaction& tx) const {
    if (waited) waited->gone = true;
    tell_if_it_fails(tx, customer);
    const unfailing sure;  // what is destroyed in a run sends nothing that outlives it
    tx.send(pool, pool_turn_over(turn_end, pool, seat, turn));
  }

  ref<reply> customer;
  held<request<Q>> waited;  // null when its turn came at once
  counted<pool_turn_end> turn_end;
  ref<pool_turn_over> pool;
  std::uint64_t seat;
  std::uint64_t turn;
};

}  // namespace tact::detail
