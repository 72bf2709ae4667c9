// A message that an actor holds back for later.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/counted.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/persistent_list.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// The message, in its context. If it is a request, and is destroyed after it was accepted and before it was let go, its
// customer is told that it will not be answered.
template <class M>
struct held_message {
  held_message(const M& m, context c) : message(m), in(std::move(c)) {}
  held_message(const held_message&) = delete;
  held_message& operator=(const held_message&) = delete;
  ~held_message() {
    if (!accepted || gone) return;
    try {
      const unfailing sure;
      send_anywhere(customer(),
                    failure{failure_reason::target_ended, "the actor ended while the request waited in it"});
    } catch (...) {
      // The reserve is exhausted, too. So the asker waits until its limit, or until the engine's end.
    }
  }
  // The customer that is to be told; none for a message that is no request.
  [[nodiscard]] ref<failure> customer() const noexcept {
    if constexpr (has_customer<M>) return access::make_ref<failure>(customer_of<M>(&message));
    return {};
  }

  const M message;
  const context in;
  std::atomic<bool> accepted{false};  // it is a request, and the run that held it back has committed
  std::atomic<bool> gone{false};      // it was sent on, or its customer was told
};

template <class M>
using held = counted<held_message<M>>;

// Holds back the message that is handled. The caller keeps the result in the next behaviour.
template <class P, class M>
held<M> hold_back(self<P>& self, const M& m) {
  auto kept = held<M>::make(m, self.context());
  if constexpr (has_customer<M>) {
    settle_debt(access::run_of(self), customer_of<M>(&m));
    self.on_commit([kept] { kept->accepted = true; });
  }
  return kept;
}
// The messages that leave in this run. When it has committed, they are noted as gone.
template <class M>
class leaving {
 public:
  explicit leaving(transaction& tx) noexcept : tx_(tx) {}
  // Notes that `m` leaves.
  void note(const held<M>& m) { all_ = all_.with(++count_, m); }
  // Sends `m` on. A message that cannot be copied is lost; the customer of a request is told.
  void send(const held<M>& m, ref<M> to) {
    with_context(m->in, [&] {
      try {
        tx_.send(to, m->message);
      } catch (const std::exception& e) {
        tell(*m, e.what());
      } catch (...) {
        tell(*m, "an exception that is no std::exception");
      }
    });
    note(m);
  }
  // True when messages leave.
  explicit operator bool() const noexcept { return count_ != 0; }
  // Called once, after the last of them.
  void commit() {
    if (!has_customer<M> || count_ == 0) return;
    tx_.on_commit([all = all_] { all.for_each([](std::uint64_t, const held<M>& m) { m->gone = true; }); });
  }

 private:
  void tell(const held_message<M>& m, const char* what) {
    if (m.customer()) tx_.send(m.customer(), failure{failure_reason::handler_threw, what});
  }

  transaction& tx_;
  persistent_list<held<M>> all_{};  // a list, because to go through it takes no memory
  std::uint64_t count_ = 0;
};

}  // namespace tact::detail
