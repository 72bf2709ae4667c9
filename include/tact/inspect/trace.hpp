// tact::inspect::trace: the steps of an engine that a recorder has kept, put together: which message came of which.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/trace_sink.hpp"
#include "tact/failure.hpp"

namespace tact::inspect {

// A message as people read it: "3.1f04c2" was sent by the third of the threads that were observed in this process; the
// rest says when.
[[nodiscard]] std::string name_of_message(std::uint64_t number);

// What happened: the words are explained at detail::trace_step and detail::trace_outcome.
using step = detail::trace_step;
using outcome = detail::trace_outcome;

// One step of one thread. Which members say something depends on the step.
struct event {
  std::chrono::nanoseconds at{0};  // of steady_clock; of the virtual clock in a simulation
  step what = step::sent;
  outcome how = outcome::none;                        // of step::over
  failure_reason why = failure_reason::target_ended;  // of step::unserved
  unsigned thread = 0;                                // an index into trace::threads()
  std::uint64_t message = 0;                          // the number of the message; 0: it has none
  std::uint64_t cause = 0;                            // the number of the message of which this one comes; 0: none
  std::uint64_t actor = 0;                            // the address of the target, or of the actor that is created
  std::string_view message_type{};                    // empty: not known, or the step is about no message
  std::string_view actor_type{};                      // protocol or class; empty: not known
  std::string_view text{};                            // of step::marked
  bool is_undone = false;                             // the step takes no effect, because its run was undone
};

// A copy of what was recorded, which changes no more. The texts of its events live as long as the trace, or a
// copy of it.
// Thread safety: constant; one trace may be read by several threads.
class trace {
 public:
  // The steps in the order of time; a message is sent before it is handled.
  // They live as long as the trace: keep what recorder::read returns, and loop over it then.
  [[nodiscard]] const std::vector<event>& events() const& noexcept { return events_; }
  const std::vector<event>& events() const&& = delete;
  // The names of the threads: "worker 3", "threads outside 2".
  [[nodiscard]] const std::vector<std::string>& threads() const& noexcept { return threads_; }
  const std::vector<std::string>& threads() const&& = delete;
  // So many steps were recorded and then overwritten by newer ones, or not kept because memory was short.
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

  // The message of this number and those of which it came, the newest first: each where it was sent. It ends where a
  // message was sent by no recorded handler, or where the step was lost.
  [[nodiscard]] std::vector<event> causes_of(std::uint64_t message) const;
  // The same as text, a line for each message: what it was, for which actor, sent when by which thread, because of
  // what.
  [[nodiscard]] std::string why(std::uint64_t message) const;

  // Writes a sequence chart in the language of Mermaid: all that came of this message, in the order in which it was
  // sent. Of so many messages at most, because Mermaid draws no long charts; the last line says how many are left out.
  void write_mermaid(std::ostream& to, std::uint64_t message, std::size_t most = 200) const;

  // Draws the same chart as an SVG picture, which may be longer.
  void write_svg(std::ostream& to, std::uint64_t message, std::size_t most = 2000) const;

  // Writes the trace in the JSON format of Chrome, which ui.perfetto.dev shows: a track for each thread and one for
  // each actor, with an arrow from each send to where the message is handled. A file that was cut off still loads.
  void write_chrome_json(std::ostream& to) const;

 private:
  friend class trace_reader;

  std::vector<event> events_;
  std::vector<std::string> threads_;
  // The texts to which events refer: copies of a trace share them, and none of them moves.
  std::shared_ptr<const std::deque<std::string>> texts_;
  std::uint64_t lost_ = 0;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
