// The name of tact::opening_gate in earlier versions; it goes with the next one.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>

#include "tact/behavior.hpp"
#include "tact/patterns/opening_gate.hpp"
#include "tact/ref.hpp"

namespace tact {

template <class M, class Rep, class Period>
[[deprecated("use tact::opening_gate")]] [[nodiscard]] behavior<opening_gate_protocol<M>> rate_gate(
    ref<M> to, std::chrono::duration<Rep, Period> delay) {
  return opening_gate(to, delay);
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
