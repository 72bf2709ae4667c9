// The queue of lines that stands for the standard output, and what all queues of a process need at its end and around a
// fork.
#pragma once

#include <chrono>
#include <string_view>

#include "inspect/line_queue.hpp"

namespace tact::inspect {

// How long an output that takes nothing holds up the end of a process, or of a line_output.
inline constexpr std::chrono::seconds patience_at_end{5};

// It is never destroyed: other static objects may print when they end. Throws std::bad_alloc.
[[nodiscard]] line_queue& standard_lines();

// Null: to the standard output.
void put_to(line_queue* to, std::string_view line) noexcept;

// While it exists, a fork leaves the queue fit for use in the child.
class known_to_forks {
 public:
  explicit known_to_forks(line_queue& queue);
  known_to_forks(const known_to_forks&) = delete;
  known_to_forks& operator=(const known_to_forks&) = delete;
  ~known_to_forks();

 private:
  line_queue& queue_;
};

}  // namespace tact::inspect
