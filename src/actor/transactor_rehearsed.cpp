// Handlers that run twice, to see whether they can: engine_options::rehearse.
#include "actor/transactor.hpp"

namespace tact::detail {

using actor::cell;
using actor::cell_of;
using mailbox::envelope;

bool transactor::run_rehearsed(mailbox::copy_queue& from) {
  bool look_up;
  do {
    envelope& e = from.front();
    dispatch_other(e, cell_of(e.target()));
    from.skip_to(e.after());
    look_up = pace_.step();
  } while (&from.front() != from.limit() && !look_up);
  return look_up;
}

bool transactor::call_twice(envelope& e, cell& c, closure& b, entry handler) {
  const behavior_type& type = *b.type;
  const auto first = rehearse(e, b, handler);
  if (!first) return call<false>(e, c, b, handler);
  actor::staging second;
  const bool ran = call<false>(e, c, b, handler);
  ran ? second.read(journal_) : second.note_exception();
  std::string difference = second.difference_from(*first);
  if (!difference.empty()) {
    actor::report_unrepeatable(engine_->options(), {type.name, e.type().name, std::move(difference)});
  }
  return ran;
}

std::optional<actor::staging> transactor::rehearse(envelope& e, closure& b, entry handler) {
  std::optional<actor::staging> staged(std::in_place);
  rehearsing_ = true;
  // relaxed: hint, for reports, and read back by its owner; as in call.
  handling.store(e.target(), std::memory_order_relaxed);
  grip_.hold(&b);
  transaction::journal::begin(*this);
  if (e.has_parcel()) enter_context(e.its_parcel().context);
  try {
    handler(b, *this, e.message());
    grip_.let_go();
    staged->read(journal_);
  } catch (const rehearsal_ends&) {
    grip_.let_go();
    staged.reset();
  } catch (...) {
    grip_.let_go();
    staged->note_exception();
  }
  rehearsing_ = false;
  abort();
  settle_run();
  return staged;
}

}  // namespace tact::detail
