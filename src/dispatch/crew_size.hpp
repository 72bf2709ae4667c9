// How many workers handle the most messages: found out by trying.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tact::dispatch {

// Messages that take nanoseconds cost a hundred times as much when they have to go to another worker. So some programs
// are fastest with one worker, and others with all. Which it is depends on how much goes to and fro, on how many
// messages travel together, and on the machine; it cannot be told from the program, but it can be measured.
//
// Sizes are tried: 1, 2, 4 and so on, and all workers. The size that is in force is compared with its neighbours,
// with one worker and with all. One worker comes first where several are due: it is the farthest away, and the only
// size with which nothing crosses. After a change of the size actors and messages lie in other caches, and fewer are
// handled than a little later. So a size is judged when a measurement is not better any more than the one before, or
// it is the fourth; as soon as it is better than the other size it replaces that, and what it can do is measured
// before others are tried. A trial costs time. So the sizes are tried the sooner the more a message costs now: while
// it takes little more than the least that any message takes, there is little to gain. A size that was not better is
// tried again later: the later, the more it has lost, and twice as late each time. A size that could not be better,
// however fast its workers are, is not tried: that is known of messages, each of which takes some nanoseconds, and of
// the time for which handlers keep workers by themselves, which is as long with fewer of them. A change has its price:
// what waits has to find its new place. So nothing is tried before the present size has been in force for many times as
// long as that takes. And while handlers keep half of the workers that run by themselves, all of them run: what waits
// behind such handlers gains from any other worker.
// Source of the idea: hill climbing, and the exponential back-off of networks.
//
// Invariants: the size is at least 1 and at most `most`. A size replaces another only if it was measured to be better
// by `margin`, so noise seldom moves it, and a size that was taken by mistake is compared with the other one again at
// once. Thread safety: one thread at a time.
class crew_size {
 public:
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
    for (trial& t : sizes_) t = {t.workers};
    best_ = now_ = sizes_.size() - 1;
    last_rate_ = 0;
    kept_now_ = 0;
    left_to_settle_ = settling_most;
    measurements_ = 0;
    since_ = 0;
  }

  // The number of workers that should run until the next measurement.
  [[nodiscard]] unsigned workers() const noexcept { return sizes_[now_].workers; }
  [[nodiscard]] bool tries() const noexcept { return now_ != best_; }

  // For so much of the time of all workers handlers kept them by themselves. What was handled in this time is told
  // next: see measured. The number of workers that are kept so falls slowly, because handlers that take long do not end
  // as steadily as they run, and more of them may begin any moment.
  void handlers_kept(std::uint64_t kept_ns, std::uint64_t ns) noexcept {
    kept_now_ = static_cast<double>(kept_ns) / static_cast<double>(std::max<std::uint64_t>(ns, 1));
    kept_ = std::max(kept_now_, kept_ - (kept_ - kept_now_) * forgotten);
  }
  // To change the number of workers now would keep them for so long.
  void change_costs(std::uint64_t ns) noexcept { change_ns_ = ns; }
  // So many messages were handled in so much time, by as many workers as workers() says. What was done is that and what
  // handlers did by themselves: where some take a thousand times as long as others, the number of messages that end in
  // half a millisecond says little.
  void measured(std::uint64_t messages, std::uint64_t ns) noexcept {
    ++measurements_;
    unchanged_ns_ += ns;
    if (2 * kept_now_ >= workers() && workers() < sizes_.back().workers) return begin();
    const double handled = static_cast<double>(messages) / static_cast<double>(std::max<std::uint64_t>(ns, 1));
    const double rate = handled + kept_now_ / short_ns;
    const bool rises = rate > margin * std::exchange(last_rate_, rate);
    const bool is_better = tries() && rate > margin * best_rate_;
    if (is_better || !tries()) handled_ = handled;
    if (is_better) {
      take(rate);
    } else if (rises && left_to_settle_ != 0) {
      --left_to_settle_;
    } else if (tries()) {
      put_off(sizes_[now_], best_rate_ / std::max(rate, best_rate_ / longest_wait));
      go_to(best_);
    } else {
      best_rate_ = rate;
      if (unchanged_ns_ >= trial_times * change_ns_) go_to(next_trial());
    }
  }

 private:
  static constexpr double margin = 1.1;
  static constexpr std::uint64_t trial_times = 32;     // a trial is two changes, so they take a sixteenth of the time
  static constexpr double short_ns = 100;              // what a message counts beside the time that handlers keep
  static constexpr double forgotten = 0.125;           // in a measurement
  static constexpr double least_ns = 4;                // a message that stays on its worker
  static constexpr double least_times = 640;           // measurements, if a message costs the least
  static constexpr unsigned settling_most = 3;         // measurements
  static constexpr std::uint64_t longest_wait = 1024;  // measurements

  struct trial {
    unsigned workers = 1;
    bool was_tried = false;
    std::uint64_t due = 0;   // then: in measurements since the beginning
    std::uint64_t wait = 0;  // measurements
  };

  // The size that was tried is in force from now on, and is measured until it has settled. Its neighbours are tried
  // next; but the size that it replaces only after a while, unless that is the neighbour on the other side, by which a
  // mistake is found.
  void take(double rate) noexcept {
    best_ = now_;
    best_rate_ = rate;
    since_ = measurements_;
    for (const std::size_t n : {below(best_), above(best_)}) {
      sizes_[n].was_tried = true;
      sizes_[n].due = 0;
    }
  }
  void go_to(std::size_t size) noexcept {
    if (size == now_) return;
    now_ = size;
    unchanged_ns_ = 0;
    last_rate_ = 0;
    left_to_settle_ = settling_most;
  }
  // `times`: how many times as many messages were handled without it.
  void put_off(trial& t, double times) const noexcept {
    t.was_tried = true;
    t.wait = std::max(t.wait, patience());
    // One also where neither has handled anything, and `times` is no number.
    const auto wait = static_cast<std::uint64_t>(static_cast<double>(t.wait) * std::max(1.0, times));
    t.due = measurements_ + std::min(wait, longest_wait);
    t.wait = std::min(2 * t.wait, longest_wait);
  }
  // Could so many workers handle more, if each message took them as little as any ever does beside what its handler
  // takes by itself?
  [[nodiscard]] bool could_gain(const trial& t) const noexcept {
    return static_cast<double>(t.workers) > margin * (handled_ * least_ns + kept_);
  }
  [[nodiscard]] bool is_due(const trial& t) const noexcept {
    return measurements_ >= (t.was_tried ? t.due : since_ + patience());
  }
  // For how many measurements a size is in force before others are tried.
  [[nodiscard]] std::uint64_t patience() const noexcept {
    const double times = handled_ * least_ns / sizes_[best_].workers;  // the least cost by the present one
    return static_cast<std::uint64_t>(std::clamp(least_times * times, 1.0, 256.0));
  }
  [[nodiscard]] std::size_t below(std::size_t i) const noexcept { return i == 0 ? i : i - 1; }
  [[nodiscard]] std::size_t above(std::size_t i) const noexcept { return std::min(i + 1, sizes_.size() - 1); }
  // Of those that are due the one whose turn was first.
  [[nodiscard]] std::size_t next_trial() const noexcept {
    std::size_t next = best_;
    for (const std::size_t n : {std::size_t{0}, below(best_), above(best_), sizes_.size() - 1}) {
      if (n == best_ || !is_due(sizes_[n]) || !could_gain(sizes_[n])) continue;
      if (next == best_ || sizes_[n].due < sizes_[next].due) next = n;
    }
    return next;
  }

  std::vector<trial> sizes_;  // smallest first
  std::size_t best_ = 0;      // in force while nothing is tried
  std::size_t now_ = 0;
  double best_rate_ = 0;  // messages in a nanosecond, and what handlers have done by themselves
  double last_rate_ = 0;  // as it was measured last, with the present size; 0: not yet
  double handled_ = 0;    // messages in a nanosecond, when the size in force was measured last
  double kept_ = 0;       // how many workers handlers have kept by themselves lately
  double kept_now_ = 0;   // and in the last measurement
  unsigned left_to_settle_ = settling_most;
  std::uint64_t change_ns_ = 0;
  std::uint64_t unchanged_ns_ = 0;  // since the last change
  std::uint64_t measurements_ = 0;
  std::uint64_t since_ = 0;  // when the size in force was taken
};

}  // namespace tact::dispatch
