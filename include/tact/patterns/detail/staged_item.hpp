// An item that waits in a stage of a pipeline.
#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/core.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/inlet.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

// The item, or the end of a stream. If it is destroyed after it was accepted, and before it was let go, its loss is
// told: to its sender as long as that waits for an answer, and to `failures` when it has been taken.
template <class T>
struct staged_item {
  staged_item(std::optional<T> i, ref<done> from, context c, ref<item_failed> f)
      : item(std::move(i)), sender(from), in(std::move(c)), failures(f) {}
  staged_item(const staged_item&) = delete;
  staged_item& operator=(const staged_item&) = delete;
  ~staged_item() {
    if (!is_accepted || is_gone) return;
    const unfailing sure;  // nothing else will tell of the loss
    try {
      failure why{failure_reason::target_ended, "the stage ended while the item waited in it"};
      if (is_taken) {
        with_context(in, [&] { send_anywhere(failures, item_failed{std::move(why)}); });
      } else {
        send_anywhere(access::make_ref<failure>(access::port_of(sender)), std::move(why));
      }
    } catch (...) {
      // The engine is gone, and has told its askers.
    }
  }

  [[nodiscard]] bool is_end() const noexcept { return !item.has_value(); }

  std::optional<T> item;  // only the run that works on it changes it
  const ref<done> sender;
  const context in;
  const ref<item_failed> failures;
  std::atomic<bool> is_accepted{false};  // the run that put it into the stage has committed
  std::atomic<bool> is_taken{false};     // its sender has been answered
  std::atomic<bool> is_gone{false};      // its work has begun, or it was passed on
};

}  // namespace tact::detail
