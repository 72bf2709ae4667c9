// waiting_room: requests that wait in an actor for the same answer.
#pragma once

#include <exception>
#include <utility>

#include "tact/context.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// A part of an immutable behaviour: `with` makes another room, which shares with this one what both have. All requests
// that wait are answered, each in its context and in the order in which they came, or are told why no answer comes. If
// no run does that, the destructor of the last room with them does. Thread safety: as a shared pointer.
template <class Q>
class waiting_room {
 public:
  using reply = typename request<Q>::reply;

  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }

  // The room with one more request in it, which the running handler defers. `host`: see held_message. Costs a
  // message: the function that notes at the commit that the request waits.
  [[nodiscard]] waiting_room with(transaction& tx, const request<Q>& m, const char* host) const {
    waiting_room fuller;
    fuller.all_ = all_.push_back(hold_back(tx, m, host));
    return fuller;
  }

  // Answers all. A value that cannot be copied for one of them is a failure for that one only. The callers hold an
  // `unfailing`. Costs a message beside the answers: each request is told once, so it is noted at the commit, and not
  // by a run that may still throw, that none waits any more.
  void answer(transaction& tx, const reply& value) const {
    settle(tx, [&](ref<reply> customer) { give(tx, customer, value); });
  }
  void fail(transaction& tx, const failure& why) const {
    settle(tx, [&](ref<reply> customer) { tx.fail(customer, as_far_as_memory_goes(why)); });
  }
  // The room without the first request, which is answered. REQUIRES: not empty. Costs a message beside the answer.
  [[nodiscard]] waiting_room answer_first(transaction& tx, const reply& value) const {
    return settle_first(tx, [&](ref<reply> customer) { give(tx, customer, value); });
  }
  [[nodiscard]] waiting_room fail_first(transaction& tx, const failure& why) const {
    return settle_first(tx, [&](ref<reply> customer) { tx.fail(customer, as_far_as_memory_goes(why)); });
  }

 private:
  using entry = held<request<Q>>;

  template <class Tell>
  waiting_room settle_first(transaction& tx, Tell tell) const {
    const entry first = all_.front();
    waiting_room rest;
    rest.all_ = all_.pop_front();
    with_context(first->in, [&] { tell(first->message.customer); });
    tx.on_commit([first] { first->gone = true; });
    return rest;
  }

  template <class Tell>
  void settle(transaction& tx, Tell tell) const {
    if (empty()) return;
    for (const entry& first : all_) {
      with_context(first->in, [&] { tell(first->message.customer); });
    }
    tx.on_commit([all = all_] {
      for (const entry& e : all) e->gone = true;
    });
  }
  static void give(transaction& tx, ref<reply> customer, const reply& value) {
    try {
      tx.send(customer, value);
    } catch (const std::exception& e) {
      tx.fail(customer, failure{failure_reason::handler_threw, e.what()});
    } catch (...) {
      tx.fail(customer, failure{failure_reason::handler_threw, "an exception that is no std::exception"});
    }
  }

  queue<entry> all_{};
};

}  // namespace tact::detail
