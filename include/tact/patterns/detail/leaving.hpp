// How messages that an actor has held back leave it.
#pragma once

#include <exception>
#include <type_traits>

#include "tact/context.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// The messages that leave in this run. When it has committed, they are noted as gone.
template <class M>
class leaving {
 public:
  explicit leaving(transaction& tx) noexcept : tx_(tx) {}
  // Notes that `m` leaves.
  void note(const held<M>& m) { all_ = std::move(all_).push_back(m); }
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
  // Called once, after the last of them. Costs a message when requests leave.
  void commit() {
    if (!has_customer<M> || all_.empty()) return;
    tx_.on_commit([all = all_] {
      for (const held<M>& m : all) m->gone = true;
    });
  }

 private:
  void tell(const held_message<M>& m, const char* what) {
    if (m.customer()) tx_.send(m.customer(), failure{failure_reason::handler_threw, what});
  }

  transaction& tx_;
  queue<held<M>> all_{};
};

}  // namespace tact::detail
