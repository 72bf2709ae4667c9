// How fast handlers run here: decides how often a worker looks up from its lane, and whether work is worth sharing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/sanitized.hpp"
#include "dispatch/wake_price.hpp"
#include "sync/system.hpp"

namespace tact::actors {

// Reading the clock costs several messages, so it is read once per stretch of messages; a stretch is as long as fits
// into stretch_ns. Until the first is measured handlers count as slow: then every message is published at once. A hold
// that is over before its first stretch is measured as a whole: always while handlers count as slow, else one in
// sampled_holds. Within a stretch the worker glances up: a look at whether threads outside wait, and no clock.
// Time is counted per message that was handled, or that was sent, if more were sent: a handler that sends a thousand
// is not slow, for those that wait behind it wait no longer than they do behind what it sends.
// Clock is replaced in tests. Thread safety: owner only.
template <class Clock>
class basic_pace {
 public:
  // `sent`: so many messages were sent here up to now. `measured`: in any case.
  void begin_hold(std::uint64_t sent, bool measured = false) noexcept {
    stretches_ = 0;
    sent_before_ = sent;
    handled_before_ = 0;
    begin_stretch();
    measured = measured || length_ == 1 || --until_sample_ == 0;
    started_ = measured ? clock::now() : time_point{};
    if (measured) look_at_processor(started_);
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
  [[nodiscard]] bool next_stretch(std::uint64_t sent) noexcept {
    const auto now = clock::now();
    if (started_ != time_point{}) measure(now, sent);
    started_ = now;
    sent_before_ = sent;
    look_at_processor(now);
    handled_before_ += handled();
    begin_stretch();
    return ++stretches_ < stretches_max;
  }

  // The hold is over.
  void end_hold(std::uint64_t sent) noexcept {
    if (started_ != time_point{} && stretches_ == 0 && handled() != 0) measure(clock::now(), sent);
  }

  // Would running so many messages take longer than waking somebody to help?
  [[nodiscard]] bool worth_sharing(std::uint64_t messages) const noexcept {
    return messages * ns_per_message_ >= dispatch::wake_up_ns;
  }

  // Would it gain time to take a lane of so many messages apart, and to let others run so many of them?
  [[nodiscard]] bool worth_parting(std::uint64_t others, std::uint64_t all) const noexcept {
    return worth_sharing(others) && others * ns_per_message_ >= all * part_ns;
  }

  // Did so many stretches take longer than running so many messages would?
  [[nodiscard]] bool took_longer(std::uint64_t stretches, std::uint64_t messages) const noexcept {
    return stretches * stretch_ns >= messages * ns_per_message_;
  }

  // Handlers are fast, and none was seen to take long lately. One slow stretch among many may be one in which the
  // system ran something else.
  [[nodiscard]] bool is_quick() const noexcept { return slow_lately_ <= quick_per_slow && !was_surprised(); }

  // What the messages of this hold took, each, as measured last; 0: not measured.
  [[nodiscard]] std::uint64_t measured_ns() const noexcept { return measured_ns_; }
  [[nodiscard]] std::uint32_t ns_per_message() const noexcept {
    return static_cast<std::uint32_t>(std::min(ns_per_message_, stretch_ns));
  }

 private:
  using clock = Clock;
  using time_point = typename Clock::time_point;
  static constexpr std::uint64_t stretch_ns = dispatch::wake_up_ns;
  static constexpr std::uint64_t glance_ns = 2'000;  // what a thread that asks may wait for nothing
  static constexpr std::uint64_t part_ns = 5;        // what it takes to bring a message to where it belongs
  // Under a sanitizer everything takes many times as long.
  static constexpr std::uint64_t quick_ns = base::under_asan || base::under_tsan ? 10'000 : 250;
  static constexpr unsigned quick_per_slow = 8;
  static constexpr unsigned slow_at_first = quick_per_slow + 1;
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
  void measure(time_point now, std::uint64_t sent) noexcept {
    auto took = now - started_;
    auto lost = typename clock::duration{};
    if (nanoseconds(took) >= surprise_ns) lost = std::min(took, taken_away(now));
    took -= lost;
    const std::uint64_t ns = nanoseconds(took);
    const std::uint64_t each = ns / std::max<std::uint64_t>(handled(), sent - sent_before_);
    measured_ns_ = std::max<std::uint64_t>(each, 1);
    // The first measurement counts alone, but not if most of it may have been somebody else's.
    const bool is_first = !is_measured_ && nanoseconds(lost) < surprise_ns;
    is_measured_ = is_measured_ || is_first;
    ns_per_message_ = std::max<std::uint64_t>(is_first ? each : (ns_per_message_ + each) / 2, 1);
    note_speed(measured_ns_ > quick_ns, is_first);
    if (ns >= surprise_ns && each > quick_ns) surprise(now);
    if (now >= wary_until_) wary_until_ = {};
  }
  // A slow stretch is made up for by as many quick ones; the very first, in which memory is touched, by a single one.
  void note_speed(bool is_slow, bool is_first) noexcept {
    if (is_first) {
      slow_lately_ = is_slow ? slow_at_first : 0;
    } else if (is_slow) {
      slow_lately_ = std::min(slow_lately_ + quick_per_slow, 2 * quick_per_slow);
    } else if (slow_lately_ != 0) {
      --slow_lately_;
    }
  }
  // For how long the system gave the processor to others since that was looked at last. A thread that waited by itself
  // has lost nothing: its handlers took so long.
  [[nodiscard]] typename clock::duration taken_away(time_point now) const noexcept {
    const auto used = clock::use::read(now);
    if (used.waits != used_.waits) return {};
    return std::max(typename clock::duration{}, (now - used_.at) - (used.time - used_.time));
  }
  // Seldom, because it costs several messages.
  void look_at_processor(time_point now) noexcept {
    if (nanoseconds(now - used_.at) >= surprise_ns) used_ = clock::use::read(now);
  }
  static std::uint64_t nanoseconds(typename clock::duration d) noexcept {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
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
  std::uint64_t sent_before_ = 0;     // this stretch
  unsigned stretches_ = 0;
  unsigned until_sample_ = sampled_holds;
  std::uint64_t measured_ns_ = 0;
  bool is_measured_ = false;  // ever
  std::uint64_t ns_per_message_ = stretch_ns;
  unsigned slow_lately_ = slow_at_first;  // slow stretches, times that, less the quick ones since
  typename clock::use used_;
  time_point started_;
  time_point wary_until_;
  time_point remembered_until_;  // the last surprise
};

using pace = basic_pace<sync::stopwatch>;

}  // namespace tact::actors
