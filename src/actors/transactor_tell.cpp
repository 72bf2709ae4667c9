// Messages that the core itself sends or buries: notices to customers, messages that no actor will handle, messages
// that go home.
#include <new>
#include <utility>

#include "actors/failures.hpp"
#include "actors/notices.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"

namespace tact::detail {

using actors::cell;
using mailbox::envelope;

void transactor::pay_debt() noexcept {
  const port customer = std::exchange(debt_, 0);
  bool passed_on = false;
  journal_.for_each_staged([&](envelope& e) {
    const port other = actors::customer_of(e);
    passed_on = passed_on || (other != 0 && same_actor(other, customer));
  });
  if (passed_on) return;
  tell(customer, actors::notice_of(failure_reason::unanswered,
                                   "the request was handled without an answer: reply, pass it on, or call "
                                   "self.defer(request)"));
}

void transactor::tell(port customer, failure&& f) noexcept {
  const base::may_use_reserve sure;
  // A failure for a customer of another engine is sent at once: a commit, which would send it there, may not follow.
  const bool is_elsewhere = actors::is_current(customer) && !lives_in(customer, *engine_);
  if (is_elsewhere) return actors::tell_outside(customer, std::move(f));
  new (stage_for_core(customer, failure_message)) failure(std::move(f));
}

void transactor::drop(envelope& e, failure_reason reason, std::string text) noexcept {
  const base::may_use_reserve sure;
  const actors::this_thread::callback outside;
  if (e.marks() != 0) engine_->leave_rooms(e);
  if (e.is_special() && actors::is_order(e.type())) {
    if (actors::is_watch(e)) tell_watcher(actors::take_watcher(e), actors::gone(e.target()));
    e.destroy(true);
    settle_run();
    ++tally_.committed;
    return;
  }
  engine_->bury(e.target(), e.type(), e.payload(), reason, [&](port customer, failure&& f) {
    if (!text.empty()) f.what = std::move(text);
    tell(customer, std::move(f));
  });
  e.end_parcel();
  settle_run();
  ++tally_.dead;
}

void transactor::forward(envelope& e, const cell& c) noexcept {
  const base::may_use_reserve sure;
  e.mark_forwarded();
  e.relocate(worker_->outboxes().open(outbox_for(c.where().shard())).queue.reserve(e.slots(), worker_->chunks()));
  ++tally_.forwarded;
}

}  // namespace tact::detail
