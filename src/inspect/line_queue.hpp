// Lines that wait to be written, in bounded memory, and the thread that writes them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "inspect/line_sink.hpp"
#include "sync/policy.hpp"

namespace tact::inspect {

// The thread exchanges the text that waits for an empty one, and writes it without the lock. So a thread
// that puts a line waits no longer than for another line to be copied.
// Thread safety: any thread; the thread of the queue calls put only.
class line_queue {
 public:
  line_queue(std::size_t bytes, std::unique_ptr<line_sink> to);
  line_queue(const line_queue&) = delete;
  line_queue& operator=(const line_queue&) = delete;
  ~line_queue();

  // `line`: one or more lines with their ends. It is lost when it has no room.
  void put(std::string_view line) noexcept;
  // False: the limit has passed before all was written, or lost, that was put before.
  bool flush(std::chrono::nanoseconds limit);
  [[nodiscard]] std::uint64_t lost() const noexcept;
  // Writes what is there, as long as some of it is taken in each such time, and ends the thread. Lines that are put
  // later begin another one. False: not all was written.
  bool close(std::chrono::nanoseconds patience) noexcept;
  // From now on no line is taken.
  void shut() noexcept;

  // What is put here goes to the latest of these queues. REQUIRES: no queue leads back to this one.
  void lead_to(line_queue& other);
  void lead_no_more_to(line_queue& other) noexcept;

  // -- around a fork: locked before, unlocked behind. In the child the thread is gone, and the lines are the parent's.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  void begin_anew_in_child() noexcept;

 private:
  // What an output takes may come in pieces, between which the thread looks whether it is still to be written.
  static constexpr std::chrono::milliseconds look_each{20};
  // Behind a write the thread gathers lines for so long before it sleeps: a wake takes longer than a line.
  static constexpr std::chrono::milliseconds nap{1};
  // Of the line that says how many lines are lost, with the largest numbers: room for it is set aside.
  static constexpr std::size_t notice_bytes_max = 96;

  [[nodiscard]] bool has_thread() noexcept;
  void append(std::string_view line);
  void lose(std::string_view line) noexcept;
  void run() noexcept;
  void write_waiting(std::unique_lock<std::mutex>& lock) noexcept;
  // How much of the text was taken.
  std::size_t write_all(std::string_view text) noexcept;
  void wake() noexcept;

  const std::size_t capacity_;
  const std::unique_ptr<line_sink> to_;

  mutable std::mutex mutex_;  // guards all that follows, but what is atomic
  std::condition_variable to_write_;
  std::condition_variable is_written_;
  std::vector<line_queue*> leads_to_;
  std::unique_ptr<std::thread> thread_;
  std::string waiting_;
  std::string writing_;        // owner: the thread, while it writes
  std::string notice_;         // written in front of that
  std::uint64_t put_ = 0;      // bytes
  std::uint64_t over_ = 0;     // of these, written or lost
  std::uint64_t lost_ = 0;     // lines
  std::uint64_t refused_ = 0;  // lines lost since the thread took what waits, because there was no room
  std::uint64_t failed_ = 0;   // lines lost because the output failed, of which no line tells yet
  bool is_begun_ = false;      // the output has taken a line in part, and then failed
  bool sleeps_ = false;
  bool naps_ = false;
  bool is_shut_ = false;
  bool ends_ = false;
  unsigned flushing_ = 0;
  sync::atomic<std::uint64_t> taken_{0};  // bytes that the output has taken
  sync::atomic<bool> gives_up_{false};
};

}  // namespace tact::inspect
