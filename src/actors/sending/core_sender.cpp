#include "actors/sending/core_sender.hpp"

#include <new>
#include <utility>

#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"
#include "actors/failure/core_messages.hpp"
#include "actors/failure/dead_letters.hpp"
#include "actors/failure/end_notices.hpp"
#include "actors/failure/failure_notices.hpp"
#include "base/blocks.hpp"

namespace tact::actors {

using mailbox::envelope;

void core_sender::pay_debt() noexcept {
  const port customer = run_.debt().take();
  bool passed_on = false;
  run_.journal().for_each_staged([&](envelope& e) {
    const port other = customer_of(e);
    passed_on = passed_on || (other != 0 && same_actor(other, customer));
  });
  if (passed_on) return;
  tell(customer, notice_of(failure_reason::unanswered,
                           "the request was handled without an answer: reply, pass it on, or call "
                           "self.defer(request)"));
}

void core_sender::tell(port customer, failure&& f) noexcept {
  const base::may_use_reserve sure;
  new (router_.stage(customer, failure_message)) failure(std::move(f));
}

void core_sender::tell_watcher(watcher& w, ended&& notice) noexcept {
  const base::may_use_reserve sure;
  const this_thread::callback outside;
  const port debt = run_.debt().take();  // a notice is no answer
  actors::tell(w, &run_, std::move(notice));
  run_.debt().put_back(debt);
}

void core_sender::bury(envelope& e, failure_reason reason, std::string text) noexcept {
  const base::may_use_reserve sure;
  const this_thread::callback outside;
  if (e.admissions() != 0) limits_.leave_counters(e);
  if (e.is_special() && is_order(e.type())) {
    if (is_watch(e)) tell_watcher(take_watcher(e), gone(e.target()));
    return e.end_handled();
  }
  bury(e.target(), e.type(), e.payload(), reason, std::move(text));
  e.free_out_of_line();
}

void core_sender::bury(port to, const message_type& type, void* payload, failure_reason reason,
                       std::string text) noexcept {
  burial_.bury(to, type, payload, reason, [&](port customer, failure&& f) {
    if (!text.empty()) f.what = std::move(text);
    tell(customer, std::move(f));
  });
}

// The message was sent, and no actor will handle it. It is counted by the engine, like messages that threads outside
// bury, and not in this worker's tally, because no worker has taken it from a lane.
void core_sender::lose(envelope& e, failure_reason reason) noexcept {
  burial_.note_unserved(e.target(), e.type(), reason, e.id());
  burial_.count_sent_and_lost();
  bury(e.target(), e.type(), e.payload(), reason, {});
  e.free_out_of_line();
}

void core_sender::lose(const kept_messages::kept& k, failure_reason reason, std::string text) noexcept {
  burial_.note_unserved(k.to, *k.type, reason, k.body->id());
  limits_.leave_counters(k.to, k.body->admissions(), k.type->bytes());
  if (is_order(*k.type)) {
    burial_.count_order();
  } else {
    burial_.count_lost();
  }
  bury(k.to, *k.type, k.body->payload, reason, std::move(text));
  mailbox::out_of_line_body::end(*k.body);
}

}  // namespace tact::actors
