// tact::inspect::timed: a relay that times the requests which pass it.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>

#include "tact/inspect/detail/looking_relay.hpp"
#include "tact/patterns/distribution.hpp"

namespace tact::detail {
struct timing_look;
}

namespace tact::inspect {

// What relays made by tact::inspect::timed have counted. A copy is a handle of the same figures; relays with one handle
// count together.
// Thread safety: any thread, concurrently.
class timing {
 public:
  timing();  // throws std::bad_alloc

  // How long it took, in nanoseconds, from when the relay passed a request on until its answer came back to it; and
  // until word came that there will be none. Each throws std::bad_alloc.
  [[nodiscard]] distribution answered() const;
  [[nodiscard]] distribution failed() const;
  // So many requests have passed of which neither is known.
  [[nodiscard]] std::uint64_t open() const noexcept;
  // So many messages have passed that are no requests: when these are handled the relay is not told.
  [[nodiscard]] std::uint64_t passed() const noexcept;

 private:
  friend struct tact::detail::timing_look;
  struct figures;

  void count_passed() const noexcept;
  [[nodiscard]] std::chrono::steady_clock::time_point count_asked() const noexcept;
  void count_answered(std::chrono::steady_clock::time_point since) const noexcept;
  void count_failed(std::chrono::steady_clock::time_point since) const noexcept;

  const std::shared_ptr<figures> figures_;
};
// Prints "answered: 10 values, 1 to 10, mean 5.5; half up to 5, 90 % up to 9, 99 % up to 10; failed: no values; 0 open,
// 3 messages". Times are in nanoseconds.
std::ostream& operator<<(std::ostream&, const timing&);

}  // namespace tact::inspect

namespace tact::detail {

// What a looking_relay calls.
struct timing_look {
  template <class M>
  void passes(const M&) const noexcept {
    into.count_passed();
  }
  template <class Q>
  [[nodiscard]] std::chrono::steady_clock::time_point asks(const Q&) const noexcept {
    return into.count_asked();
  }
  template <class R>
  void answered(std::chrono::steady_clock::time_point since, const R&) const noexcept {
    into.count_answered(since);
  }
  void failed(std::chrono::steady_clock::time_point since, const failure&) const noexcept { into.count_failed(since); }

  inspect::timing into;
};

}  // namespace tact::detail

namespace tact::inspect {

// const tact::inspect::timing times;
// const tact::ref<account> timed_account = engine.create(tact::inspect::timed(account, times));
// ...
// std::cout << times << '\n';
//
// Passes each message of P on to `to`, in its context and in the order of each sender, and times the requests. Answers
// and failures go back to the customer as they are. What it costs: a message more for each, and for a request a copy of
// the query and one more for the answer. In a simulation times are virtual.
// Thread safety: any placement; with tact::parallel the order of a sender is not kept.
template <class P>
[[nodiscard]] behavior<P> timed(ref<P> to, timing into) {
  return tact::detail::looking_relay<P, tact::detail::timing_look>{to, {std::move(into)}};
}

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
