// What the calls of a handler stand on: the run into which they stage, and how they make actors and continuations.
#pragma once

#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/continuation.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/waiting_handler.hpp"
#include "tact/detail/watchers.hpp"
#include "tact/monitor.hpp"

namespace tact::detail {

// Thread safety: as of the calls of transaction.
class transaction_base {
 public:
  transaction_base(const transaction_base&) = delete;
  transaction_base& operator=(const transaction_base&) = delete;

 protected:
  friend struct access;

#if defined(NDEBUG)
  explicit transaction_base(detail::run& r) noexcept : run_(r) {}
#else
  // When the compiler inlines this into the entry that calls the handler, and the handler with its locals into the same
  // function, the locals may lie above this object, but below the address of the frame.
  explicit transaction_base(detail::run& r) noexcept
      : run_(r), frame_(__builtin_frame_address(0)), knows_frame_(true) {}
#endif
  ~transaction_base() = default;

  run_now run_;
  const void* frame_;  // where the locals of the handler end, unless this object lies higher
  bool knows_frame_ = false;
  bool is_referred_to_ = false;  // a continuation captured an address in the handler's frame
  bool has_waited_ = false;

  template <class... F>
  captures_looked_at look_at_captures(F&... functions) noexcept {
    captures_looked_at referred_to;
    if (knows_frame_) referred_to.look(this, frame_, functions...);
    is_referred_to_ = is_referred_to_ || referred_to.were_found();
    return referred_to;
  }

  [[nodiscard]] detail::run& run() const noexcept { return run_; }
  monitor watch(port target, watcher& w) {
    monitor handle = access::make_monitor(w);  // now: the watcher may be told at once
    detail::watch(run_, target, w);
    return handle;
  }
  template <class Q, class R>
  void wait_as(port customer, waiting_handler<R>& here) {
    static_cast<void>(&parking<Q>::is_used);
    park(run_, customer, here);
    has_waited_ = true;
    run_ = run_now(*current_run());
  }
  template <class M, class Asked = void, class F, class G>
  continuation<M, F, G, Asked>& make_continuation(F& then, G& otherwise) {
    const auto referred_to = look_at_captures(then, otherwise);
    return *box<continuation<M, F, G, Asked>>(run().context, referred_to, then, otherwise).release();
  }
  template <class M, class Asked = void, class F, class G>
  port create_once(F& then, G& otherwise) {
    return detail::create(run_, make_continuation<M, Asked>(then, otherwise), placement::parallel);
  }
  template <class How>
  port put(closure& c, How&& how) {
    return detail::create(run_, c, std::forward<How>(how));
  }
  template <class How>
  port reserve(How&& how) {
    return detail::reserve(run_, std::forward<How>(how));
  }
  void install(port reserved, closure& c) { detail::install(run_, reserved, c); }
  template <class InRun, class AtOnce>
  void set(InRun in_run, AtOnce) {
    in_run(run_);
  }
  void abandon(port) noexcept {}  // at its end the run gives back addresses without a behaviour
};

}  // namespace tact::detail
