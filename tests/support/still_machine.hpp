// A machine on which nothing happens that the test does not do.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "sync/system.hpp"

namespace tact::support {

// Stands in for the operating system on the thread that makes it, as long as it lives. No time passes but what the test
// lets pass, and no other thread runs: so what depends on how long something takes does not depend on how fast the real
// machine is. REQUIRES: the objects of the engine that the test makes live no longer.
class still_machine final : public sync::system {
 public:
  // In the words of hwloc. Empty: nothing depends on the machine.
  explicit still_machine(std::string machine = {}) : machine_(std::move(machine)) { enter(this); }
  ~still_machine() { enter(nullptr); }

  void pass(std::chrono::nanoseconds time) noexcept { now_ += time; }
  int stays_on = -1;  // the processing unit on which the thread stays; -1: on none
  // What the test does where a thread would be started, would sleep, and would wake others: nothing, unless it says so.
  std::function<void(std::function<void()> body)> on_start = [](const auto&) {};
  std::function<void()> on_sleep = [] {};
  std::function<void()> on_wake = [] {};

  [[nodiscard]] sync::time_point now() noexcept override { return now_; }
  [[nodiscard]] sync::time_point stopwatch() noexcept override { return now_; }
  [[nodiscard]] sync::processor_use use(sync::time_point now) noexcept override {
    return {now, now.time_since_epoch()};
  }
  void give_way() noexcept override {}
  [[nodiscard]] bool sleep(const void*, sync::deadline) noexcept override { return true; }
  bool sleep_if(const futex_word&, std::uint32_t, sync::deadline) noexcept override {
    on_sleep();
    return true;
  }
  void wake(const void*, int) noexcept override { on_wake(); }
  void barrier_for_all() noexcept override {}
  unsigned start(const std::string&, std::function<void()> body) override {
    on_start(std::move(body));
    return 0;
  }
  void join(unsigned) noexcept override {}
  [[nodiscard]] unsigned this_thread() const noexcept override { return 0; }
  [[nodiscard]] std::string_view machine() const noexcept override { return machine_; }
  void seat(const unsigned* unit) noexcept override { stays_on = unit == nullptr ? -1 : static_cast<int>(*unit); }
  [[nodiscard]] unsigned memories() const noexcept override { return 0; }
  void interleave(const void*, std::size_t) noexcept override {}
  void hear(const statistics&) noexcept override {}

 private:
  std::string machine_;
  sync::time_point now_{std::chrono::hours(1)};
};

}  // namespace tact::support
