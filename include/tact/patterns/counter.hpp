// tact::counter: an actor that counts.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>

#include "tact/behavior.hpp"
#include "tact/protocol.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// Adds to a counter.
struct add_to_count {
  std::int64_t by = 1;
};
// Subtracts from a counter.
struct subtract_from_count {
  std::int64_t by = 1;
};
// Sets a counter, by default to 0.
struct reset_count {
  std::int64_t to = 0;
};
// Asks for the count.
struct read_count {
  using reply = std::int64_t;
};
// Asks for the count, and sets the counter in the same run: no message is counted twice, or not at all.
struct read_and_reset_count {
  using reply = std::int64_t;
  std::int64_t to = 0;
};

// The protocol of a counter.
struct counter_protocol
    : protocol<add_to_count, subtract_from_count, reset_count, request<read_count>, request<read_and_reset_count>> {};

namespace detail {

// a + b without overflow: what 64 bits cannot say begins again at the other end.
constexpr std::int64_t add_round(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t subtract_round(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

}  // namespace detail

// const auto hits = engine.create(tact::counter());
// engine.send(hits, tact::add_to_count{});
// engine.ask(hits, tact::read_count{});  // 1
//
// Counts from n. Beyond what 64 bits can say it goes on at the other end, in two's complement: so the count is right
// whenever the sum of all that was added fits, whatever came in between, and in whichever order. A message costs
// nothing beside itself, and a run that fails has not counted.
// Thread safety: any placement. A tact::parallel one loses nothing, but a read that the same sender sent behind an add
// may be handled before it. Source: Lisp-Actors.
[[nodiscard]] inline behavior<counter_protocol> counter(std::int64_t n = 0) {
  return {
      [n](self<counter_protocol>& self, const add_to_count& m) { self.become(counter(detail::add_round(n, m.by))); },
      [n](self<counter_protocol>& self, const subtract_from_count& m) {
        self.become(counter(detail::subtract_round(n, m.by)));
      },
      [](self<counter_protocol>& self, const reset_count& m) { self.become(counter(m.to)); },
      [n](self<counter_protocol>& self, const request<read_count>& m) { self.reply(m, n); },
      [n](self<counter_protocol>& self, const request<read_and_reset_count>& m) {
        self.reply(m, n);
        self.become(counter(m.body.to));
      },
  };
}

// Names of earlier versions; they go with the next one.
using counting [[deprecated("use tact::counter_protocol")]] = counter_protocol;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
