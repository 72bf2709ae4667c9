// Whether a worker holds its shards together: decided from what it knows, and from prices alone.
#pragma once

#include <cstdint>
#include <utility>

#include "dispatch/policy/backoff.hpp"
#include "dispatch/policy/prices.hpp"

namespace tact::dispatch {

// What a worker knows when it decides.
struct situation {
  std::uint64_t handled = 0;         // messages that it has run up to now
  std::uint64_t ns_per_message = 0;  // of those, as measured lately
  bool is_quick = false;             // as a rule a message takes no longer than a move
  bool is_brief = false;             // as a rule a message takes no longer than a tenth of a wake-up
  bool other_is_idle = false;        // a worker that could take some of what waits has nothing to do
  bool runs_alone = false;           // no other worker runs, and no thread helps
  bool others_rest = false;          // workers rest, which run again when handlers take long

  [[nodiscard]] constexpr std::uint64_t ns_of(std::uint64_t messages) const noexcept {
    return messages * ns_per_message;
  }
};

// A worker holds several shards together, and runs them from one lane, while no other thread would gain from taking one
// of them: there is no other thread, or no lane is long and no handler is slow. Else it holds its shards one by one, so
// that other threads may take some of them.
//
// A shard that goes to another worker leaves its messages and actors behind in a cache, and after that messages between
// the two workers cost much. So a lane is divided only when it has gone on beside an idle worker for so long that this
// has been paid for: what is lost by waiting is no more than what dividing costs. Where others could run so little of
// the lane that a wake-up costs more, it goes on for longer: if the parts send to each other, to divide it was wrong,
// and this worker soon holds them together again. Then it waits twice as long the next time. Sources of the ideas: the
// ski rental problem, Karp 1992; the exponential back-off of networks.
//
// It reads no clock and nothing that another thread writes, so tests ask it about any situation; docs/scheduling.md has
// its decisions in the table of all. Thread safety: owner only.
class sharing_policy {
 public:
  // May the worker hold one more shard together with the one that it runs?
  [[nodiscard]] bool may_join(const situation& now) const noexcept {
    return is_alone(now) || (suits_all(now) && now.handled >= apart_until_);
  }

  // May it go on to run several shards from one lane, in which so many messages wait? `for_others()` is asked when that
  // matters: how many of them others could run while this worker runs the rest. Called now and then; what was handled
  // since the call before counts as handled beside an idle worker if there is one now.
  template <class ForOthers>
  [[nodiscard]] bool may_stay_joined(const situation& now, std::uint64_t waiting, ForOthers for_others) noexcept {
    if (is_alone(now)) return true;
    if (!suits_all(now)) return false;
    const std::uint64_t handled = now.handled - std::exchange(looked_at_, now.handled);
    if (!now.other_is_idle) return true;
    beside_idle_ += handled;
    const std::uint64_t price = price_of_division(waiting);
    if (now.ns_of(beside_idle_) < price) return true;
    const std::uint64_t others = for_others();
    if (others == 0) return true;
    if (is_worth_a_wake_up(now, others)) return false;
    // Divisions of little work, when the last one is long ago.
    if (now.ns_of(now.handled - patience_.since()) > remembered_times * patience_.wait() * price)
      patience_.begin_anew();
    return now.ns_of(beside_idle_) < patience_.wait() * price;
  }

  // The lane is about to be divided, of which others could run so many messages.
  template <class ForOthers>
  void will_divide(const situation& now, ForOthers for_others) noexcept {
    if (now.other_is_idle && !is_worth_a_wake_up(now, for_others())) patience_.was_in_vain(now.handled);
  }
  // The lane was divided, and so many messages were moved. Moving messages to and fro must not cost more than running
  // them, so shards are held together again when as many messages have been run.
  void has_divided(const situation& now, std::uint64_t moved) noexcept {
    begin_anew(now);
    apart_until_ = now.handled + moved;
  }
  void begin_anew(const situation& now) noexcept {
    beside_idle_ = 0;
    looked_at_ = now.handled;
  }

  // Can all of so many messages be run before another worker, if it is woken now, runs its first one?
  [[nodiscard]] static constexpr bool is_over_soon(const situation& now, std::uint64_t messages) noexcept {
    return now.ns_of(messages) <= prices::wake_up_ns;
  }
  // What it costs to wake a worker, and to move so many messages to it with their actors.
  [[nodiscard]] static constexpr std::uint64_t price_of_division(std::uint64_t waiting) noexcept {
    return prices::wake_up_ns + waiting * prices::actor_ns;
  }

 private:
  // No other thread would take a shard. Workers that rest run again when handlers take long, and then should find some.
  [[nodiscard]] static constexpr bool is_alone(const situation& now) noexcept {
    return now.runs_alone && (!now.others_rest || now.is_brief);
  }
  // A worker that has nothing to do would rather have a part of what takes longer than its way. While there is none, to
  // hold shards one by one costs a brief message half of what it takes.
  [[nodiscard]] static constexpr bool suits_all(const situation& now) noexcept {
    return now.is_quick || (now.is_brief && !now.other_is_idle);
  }
  [[nodiscard]] static constexpr bool is_worth_a_wake_up(const situation& now, std::uint64_t messages) noexcept {
    return now.ns_of(messages) >= prices::wake_up_ns;
  }
  static constexpr std::uint64_t remembered_times = 16;  // so many times as long as it waits

  // How long this worker waits beside an idle worker before it divides a lane for little work, in multiples of what the
  // division costs.
  backoff patience_{prices::long_ns / prices::wake_up_ns};
  // Since the last time that this worker has divided a lane:
  std::uint64_t beside_idle_ = 0;  // how many messages it has handled while it has seen another worker idle
  std::uint64_t looked_at_ = 0;    // how many it had handled when it looked last
  // Shards are not held together again before so many messages have been run.
  std::uint64_t apart_until_ = 0;
};

}  // namespace tact::dispatch
