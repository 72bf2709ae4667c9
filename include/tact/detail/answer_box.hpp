// Where the answer of a request is kept until the thread or handler that asked takes it.
#pragma once

#include <optional>
#include <utility>

#include "tact/failure.hpp"

namespace tact::detail {

// The outcome of a request: nothing yet, an answer, or the reason why there is no answer.
template <class R>
struct answer_box {
  std::optional<R> answer{};
  std::optional<failure> reason{};

  void hear(R&& r) noexcept {
    try {
      answer.emplace(std::move(r));
    } catch (...) {
      hear(failure{failure_reason::handler_threw, {}});  // moving the answer threw; a text would need memory
    }
  }
  void hear(failure&& f) noexcept { reason.emplace(std::move(f)); }
};

}  // namespace tact::detail
