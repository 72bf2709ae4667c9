// How many workers handle the most messages: found out by trying.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "dispatch/policy/prices.hpp"

namespace tact::dispatch {

// Messages that take nanoseconds cost a hundred times as much when they have to go to another worker. So some programs
// are fastest with one worker, and others with all. Which it is depends on how much goes to and fro, on how many
// messages travel together, and on the machine; it cannot be told from the program, but it can be measured.
//
// Sizes are tried: 1, 2, 4 and so on, and all workers. The size that is in force is compared with its neighbours, with
// one worker, which is the only size with which nothing crosses, and with all. A size that handles more replaces the
// one in force. One rule says when a size is tried: as soon as the size in force has been so for as long as the trial
// will cost, and for four times as long after each trial that it has lost, up to a limit. The cost of a trial is known
// before: two changes, for each of which what waits has to find its new place, and what the size lost the last time,
// for as long as a trial takes. So what is lost by having the wrong size for that long is no more than what finding out
// costs, and in the long run all trials of a size together take a small part of the time.
//
// A round is over when as many messages were handled as waited, or when these could have been moved. After a change
// nothing is judged for one round, because what waits finds its new place, and while the rate rises, because caches
// fill. A trial is judged after one more round: messages are moved and handled in turns, and a part of a round may have
// only one of the two.
//
// While handlers keep half of the workers that run by themselves, all of them run: what waits behind such handlers
// gains from any other worker. And fewer workers than handlers keep by themselves are not tried. Source of the idea:
// the ski rental problem, Karp 1992; the exponential back-off of networks.
//
// Invariants: the size is at least 1 and at most `most`. A size replaces another only if it was measured to be better
// by `margin`, so noise seldom moves it; a size that was taken by mistake is soon compared with the other one again.
// Thread safety: one thread at a time.
class crew_size {
 public:
  // How long a measurement takes. A round is at least one.
  static constexpr std::uint64_t measurement_ns = 500'000;

  // What was measured of all workers since the last measurement.
  struct measurement {
    std::uint64_t messages = 0;  // were handled
    std::uint64_t ns = 0;        // how long it took
    std::uint64_t kept_ns = 0;   // of the time of all workers, for which handlers kept them by themselves
    std::uint64_t waiting = 0;   // messages, which have to find their place when the number of workers changes
  };

  explicit crew_size(unsigned most) {
    sizes_.reserve(std::numeric_limits<unsigned>::digits + 1);
    set_most(most);
  }

  // Begins again, with all workers. Allocates nothing.
  void set_most(unsigned most) noexcept {
    kept_ = 0;
    sizes_.clear();
    for (unsigned size = 1; size < most; size *= 2) sizes_.push_back({size});
    sizes_.push_back({std::max(1U, most)});
    begin();
  }
  // Begins again, with all workers: what was measured says nothing about what comes. How many workers were kept by
  // handlers lately is remembered.
  void begin() noexcept {
    for (arm& a : sizes_) a = {a.workers};
    elapsed_ns_ = 0;
    all_run();
  }
  // All workers run until a trial says that fewer handle more. What is known of the sizes stays.
  void all_run() noexcept {
    best_ = now_ = sizes_.size() - 1;
    for (arm& a : sizes_) a.since_ns = elapsed_ns_;
    measure_anew();
  }

  // The number of workers that should run until the next measurement.
  [[nodiscard]] unsigned workers() const noexcept { return sizes_[now_].workers; }
  [[nodiscard]] bool tries() const noexcept { return now_ != best_; }

  // What was done is the messages, and what handlers did by themselves: where some take a thousand times as long as
  // others, the number of messages that end in half a millisecond says little. REQUIRES: as many workers ran as
  // workers() says.
  void measured(const measurement& m) noexcept {
    const double ns = static_cast<double>(std::max<std::uint64_t>(m.ns, 1));
    const double kept = static_cast<double>(m.kept_ns) / ns;
    // The number of kept workers falls slowly, because handlers that take long do not end as steadily as they run, and
    // more of them may begin any moment.
    kept_ = std::max(kept, kept_ - (kept_ - kept) * forgotten);
    elapsed_ns_ += m.ns;
    // Once may be chance: the system has run something else.
    const bool are_kept = 2 * kept >= workers() && workers() < sizes_.back().workers;
    if (std::exchange(were_kept_, are_kept) && are_kept) return all_run();
    const double done = static_cast<double>(m.messages) + static_cast<double>(m.kept_ns) / short_ns;
    const bool rises = done > margin * std::exchange(last_rate_, done / ns) * ns;
    waiting_ = m.waiting;
    go_on_in_round(m);
    if (round_ == round::settling) {
      if (is_round_over()) begin_round(round::judged);
      return;
    }
    if (rises && rises_left_ != 0) {
      --rises_left_;
      return begin_round(round::judged);
    }
    rises_left_ = 0;
    done_ += done;
    in_ns_ += ns;
    if (tries()) {
      if (is_round_over()) judge();
      return;
    }
    go_to(next_trial());
    done_ -= done_ * forgotten;
    in_ns_ -= in_ns_ * forgotten;
  }

 private:
  static constexpr double margin = 1.1;
  static constexpr std::uint64_t whole = 1'024;
  // The margin, as a part of the whole. A loss that is less than this may be noise.
  static constexpr auto least_lost = static_cast<std::uint64_t>(whole * (1 - 1 / margin)) + 1;
  static constexpr double short_ns = 100;     // what a message counts beside the time that handlers keep
  static constexpr double forgotten = 0.125;  // in a measurement
  static constexpr unsigned rises_most = 3;   // measurements
  static constexpr unsigned rarer_most = 8;   // doublings of the time between two trials

  struct arm {
    unsigned workers = 1;
    std::uint64_t lost = least_lost;  // in its last trial, in parts of the whole that the better size did
    std::uint64_t since_ns = 0;       // when the size in force began, or this one was tried last
    unsigned defeats = 0;             // in trials
  };

  // In a settling round what waits finds its place, and nothing counts.
  enum class round : unsigned char { settling, judged };

  // The trial is over: the better of the two sizes is in force from now on.
  void judge() noexcept {
    const double rate = done_ / in_ns_;
    const bool is_better = rate > margin * best_rate_;
    const double least = std::min(rate, best_rate_), most = std::max(rate, best_rate_);
    arm& loser = sizes_[is_better ? best_ : now_];
    const double kept_of_it = most > 0 ? least / most : 0;
    loser.lost = std::max(whole - static_cast<std::uint64_t>(kept_of_it * whole), least_lost);
    loser.defeats = std::min(loser.defeats + 1, rarer_most);
    loser.since_ns = elapsed_ns_;
    if (!is_better) return go_to(best_);
    best_ = now_;
    for (arm& a : sizes_) a.since_ns = elapsed_ns_;
    measure_anew();
  }
  void go_to(std::size_t size) noexcept {
    if (size == now_) return;
    if (now_ == best_) best_rate_ = done_ / in_ns_;
    now_ = size;
    measure_anew();
  }
  // What is measured counts for nothing until a round is over, and while the rate still rises.
  void measure_anew() noexcept {
    last_rate_ = 0;
    rises_left_ = rises_most;
    done_ = 0;
    in_ns_ = 0;
    begin_round(round::settling);
  }
  void begin_round(round next) noexcept {
    round_ = next;
    round_of_ = waiting_;
    round_messages_ = 0;
    round_ns_ = 0;
  }
  void go_on_in_round(const measurement& m) noexcept {
    // Only the lanes are counted; what was on its way between workers when the size changed has come into one by now.
    if (round_ns_ == 0) round_of_ = std::max(round_of_, m.waiting);
    round_messages_ += m.messages;
    round_ns_ += std::max<std::uint64_t>(m.ns, 1);
  }
  [[nodiscard]] bool is_round_over() const noexcept {
    return round_messages_ >= round_of_ || round_ns_ >= move_ns(round_of_);
  }
  [[nodiscard]] static std::uint64_t move_ns(std::uint64_t messages) noexcept { return messages * prices::message_ns; }
  // What a trial is likely to cost: the size is changed twice, and two rounds pass before it is judged.
  [[nodiscard]] std::uint64_t price(const arm& a) const noexcept {
    const std::uint64_t change_ns = move_ns(waiting_);
    return 2 * change_ns + 2 * (change_ns + measurement_ns) / whole * a.lost;
  }
  [[nodiscard]] std::size_t below(std::size_t i) const noexcept { return i == 0 ? i : i - 1; }
  [[nodiscard]] std::size_t above(std::size_t i) const noexcept { return std::min(i + 1, sizes_.size() - 1); }
  // Of the sizes whose trial is due, the one that has been due for longest.
  [[nodiscard]] std::size_t next_trial() const noexcept {
    std::size_t next = best_;
    std::uint64_t longest_ns = 0;
    for (const std::size_t n : {std::size_t{0}, below(best_), above(best_), sizes_.size() - 1}) {
      const arm& a = sizes_[n];
      const std::uint64_t waited_ns = elapsed_ns_ - a.since_ns;
      const std::uint64_t wait_ns = price(a) << std::min(2 * a.defeats, rarer_most);
      if (n == best_ || a.workers <= margin * kept_ || waited_ns < wait_ns) continue;
      if (next != best_ && waited_ns - wait_ns <= longest_ns) continue;
      next = n;
      longest_ns = waited_ns - wait_ns;
    }
    return next;
  }

  std::vector<arm> sizes_;  // smallest first
  std::size_t best_ = 0;    // in force while nothing is tried
  std::size_t now_ = 0;
  double best_rate_ = 0;  // of the size in force, when the trial began
  // Since the last change, of messages and of what handlers have done by themselves; what was long ago counts less.
  double done_ = 0;
  double in_ns_ = 0;
  double kept_ = 0;         // how many workers handlers have kept by themselves lately
  bool were_kept_ = false;  // half of the workers that run, in the last measurement
  double last_rate_ = 0;    // in the last measurement
  unsigned rises_left_ = rises_most;
  std::uint64_t waiting_ = 0;         // messages, in the last measurement
  round round_ = round::settling;     // in which this measurement is
  std::uint64_t round_of_ = 0;        // messages: those that waited when the round began
  std::uint64_t round_messages_ = 0;  // handled in it
  std::uint64_t round_ns_ = 0;
  std::uint64_t elapsed_ns_ = 0;
};

}  // namespace tact::dispatch
