// Which thread of a simulation has the next turn.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "tact/simulation.hpp"
#include "tools/simulated/thread_record.hpp"

namespace tact::simulated {

// May the running thread be the one that goes on?
enum class stays : unsigned char { likely, if_alone, never };

// Invariant: all choices come from the schedule: from its seed, or, if the schedule is in full, from the turns that it
// lists. So the same schedule makes the same choices. Thread safety: the real thread.
class turn_choice {
 public:
  explicit turn_choice(const schedule& as);

  // The thread that goes on behind a point of `running`. REQUIRES: a thread is runnable.
  [[nodiscard]] unsigned choose(const thread_list& threads, unsigned running, stays s) noexcept;
  // The first runnable thread behind `index`, going round; `index` itself if there is no other.
  [[nodiscard]] static unsigned next_after(const thread_list& threads, unsigned index) noexcept;
  [[nodiscard]] static bool any_other(const thread_list& threads, unsigned running) noexcept;
  // A priority for a thread that starts.
  [[nodiscard]] std::int64_t first_priority() noexcept { return static_cast<std::int64_t>(choices_.next() >> 2); }
  // To be called for every turn: `next` goes on behind `running`, or is the same one.
  void note_turn(unsigned running, unsigned next) noexcept { in_a_row_ = next == running ? in_a_row_ + 1 : 0; }
  // The schedule, in full, that repeats the choices made so far.
  [[nodiscard]] schedule so_far() const;

 private:
  enum class kind : unsigned char { uniform, priority };

  [[nodiscard]] unsigned choose_by_seed(const thread_list& threads, unsigned running, stays s, unsigned usual) noexcept;
  [[nodiscard]] static unsigned highest(const thread_list& threads, std::optional<unsigned> but_for) noexcept;

  const schedule as_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> chosen_;  // the turns of a schedule in full
  std::vector<schedule::turn> turns_;                                        // those that were not the usual ones
  base::random choices_;
  kind kind_;
  std::uint32_t change_odds_;
  std::int64_t lowest_priority_ = 0;
  unsigned in_a_row_ = 0;
};

}  // namespace tact::simulated
