#include "actors/run/rehearser.hpp"

#include <new>
#include <utility>

#include "actors/life/idle_watch.hpp"
#include "actors/run/committer.hpp"
#include "actors/sending/admission.hpp"

namespace tact::actors {

using mailbox::envelope;

void rehearser::rehearse(envelope& e, closure& b, entry handler) {
  rehearsed_.reset(new (std::nothrow) staged_effects);
  if (rehearsed_ == nullptr) return;  // without memory the handler is not rehearsed
  planted_before_ = run_.simulation() == nullptr ? 0 : run_.simulation()->planted_failures();
  run_.watched().rehearse(true);
  // relaxed: hint, for reports, and read back by its owner; as in call.
  run_.handling.store(e.target(), std::memory_order_relaxed);
  run_.hazard_slot().hold(&b);
  transactions::journal::begin(run_);
  if (e.is_laden()) admission_.unload(e);
  try {
    handler(b, run_, e.message());
    run_.hazard_slot().let_go();
    if (!is_over_) rehearsed_->read(run_.journal());
  } catch (...) {
    run_.hazard_slot().let_go();
    if (!is_over_) rehearsed_->note_exception();
  }
  run_.watched().rehearse(false);
  is_over_ = false;
  committer_.abort();
  run_.conclude();
}

void rehearser::compare(bool returned, const behavior_type& type, const envelope& e) noexcept {
  staged_effects second;
  returned ? second.read(run_.journal()) : second.note_exception();
  compare(second, type, e);
}

// A rehearsal ends where the handler would wait, so what the two runs have staged up to there is compared. What the
// handler does after the wait is not repeated, and so not rehearsed.
void rehearser::compare_at_wait() {
  if (run_.watched().is_rehearsed()) {
    is_over_ = true;
    rehearsed_->read(run_.journal());
    rehearsed_->note_wait();
    throw ends{};
  }
  if (rehearsed_ == nullptr) return;
  staged_effects second;
  second.read(run_.journal());
  second.note_wait();
  compare(second, real_type(*static_cast<const closure*>(run_.hazard_slot().look().object)), run_.at().message());
}

// A difference that comes from a failure which a simulation has planted in one of the runs is not reported.
void rehearser::compare(const staged_effects& second, const behavior_type& type, const envelope& e) noexcept {
  const auto first = std::exchange(rehearsed_, nullptr);
  if (first == nullptr) return;
  if (run_.simulation() != nullptr && run_.simulation()->planted_failures() != planted_before_) return;
  try {
    std::string difference = second.difference_from(*first);
    if (difference.empty()) return;
    reports_.differed({type.name, e.type().name, std::move(difference)});
  } catch (const std::bad_alloc&) {
    // Without memory this difference is not reported; one that is there always is found another time.
  }
}

void rehearser::end_step(run_state& run) {
  if (run.simulation() != nullptr && !run.watched().is_rehearsed()) run.simulation()->after_handler();
}

}  // namespace tact::actors
