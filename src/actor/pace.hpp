// How fast handlers run here: decides how often a worker looks up from its lane, and whether work is worth sharing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/sanitized.hpp"
#include "sync/system.hpp"

namespace tact::actor {

// Reading the clock costs several messages, so it is read once per stretch of messages; a stretch is as long as fits
// into stretch_ns. Until the first is measured handlers count as slow: then every message is published at once. A hold
// that is over before its first stretch is measured as a whole: always while handlers count as slow, else one in
// sampled_holds. Within a stretch the worker glances up: a look at whether threads outside wait, and no clock.
// Clock is replaced in tests. Thread safety: owner only.
template <class Clock>
class basic_pace {
 public:
  // `measured`: in any case.
  void begin_hold(bool measured = false) noexcept {
    stretches_ = 0;
    handled_before_ = 0;
    begin_stretch();
    measured = measured || length_ == 1 || --until_sample_ == 0;
    started_ = measured ? clock::now() : time_point{};
    measured_ns_ = 0;
    if (until_sample_ == 0) until_sample_ = sampled_holds;
  }
  // The same, with a look-up after each message, and nothing measured.
  void begin_hold_of_one() noexcept {
    stretches_ = 0;
    handled_before_ = 0;
    set_length(1);
    started_ = {};
    measured_ns_ = 0;
  }
  // So many messages more at most before the next look-up. REQUIRES: a stretch has just begun.
  void shorten(std::uint64_t messages) noexcept {
    set_length(static_cast<std::uint32_t>(std::min<std::uint64_t>(length_, messages)));
  }
  // One more message ran, and there are others. True: look up, or glance up.
  [[nodiscard]] bool step() noexcept { return --left_ == 0; }

  // The next step says so.
  void look_up_next() noexcept {
    length_ = handled() + 1;
    left_ = 1;
    beyond_ = 0;
  }

  // A step said so in the midst of a stretch, which goes on. False: that was its end.
  [[nodiscard]] bool only_glances() noexcept {
    if (beyond_ == 0) return false;
    left_ = std::min(beyond_, glance_messages());
    beyond_ -= left_;
    return true;
  }
  // Since the hold began.
  [[nodiscard]] std::uint64_t handled_in_hold() const noexcept { return handled_before_ + handled(); }

  // Handlers are fast, and this is only the moment to start the clock: there is nothing to look up for.
  [[nodiscard]] bool only_starts_clock() const noexcept { return started_ == time_point{} && stretch_messages() > 1; }

  // The worker looked up. False: the hold has lasted long enough for other shards to have their turn.
  [[nodiscard]] bool next_stretch() noexcept {
    const auto now = clock::now();
    if (started_ != time_point{}) measure(now);
    started_ = now;
    handled_before_ += handled();
    begin_stretch();
    return ++stretches_ < stretches_max;
  }

  // The hold is over.
  void end_hold() noexcept {
    if (started_ != time_point{} && stretches_ == 0 && handled() != 0) measure(clock::now());
  }

  // Would running so many messages take longer than waking somebody to help?
  [[nodiscard]] bool worth_sharing(std::uint64_t messages) const noexcept {
    return messages * ns_per_message_ >= share_ns;
  }

  // Handlers are fast, and none was seen to take long lately.
  [[nodiscard]] bool is_quick() const noexcept { return ns_per_message_ <= quick_ns && !was_surprised(); }
  // Several messages fit into a stretch, so that the hold will be over soon.
  [[nodiscard]] bool is_brisk() const noexcept { return ns_per_message_ <= brisk_ns; }
  // So few wait that who comes behind them will not notice.
  [[nodiscard]] bool soon_done(std::uint64_t messages) const noexcept { return is_within(messages, 1); }
  // More, but not so many that nobody could take them over in reasonable time.
  [[nodiscard]] bool done_in_time(std::uint64_t messages) const noexcept { return is_within(messages, 4); }

  // What the messages of this hold took, each, as measured last; 0: not measured.
  [[nodiscard]] std::uint64_t measured_ns() const noexcept { return measured_ns_; }
  [[nodiscard]] std::uint32_t ns_per_message() const noexcept {
    return static_cast<std::uint32_t>(std::min(ns_per_message_, stretch_ns));
  }

 private:
  using clock = Clock;
  using time_point = typename Clock::time_point;
  static constexpr std::uint64_t stretch_ns = 20'000;  // about what a wake-up takes
  static constexpr std::uint64_t glance_ns = 2'000;    // what a thread that asks may wait for nothing
  static constexpr std::uint64_t share_ns = 20'000;
  // Under a sanitizer everything takes many times as long.
  static constexpr std::uint64_t quick_ns = base::under_asan || base::under_tsan ? 10'000 : 250;
  static constexpr std::uint64_t brisk_ns = stretch_ns / 4;
  static constexpr std::uint64_t queue_max = 24'000;  // a longer one leaves the second-level cache
  static constexpr std::uint64_t patience_ns = 1'000'000;
  static constexpr std::uint64_t surprise_ns = 1'000'000;
  static constexpr unsigned wary_times = 10;  // for so many times as long as the surprise took
  static constexpr unsigned remembered_times = 100;
  static constexpr std::uint64_t messages_max = 1024;
  static constexpr std::uint64_t first_stretch_max = 32;
  static constexpr unsigned stretches_max = 8;
  static constexpr unsigned sampled_holds = 64;

  [[nodiscard]] std::uint64_t stretch_messages() const noexcept {
    return std::clamp<std::uint64_t>(stretch_ns / ns_per_message_, 1, messages_max);
  }
  [[nodiscard]] bool is_within(std::uint64_t messages, std::uint64_t times) const noexcept {
    return messages <= times * queue_max && messages * ns_per_message_ <= times * patience_ns;
  }
  void measure(time_point now) noexcept {
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now - started_).count();
    const std::uint64_t each = static_cast<std::uint64_t>(ns) / handled();
    measured_ns_ = std::max<std::uint64_t>(each, 1);
    ns_per_message_ = std::max<std::uint64_t>((ns_per_message_ + each) / 2, 1);
    if (static_cast<std::uint64_t>(ns) >= surprise_ns) surprise(now);
    if (now >= wary_until_) wary_until_ = {};
  }
  // The first one may be a program that sets itself up; who does it again soon has such handlers.
  void surprise(time_point now) noexcept {
    const auto took = now - started_;
    wary_until_ = now + (now < remembered_until_ ? wary_times : 1) * took;
    remembered_until_ = now + remembered_times * took;
  }
  [[nodiscard]] bool was_surprised() const noexcept { return wary_until_ != time_point{}; }

  // The first stretches of a hold are short: handlers may have become slow since they were measured.
  void begin_stretch() noexcept {
    set_length(
        static_cast<std::uint32_t>(std::min<std::uint64_t>(stretch_messages(), first_stretch_max << stretches_)));
  }
  void set_length(std::uint32_t messages) noexcept {
    length_ = messages;
    left_ = std::min(messages, glance_messages());
    beyond_ = messages - left_;
  }
  [[nodiscard]] std::uint32_t glance_messages() const noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(glance_ns / ns_per_message_, 1, messages_max));
  }
  // Of the stretch.
  [[nodiscard]] std::uint32_t handled() const noexcept { return length_ - left_ - beyond_; }

  std::uint32_t left_ = 1;            // up to the next glance
  std::uint32_t length_ = 1;          // messages of the stretch that is measured
  std::uint32_t beyond_ = 0;          // those behind the next glance
  std::uint64_t handled_before_ = 0;  // in the stretches of this hold that are over
  unsigned stretches_ = 0;
  unsigned until_sample_ = sampled_holds;
  std::uint64_t measured_ns_ = 0;
  std::uint64_t ns_per_message_ = stretch_ns;
  time_point started_;
  time_point wary_until_;
  time_point remembered_until_;  // the last surprise
};

using pace = basic_pace<sync::stopwatch>;

}  // namespace tact::actor
