// Runs handlers twice, and reports what they do differently the second time: engine_options::rehearse.
#pragma once

#include <memory>

#include "actors/common/names.hpp"
#include "actors/failure/reports.hpp"
#include "actors/run/staged_effects.hpp"
#include "actors/staging/run_state.hpp"

namespace tact::actors {

class admission;
class committer;

// A rehearsal is a run that is undone; then the handler runs in earnest, and what the two have staged is compared.
// Invariant: a rehearsal leaves no trace, and ends at the latest where the handler would wait.
// Thread safety: the thread of the run only.
class rehearser {
 public:
  rehearser(run_state& r, committer& c, admission& a, reports& reports) noexcept
      : run_(r), committer_(c), admission_(a), reports_(reports) {}

  void rehearse(mailbox::envelope& e, closure& b, entry handler);
  // Compares the rehearsal with the run in earnest, which has returned or thrown.
  void compare(bool returned, const behavior_type& type, const mailbox::envelope& e) noexcept;
  // Compares the two where the handler begins to wait. In a rehearsal this throws, and so ends the handler.
  void compare_at_wait();
  // Ends a rehearsal whose handler caught the exception of its first ask, and asks again.
  void end_at_wait() const {
    if (is_over_) throw ends{};
  }
  // Called where a handler ends, and where it would wait. A simulation may throw an exception there, to see what a
  // failure leaves behind.
  static void end_step(run_state& run);

 private:
  struct ends {};  // thrown where a rehearsed handler would wait

  void compare(const staged_effects& second, const behavior_type& type, const mailbox::envelope& e) noexcept;

  run_state& run_;
  committer& committer_;
  admission& admission_;
  reports& reports_;
  bool is_over_ = false;                       // the rehearsal has come to the place where the handler would wait
  std::unique_ptr<staged_effects> rehearsed_;  // what the rehearsal staged, until it is compared
  unsigned planted_before_ = 0;                // how many failures the simulation had planted before the rehearsal
};

}  // namespace tact::actors
