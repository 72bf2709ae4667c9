// Where messages for an actor go: to which shard, and whether other threads than its holder may run them.
#pragma once

#include <cstdint>
#include <optional>

#include "mailbox/envelope.hpp"
#include "tact/detail/staged_send.hpp"

namespace tact::mailbox {

// Bits: home shard [23:0] | one-shot [31] | engine [47:32] | exclusive [48] |
// counted [49], which only senders see. The route is written when the actor is created. The copy that
// senders see is written again when a parallel actor goes home or comes back.
class route {
 public:
  route() = default;
  enum class kind : unsigned char { parallel, exclusive, one_shot };
  route(std::uint32_t shard, std::uint16_t engine, kind k) noexcept
      : bits_(shard | std::uint64_t{engine} << 32 | (k == kind::exclusive ? exclusive_bit : 0) |
              (k == kind::one_shot ? one_shot_bit : 0)) {}
  explicit route(std::uint64_t bits) noexcept : bits_(bits) {}

  [[nodiscard]] std::uint32_t shard() const noexcept { return static_cast<std::uint32_t>(bits_ & shard_mask); }
  [[nodiscard]] std::uint16_t engine() const noexcept { return static_cast<std::uint16_t>(bits_ >> 32); }
  // Only the holder of the home shard may run the actor: a classic or an ordered one.
  [[nodiscard]] bool is_exclusive() const noexcept { return (bits_ & exclusive_bit) != 0; }
  // The closure runs for one message, on the thread that claims the cell first. For every other thread the closure may
  // be gone at any moment.
  [[nodiscard]] bool is_one_shot() const noexcept { return (bits_ & one_shot_bit) != 0; }
  // The same route with the exclusive bit: messages go to the home shard, and only its holder may run them.
  [[nodiscard]] route exclusive() const noexcept { return route(bits_ | exclusive_bit); }
  // The same route with the one-shot bit.
  [[nodiscard]] route for_once() const noexcept { return route(bits_ | one_shot_bit); }
  // The actor's mailbox has a limit, so messages for it are counted. The code that stages a message needs no case for
  // this: with the bit set the route equals none whose messages stay with the worker.
  [[nodiscard]] bool is_limited() const noexcept { return (bits_ & limited_bit) != 0; }
  [[nodiscard]] route limited() const noexcept { return route(bits_ | limited_bit); }
  [[nodiscard]] route without_limit() const noexcept { return route(bits_ & ~limited_bit); }
  static constexpr std::uint64_t limited_bit = std::uint64_t{1} << 49;
  // The route of a parallel actor or a one-shot of this engine, which any of its workers may run.
  [[nodiscard]] bool is_parallel_in(std::uint64_t engine) const noexcept { return bits_ >> 32 == engine; }
  // The route of an exclusive actor of this engine.
  [[nodiscard]] bool is_exclusive_in(std::uint64_t engine) const noexcept {
    return bits_ >> 32 == (engine | exclusive_bit >> 32);
  }
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

 private:
  static constexpr std::uint64_t shard_mask = (std::uint64_t{1} << 24) - 1;
  static constexpr std::uint64_t one_shot_bit = std::uint64_t{1} << 31;
  static constexpr std::uint64_t exclusive_bit = std::uint64_t{1} << 48;
  std::uint64_t bits_ = 0;  // engine 0: the route of no actor
};

// The route that senders see for this port.
// relaxed, twice: private until published; a thread that has the port got it after the actor was created.
[[nodiscard]] inline route route_of(detail::port p) noexcept {
  const std::uint64_t of_run = detail::route_words::of_run(p).load(std::memory_order_relaxed);
  return route(of_run != 0 ? of_run : detail::route_words::of_cell(p).load(std::memory_order_relaxed));
}

// The shard in which a message has to be run, whichever thread has it now; none if it may be run anywhere. `ordinary`:
// the number of ordinary shards, which come first.
[[nodiscard]] inline std::optional<std::uint32_t> bound_for(const envelope& e, std::uint32_t ordinary) noexcept {
  const route r = route_of(e.target());
  const bool is_bound = (r.is_exclusive() || e.is_forwarded()) && r.shard() < ordinary;
  return is_bound ? std::optional(r.shard()) : std::nullopt;
}

}  // namespace tact::mailbox
