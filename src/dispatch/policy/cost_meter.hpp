// How fast handlers run on this worker. It decides how often the worker looks up from its lane, and whether work is
// worth sharing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "base/sanitized.hpp"
#include "dispatch/policy/prices.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// A hold may go on for so many stretches or gulps, and be followed by so many offices that are withheld; then the other
// shards of the worker have their turn.
inline constexpr unsigned turns_of_a_hold = 8;

// Reading the clock costs as much as several messages, so it is read once per stretch of messages; a stretch is as long
// as fits into stretch_ns. Until the first stretch is measured handlers count as slow: then every message is published
// at once. A hold that is over before its first stretch may be measured as a whole. It is measured always while a
// message takes so long that this costs little. It is measured always, too, while a message took so long lately: much
// depends on whether messages still do. Otherwise one hold in sampled_holds is measured. Each lane is taken up as
// slowly as it was left; but a worker that has just run quick handlers of other shards looks up soon all the same.
// Within a stretch the worker glances up: it looks whether threads outside wait, and every other time whether the
// stretch takes much longer than it should.
//
// Time is counted per message that was handled, or per message that was sent, whichever are more: a handler that sends
// a thousand messages is not slow, because a message that waits behind it waits no longer than it would behind those.
//
// Clock is replaced in tests. Thread safety: owner only.
template <class Clock>
class basic_cost_meter {
 public:
  using clock = Clock;
  using time_point = typename Clock::time_point;

  // What is known of a hold when it begins.
  struct hold {
    bool is_measured = false;  // in any case
    // What a message of this lane took when it was run last, by whichever worker; 0: not known. If that is longer than
    // what this worker has run since, the hold begins as if it were still so.
    std::uint64_t known_ns = 0;
    // The thread has run messages of the same shards just before, so the stretches need not be short again.
    bool goes_on = false;
  };
  // `sent`: how many messages this worker has sent up to now.
  void begin_hold(std::uint64_t sent, const hold& begun) noexcept {
    ns_per_message_ = std::max(ns_per_message_, begun.known_ns);
    stretches_ = 0;
    if (!begun.goes_on) doublings_ = 0;
    sent_before_ = sent;
    handled_before_ = 0;
    begin_stretch();
    const bool pays = ns_per_message_ >= prices::brief_ns || !is_brief();
    const bool measured = begun.is_measured || pays || --until_sample_ == 0;
    started_ = measured ? clock::now() : time_point{};
    if (measured) look_at_processor(measured_at_ = started_);
    measured_ns_ = 0;
    if (until_sample_ == 0) until_sample_ = sampled_holds;
  }
  void begin_hold(std::uint64_t sent) noexcept { begin_hold(sent, {}); }
  // Begins a hold that looks up after each message, and is not measured.
  void begin_hold_of_one() noexcept {
    stretches_ = 0;
    handled_before_ = 0;
    set_length(1);
    started_ = {};
    measured_ns_ = 0;
  }
  // The next look-up comes after so many messages at the latest. REQUIRES: a stretch has just begun.
  void shorten(std::uint64_t messages) noexcept {
    set_length(static_cast<std::uint32_t>(std::min<std::uint64_t>(length_, messages)));
  }
  // One more message ran, and others follow. True: look up, or glance up.
  [[nodiscard]] bool step() noexcept { return --left_ == 0; }

  // The next step returns true.
  void look_up_next() noexcept {
    length_ = handled() + 1;
    left_ = 1;
    beyond_ = 0;
    paused_ = 0;
  }

  // The next step returns true, but if more messages of the stretch were to come up to the next glance, then
  // ends_pause() says so, and the stretch goes on as if nothing had been.
  void pause_next() noexcept {
    if (left_ <= 1) return;
    paused_ = left_ - 1;
    beyond_ += paused_;
    left_ = 1;
  }
  [[nodiscard]] bool ends_pause() noexcept {
    if (paused_ == 0) return false;
    left_ = std::exchange(paused_, 0);
    beyond_ -= left_;
    return true;
  }

  // Called when step has returned true. True: it was only time to glance, and the stretch goes on. False: the stretch
  // is over, because it has had all its messages, or because these take longer than they did before.
  [[nodiscard]] bool only_glances() noexcept {
    if (beyond_ == 0) return false;
    glances_at_clock_ = !glances_at_clock_;
    if (glances_at_clock_ && is_late()) {
      length_ -= std::exchange(beyond_, 0);
      return false;
    }
    left_ = std::min(beyond_, glance_messages());
    beyond_ -= left_;
    return true;
  }
  // Messages that were handled since the hold began.
  [[nodiscard]] std::uint64_t handled_in_hold() const noexcept { return handled_before_ + handled(); }

  // True: handlers are fast, and this look-up only starts the clock; the worker has nothing else to do in it.
  [[nodiscard]] bool only_starts_clock() const noexcept { return started_ == time_point{} && stretch_messages() > 1; }

  // The stretch is over, and the worker looks up. What it does until `next_stretch` is not counted: it publishes what
  // was sent, and that takes the longer the fewer messages travel together, however quick handlers are. If it counted,
  // handlers of small batches would look slow, slow handlers make batches smaller, and so on.
  void end_stretch(std::uint64_t sent) noexcept {
    if (started_ != time_point{}) measure(clock::now(), sent);
    started_ = {};
  }

  // What this thread has done since `from` was not handling: see end_stretch.
  void leave_out_since(time_point from) noexcept {
    if (started_ != time_point{}) started_ += clock::now() - from;
  }

  // The worker has looked up. False: the hold has lasted so long that other shards should have their turn. REQUIRES:
  // the stretch has ended.
  [[nodiscard]] bool next_stretch(std::uint64_t sent) noexcept {
    const auto now = measured_at_ = clock::now();
    started_ = now;
    sent_before_ = sent;
    look_at_processor(now);
    handled_before_ += handled();
    doublings_ = std::min(doublings_ + 1, doublings_max);
    begin_stretch();
    return ++stretches_ < turns_of_a_hold;
  }

  // The hold is over.
  void end_hold(std::uint64_t sent) noexcept {
    if (started_ != time_point{} && stretches_ == 0 && handled() != 0) measure(clock::now(), sent);
  }

  // Would it take longer to run so many messages than to wake a worker that helps?
  [[nodiscard]] bool worth_sharing(std::uint64_t messages) const noexcept {
    return messages * ns_per_message_ >= prices::wake_up_ns;
  }

  // Nothing was ever measured here, so it is not known how long messages take.
  [[nodiscard]] bool is_new() const noexcept { return !is_measured_; }

  // True: handlers are fast, and none was seen to take long lately. A single slow stretch among many does not count: in
  // it the system may have run something else.
  [[nodiscard]] bool is_quick() const noexcept { return above_move_.are_few() && !was_surprised(); }

  // True: handlers may not be quick, but they are so short that a worker which begins to look for messages while they
  // run need not wait for them; and none was seen to take long lately.
  [[nodiscard]] bool is_brief() const noexcept { return above_brief_.are_few() && !was_surprised(); }

  // True: as far as is known, a message takes longer than to move it and its actor to another worker.
  [[nodiscard]] bool is_worth_moving() const noexcept { return is_measured_ && ns_per_message_ > move_ns(); }

  // True: as far as is known, a message that any worker may run takes longer than its way to another worker.
  [[nodiscard]] bool is_worth_spreading() const noexcept {
    return !is_measured_ || ns_per_message_ > unless_sanitized(prices::message_ns);
  }

  // True: handlers take so long that it matters little what it takes to bring a message here.
  [[nodiscard]] bool is_slow() const noexcept { return is_measured_ && ns_per_message_ >= prices::slow_ns; }

  // For how long handlers have kept this thread by themselves, as far as it was measured: what messages took beyond a
  // microsecond each. So long a message does not wait for lines that other workers have written.
  [[nodiscard]] std::uint64_t kept_ns() const noexcept { return kept_ns_; }

  // The time of one message in this hold, as it was measured last; 0: it was not measured.
  [[nodiscard]] std::uint64_t measured_ns() const noexcept { return measured_ns_; }
  // When the clock was read last.
  [[nodiscard]] time_point measured_at() const noexcept { return measured_at_; }
  [[nodiscard]] std::uint32_t ns_per_message() const noexcept {
    return static_cast<std::uint32_t>(std::min(ns_per_message_, stretch_ns));
  }

 private:
  static constexpr std::uint64_t stretch_ns = prices::wake_up_ns;
  static constexpr std::uint64_t glance_ns = prices::brief_ns;  // how long a thread that asks may wait in vain
  static constexpr unsigned late_times = 2;  // a stretch that takes so many times as long as it should is over
  // Under a sanitizer everything takes many times longer, except in a simulation: there a seed gives the same execution
  // in every build.
  [[nodiscard]] static std::uint64_t unless_sanitized(std::uint64_t ns) noexcept {
    if constexpr (base::under_asan || base::under_tsan) return sync::system::current() == nullptr ? 10'000 : ns;
    return ns;
  }
  // Messages that take no longer are quick: they may wait behind those for other shards.
  [[nodiscard]] static std::uint64_t move_ns() noexcept { return unless_sanitized(prices::move_ns); }
  static constexpr std::uint64_t waits_ns = 20 * prices::line_ns;  // what a message waits for lines, at most
  static constexpr unsigned quick_per_slow = 8;
  static constexpr std::uint64_t surprise_ns = 1'000'000;
  static constexpr unsigned wary_times = 10;  // the worker is wary for so many times as long as the surprise took
  static constexpr unsigned remembered_times = 100;
  static constexpr std::uint64_t messages_max = 1024;
  static constexpr std::uint64_t first_stretch_max = 32;
  static constexpr unsigned doublings_max = 5;
  static_assert(first_stretch_max << doublings_max == messages_max);
  static constexpr unsigned sampled_holds = 16;

  [[nodiscard]] std::uint64_t stretch_messages() const noexcept {
    return std::clamp<std::uint64_t>(stretch_ns / ns_per_message_, 1, messages_max);
  }
  void measure(time_point now, std::uint64_t sent) noexcept {
    measured_at_ = now;
    auto took = now - started_;
    auto lost = typename clock::duration{};
    if (nanoseconds(took) >= surprise_ns) lost = std::min(took, taken_away(now));
    took -= lost;
    const std::uint64_t ns = nanoseconds(took);
    const std::uint64_t each = ns / std::max<std::uint64_t>(handled(), sent - sent_before_);
    measured_ns_ = std::max<std::uint64_t>(each, 1);
    kept_ns_ += ns - std::min(ns, waits_ns * handled());
    // The first measurement replaces the estimate, unless the system may have taken most of its time away.
    const bool is_first = !is_measured_ && nanoseconds(lost) < surprise_ns;
    is_measured_ = is_measured_ || is_first;
    known_messages_ = std::min(known_messages_ + handled(), messages_max);
    ns_per_message_ = std::max<std::uint64_t>(is_first ? each : (ns_per_message_ + each) / 2, 1);
    above_move_.note(measured_ns_ > move_ns(), is_first);
    above_brief_.note(measured_ns_ > unless_sanitized(prices::brief_ns), is_first);
    if (ns >= surprise_ns && each > move_ns()) surprise(now);
    if (now >= wary_until_) wary_until_ = {};
  }
  // Counts the stretches whose messages took longer than some limit. Such a stretch is made up for by quick_per_slow
  // others; the very first one, in which memory is touched for the first time, by a single one.
  class slow_stretches {
   public:
    void note(bool is_slow, bool is_first) noexcept {
      if (is_first) {
        lately_ = is_slow ? at_first : 0;
      } else if (is_slow) {
        lately_ = std::min(lately_ + quick_per_slow, 2 * quick_per_slow);
      } else if (lately_ != 0) {
        --lately_;
      }
    }
    [[nodiscard]] bool are_few() const noexcept { return lately_ <= quick_per_slow; }

   private:
    static constexpr unsigned at_first = quick_per_slow + 1;
    unsigned lately_ = at_first;
  };
  // For how long the system has given the processor to others since the last reading. If the thread has waited by
  // itself, it has lost nothing: then its handlers took so long.
  [[nodiscard]] typename clock::duration taken_away(time_point now) const noexcept {
    const auto used = clock::use::read(now);
    if (used.waits != used_.waits) return {};
    return std::max(typename clock::duration{}, (now - used_.at) - (used.time - used_.time));
  }
  // Reads how much processor time the thread has used; seldom, because it costs as much as several messages.
  void look_at_processor(time_point now) noexcept {
    if (nanoseconds(now - used_.at) >= surprise_ns) used_ = clock::use::read(now);
  }
  [[nodiscard]] bool is_late() const noexcept {
    return started_ != time_point{} && nanoseconds(clock::now() - started_) > late_times * stretch_ns;
  }
  static std::uint64_t nanoseconds(typename clock::duration d) noexcept {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(d).count());
  }
  // A handler took very long. The first time this may be a program that sets itself up; if it happens again soon, the
  // program has such handlers.
  void surprise(time_point now) noexcept {
    const auto took = now - started_;
    wary_until_ = now + (now < remembered_until_ ? wary_times : 1) * took;
    remembered_until_ = now + remembered_times * took;
  }
  [[nodiscard]] bool was_surprised() const noexcept { return wary_until_ != time_point{}; }

  // The first stretches of a hold are short: handlers may have become slow since they were measured. So are the first
  // ones of all, no longer than what was measured before: one handler, which sends to many, says little of theirs.
  void begin_stretch() noexcept {
    const std::uint64_t most = std::min(first_stretch_max << doublings_, std::max<std::uint64_t>(known_messages_, 1));
    set_length(static_cast<std::uint32_t>(std::min(stretch_messages(), most)));
  }
  void set_length(std::uint32_t messages) noexcept {
    length_ = messages;
    left_ = std::min(messages, glance_messages());
    beyond_ = messages - left_;
    paused_ = 0;
  }
  [[nodiscard]] std::uint32_t glance_messages() const noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(glance_ns / ns_per_message_, 1, messages_max));
  }
  // Messages of this stretch that were handled.
  [[nodiscard]] std::uint32_t handled() const noexcept { return length_ - left_ - beyond_; }

  std::uint32_t left_ = 1;            // messages up to the next glance
  std::uint32_t length_ = 1;          // messages of the stretch that is measured
  std::uint32_t beyond_ = 0;          // messages of the stretch behind the next glance
  std::uint32_t paused_ = 0;          // of those, how many are before that glance all the same; 0: there is no pause
  bool glances_at_clock_ = false;     // at every other glance
  std::uint64_t handled_before_ = 0;  // messages in those stretches of this hold that are over
  std::uint64_t sent_before_ = 0;     // messages that were sent before this stretch
  unsigned stretches_ = 0;
  unsigned doublings_ = 0;  // of the length of a stretch, since the first one
  unsigned until_sample_ = sampled_holds;
  std::uint64_t measured_ns_ = 0;
  bool is_measured_ = false;          // a first measurement has counted
  std::uint64_t known_messages_ = 0;  // were handled in stretches that were measured, up to messages_max
  std::uint64_t ns_per_message_ = stretch_ns;
  std::uint64_t kept_ns_ = 0;
  slow_stretches above_move_;
  slow_stretches above_brief_;
  typename clock::use used_;
  time_point started_;
  time_point measured_at_;
  time_point wary_until_;
  time_point remembered_until_;  // up to then the last surprise is remembered
};

using cost_meter = basic_cost_meter<sync::stopwatch>;

}  // namespace tact::dispatch
