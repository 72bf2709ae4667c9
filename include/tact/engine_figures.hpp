// tact::engine_figures: what an engine tells of itself.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tact/detail/engine_base.hpp"
#include "tact/failure.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/placement.hpp"
#include "tact/statistics.hpp"

namespace tact {

struct engine_description;  // in description.hpp
struct structure;           // in structure.hpp
namespace detail {
std::vector<dead_letter_count> count_dead_letters(core&);
}

// The calls of an engine that only look. They are allowed inside handlers too. None waits for a handler; describe and
// structure ask the thread that serves the timers, and wait for it, for a quarter of a second at most. Thread safety:
// as of engine; any thread may look while the engine runs.
class engine_figures : protected detail::engine_base {
 public:
  // What the engine does at the moment, and what waits for what; printing it gives a text for people. Looks at every
  // cell of the engine. The caller must include tact/description.hpp.
  [[nodiscard]] engine_description describe() const;
  // What the engine holds beside its actors: open scopes, supervisors, topics, and the timers that are due next. The
  // caller must include tact/structure.hpp.
  [[nodiscard]] tact::structure structure() const;
  // A text for people: what keeps the engine from ending.
  [[nodiscard]] std::string still_running() const { return detail::still_running(core_); }
  // The seats of all workers that there may be; constant as long as the engine lives.
  [[nodiscard]] const placement_plan& plan() const noexcept { return detail::read_plan(core_); }
  // The figures of the whole engine; exact when it is idle.
  [[nodiscard]] tact::statistics statistics() const { return detail::read_statistics(core_); }
  // The figures of each worker that there may be, by its number: the first statistics().workers of them run now, the
  // others have gone or were never started. What blocking actors and threads outside have done is in the sums only.
  [[nodiscard]] std::vector<tact::worker_statistics> worker_statistics() const {
    return detail::read_worker_statistics(core_);
  }
  // The figures by type of actor, in the order of names: of the types of which some actors are alive, or have collided.
  // Looks at every cell of the engine.
  [[nodiscard]] std::vector<tact::type_statistics> type_statistics() const {
    return detail::read_type_statistics(core_);
  }
  // How many messages wait in each shard, by its number: first the ordinary shards, then those kept for heavy actors,
  // then one for each blocking actor that there may be. Messages on their way between workers are not in a shard yet,
  // and not counted.
  [[nodiscard]] std::vector<std::uint64_t> shard_depths() const { return detail::read_shard_depths(core_); }
  // The mailboxes that have a limit, the fullest first, `most` of them at most. Looks at every cell of the engine.
  [[nodiscard]] std::vector<mailbox_depth> fullest_mailboxes(std::size_t most = 10) const {
    return detail::read_fullest_mailboxes(core_, most);
  }
  // The latest dead letters, oldest first, engine_options::dead_letters_kept of them at most.
  [[nodiscard]] std::vector<dead_letter> dead_letters() const { return detail::read_dead_letters(core_); }
  // How many messages have become dead letters since the engine began, by the reason; reasons without any are left out.
  [[nodiscard]] std::vector<dead_letter_count> dead_letters_by_reason() const {
    return detail::count_dead_letters(core_);
  }

 protected:
  using engine_base::engine_base;
  ~engine_figures() = default;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
