// tact::outcome: the answer of a request, or the reason why there is none.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "tact/detail/counted.hpp"
#include "tact/failure.hpp"

namespace tact {

// What came of one of several requests. R is the type of the answer, tact::done for a void reply. Copies share the
// failure. Thread safety: a value like an optional.
template <class R>
class outcome {
 public:
  // No answer, because the request was not answered.
  outcome() noexcept = default;
  outcome(R answer) : answer_(std::move(answer)) {}                               // NOLINT: implicit by design
  outcome(failure why) : why_(detail::counted<failure>::make(std::move(why))) {}  // NOLINT: implicit by design

  // True when there is an answer.
  explicit operator bool() const noexcept { return answer_.has_value(); }
  // REQUIRES of these: there is an answer.
  R& operator*() noexcept { return *answer_; }
  const R& operator*() const noexcept { return *answer_; }
  R* operator->() noexcept { return std::addressof(*answer_); }
  const R* operator->() const noexcept { return std::addressof(*answer_); }
  // Returns the answer; throws ask_error, as asking for it alone would, when there is none.
  [[nodiscard]] const R& value() const {
    if (!answer_) throw ask_error(why());
    return *answer_;
  }
  // Why there is no answer. REQUIRES: there is none. The reference is valid as long as a copy of this outcome lives.
  [[nodiscard]] const failure& why() const noexcept {
    static const failure none{failure_reason::unanswered, {}, {}};
    return why_ ? *why_ : none;
  }

 private:
  std::optional<R> answer_{};
  detail::counted<failure> why_{};
};
// Prints the answer, if that can be printed, or why there is none.
template <class R>
  requires requires(std::ostream& out, const R& answer) { out << answer; }
std::ostream& operator<<(std::ostream& out, const outcome<R>& o) {
  return o ? out << *o : out << o.why();
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
