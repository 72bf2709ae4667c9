// What becomes of messages that no handler will get.
#pragma once

#include "actors/cells/host.hpp"
#include "actors/common/names.hpp"
#include "actors/common/phase.hpp"
#include "actors/counts/tally.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_notices.hpp"
#include "actors/failure/reports.hpp"
#include "actors/pressure/kept_messages.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/trace/tracing.hpp"
#include "dispatch/dispatcher.hpp"
#include "mailbox/envelope.hpp"
#include "tact/detail/core.hpp"
#include "tact/ended.hpp"

namespace tact::actors {

// Thread safety: any thread, except where a comment says otherwise. Invariant: a message that is buried becomes a dead
// letter or an order without effect, its customer is told, and its payload ends: each once.
class burial {
 public:
  burial(dead_letters& letters, limits& l, outside_tally& counted, dispatch::dispatcher& workers, reports& reports,
         const phase& p, const tracing& recorded, const host& h) noexcept
      : letters_(letters),
        limits_(l),
        counted_(counted),
        workers_(workers),
        reports_(reports),
        phase_(p),
        recorded_(recorded),
        host_(h) {}
  burial(const burial&) = delete;
  burial& operator=(const burial&) = delete;

  // Destroys a message that no handler will get, and tells its customer. The caller counts the message, and passes a
  // function that sends a failure notice.
  template <class SendFailure>
  void bury(port to, const message_type& type, void* payload, failure_reason reason, SendFailure send_failure) noexcept;
  // As bury, by a thread outside, which tells the customer at once. bury_outside counts the message as well.
  // `id`: the number by which it is recorded; 0: it has none.
  void bury_unhandled(port to, const message_type& type, void* payload, failure_reason reason,
                      std::uint64_t id = 0) noexcept;
  void bury_outside(port to, const message_type& type, void* payload, failure_reason reason,
                    std::uint64_t id = 0) noexcept;
  // Records, where steps are, that no handler will get the message.
  void note_unserved(port to, const message_type& type, failure_reason reason, std::uint64_t id) const noexcept;
  // Buries a message that a mailbox kept; it leaves the counters of its limits.
  void bury(const kept_messages::kept& k, failure_reason reason) noexcept;
  // Buries all that a mailbox still keeps. REQUIRES: no worker is left.
  void close_mailbox(cell& c) noexcept;
  // Buries a message that was left in a queue. REQUIRES: no worker is left.
  void bury_left(mailbox::envelope& e) noexcept;
  // Counts a dead letter that was counted as sent before.
  void count_lost() noexcept;
  // Counts a dead letter that was not counted as sent yet.
  void count_sent_and_lost() noexcept;
  // Counts an order without effect.
  void count_order() noexcept;
  // Counts a message as sent, and buries it.
  void bury_unsent(port to, const message_type& type, void* payload, failure_reason reason) noexcept;

  // Tells the customer of a request that no handler will get.
  void tell_unserved(port customer, failure&& f) noexcept;
  // Tells the customer where what would have brought its answer is destroyed. A customer of this engine is told as what
  // waits here. REQUIRES: no worker is left.
  void tell_owed(port customer) noexcept;
  // Tells an asker that waits, once. REQUIRES: no worker runs. So no cell is reused.
  void tell_asker(cell& asker, failure f) noexcept;
  // If this engine has ended and the watcher lives in it, the watcher is dropped: no actor there would handle the
  // notice.
  void tell_watcher(watcher& w, port ended_one, end_reason why) noexcept;

 private:
  // The number of a message that a thread outside has sent to no actor, if steps are recorded; else 0.
  [[nodiscard]] std::uint64_t number(port to, const message_type& type) const noexcept;
  void bury_order(port to, const message_type& type, void* payload, failure_reason reason) noexcept;

  [[nodiscard]] bool lives_here(port p) const noexcept;

  dead_letters& letters_;
  limits& limits_;
  outside_tally& counted_;
  dispatch::dispatcher& workers_;
  reports& reports_;
  const phase& phase_;
  const tracing& recorded_;
  const host host_;
};

template <class SendFailure>
void burial::bury(port to, const message_type& type, void* payload, failure_reason reason,
                  SendFailure send_failure) noexcept {
  void* message = type.indirect ? *static_cast<void**>(payload) : payload;
  if (is_order(type)) {
    bury_order(to, type, payload, reason);
  } else {
    const bool is_notice = type.role == message_type::failure_notice;
    letters_.add(to, type, reason, is_notice ? static_cast<const failure*>(message) : nullptr);
  }
  if (type.customer != nullptr) {
    const port customer = type.customer(message);
    if (customer != 0) send_failure(customer, notice_of_burial(to, reason));
  }
  if (type.destroy != nullptr) type.destroy(payload, true);
}

}  // namespace tact::actors
