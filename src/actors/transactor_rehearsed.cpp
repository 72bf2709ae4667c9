// Handlers that are run twice, to see whether a run can be repeated: engine_options::rehearse.
#include <new>
#include <utility>

#include "actors/transactor.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

// A handler that waits does not return to this frame, and leaves it as it is: hence nothing in it must be destroyed.
bool transactor::call_twice(envelope& e, cell& c, closure& b, entry handler) {
  const behavior_type& type = *b.type;
  rehearse(e, b, handler);
  const bool ran = call<false>(e, c, b, handler);
  actors::staging second;
  ran ? second.read(journal_) : second.note_exception();
  compare(second, type, e);
  return ran;
}

void transactor::rehearse(envelope& e, closure& b, entry handler) {
  rehearsed_.reset(new (std::nothrow) actors::staging);
  if (rehearsed_ == nullptr) return;  // without memory the handler is not rehearsed
  planted_before_ = simulation_ == nullptr ? 0 : simulation_->planted_failures();
  rehearsing_ = true;
  // relaxed: hint, for reports, and read back by its owner; as in call.
  handling.store(e.target(), std::memory_order_relaxed);
  grip_.hold(&b);
  transactions::journal::begin(*this);
  if (e.is_laden()) unload(e);
  try {
    handler(b, *this, e.message());
    grip_.let_go();
    if (!rehearsal_over_) rehearsed_->read(journal_);
  } catch (...) {
    grip_.let_go();
    if (!rehearsal_over_) rehearsed_->note_exception();
  }
  rehearsing_ = false;
  rehearsal_over_ = false;
  abort();
  settle_run();
}

// A rehearsal ends where the handler would wait, so what the two runs have staged up to there is compared. What the
// handler does after the wait is not repeated, and so not rehearsed.
void transactor::compare_at_wait() {
  if (rehearsing_) {
    rehearsal_over_ = true;
    rehearsed_->read(journal_);
    rehearsed_->note_wait();
    throw rehearsal_ends{};
  }
  if (rehearsed_ == nullptr) return;
  actors::staging second;
  second.read(journal_);
  second.note_wait();
  compare(second, *static_cast<const closure*>(grip_.look().object)->type, handled());
}

// A difference that comes from a failure which a simulation has planted in one of the runs is not reported.
void transactor::compare(const actors::staging& second, const behavior_type& type, const envelope& e) noexcept {
  const auto first = std::exchange(rehearsed_, nullptr);
  if (first == nullptr) return;
  if (simulation_ != nullptr && simulation_->planted_failures() != planted_before_) return;
  try {
    std::string difference = second.difference_from(*first);
    if (difference.empty()) return;
    engine_->reports().differed({type.name, e.type().name, std::move(difference)});
  } catch (const std::bad_alloc&) {
    // Without memory this difference is not reported; one that is there always is found another time.
  }
}

}  // namespace tact::detail
