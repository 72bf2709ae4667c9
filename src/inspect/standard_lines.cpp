#include "inspect/standard_lines.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tact::inspect {

namespace {

constexpr std::size_t standard_bytes = std::size_t{1} << 20;

// The queues of the process, in the order in which a fork locks them. Never destroyed, as the first of them.
struct queues {
  std::mutex mutex;
  std::vector<line_queue*> all;
};
queues& known() {
  static queues& only = *new queues;
  return only;
}

void lock_all() {
  known().mutex.lock();
  for (line_queue* q : known().all) q->lock();
}
void unlock_all() {
  for (line_queue* q : known().all) q->unlock();
  known().mutex.unlock();
}
void begin_anew_in_child() {
  for (line_queue* q : known().all) q->begin_anew_in_child();
  unlock_all();
}

sync::atomic<line_queue*> standard{nullptr};
sync::atomic<bool> is_at_end{false};

void tell_loss_at_end(std::uint64_t lines) noexcept {
  const std::string text = "tact: " + std::to_string(lines) +
                           " lines were lost in all, because the standard output took nothing at the end\n";
  static_cast<void>(file_sink(STDERR_FILENO).write(text));
}

struct written_at_end {
  written_at_end() noexcept = default;
  written_at_end(const written_at_end&) = delete;
  written_at_end& operator=(const written_at_end&) = delete;
  ~written_at_end() {
    is_at_end.store(true);
    line_queue* const lines = standard.load();
    if (lines != nullptr && !lines->close(patience_at_end)) tell_loss_at_end(lines->lost());
  }
};
const written_at_end at_end;

}  // namespace

line_queue& standard_lines() {
  static line_queue& only = [&]() -> line_queue& {
    auto made = std::make_unique<line_queue>(standard_bytes, std::make_unique<file_sink>(STDOUT_FILENO));
    static const auto& first = *new known_to_forks(*made);
    static_cast<void>(first);
    ::pthread_atfork(&lock_all, &unlock_all, &begin_anew_in_child);
    standard.store(made.get());
    return *made.release();
  }();
  return only;
}

void put_to(line_queue* to, std::string_view line) noexcept {
  if (to != nullptr) return to->put(line);
  try {
    standard_lines().put(line);
    if (is_at_end.load()) standard_lines().flush(patience_at_end);
  } catch (const std::exception&) {
    // Without memory for the queue itself the line is lost.
  }
}

known_to_forks::known_to_forks(line_queue& queue) : queue_(queue) {
  const std::lock_guard lock(known().mutex);
  known().all.push_back(&queue);
}
known_to_forks::~known_to_forks() {
  const std::lock_guard lock(known().mutex);
  std::erase(known().all, &queue_);
}

}  // namespace tact::inspect
