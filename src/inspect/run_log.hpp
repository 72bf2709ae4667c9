// The steps of one run in a simulation, in the order in which they were done, with the lines of its trace.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tact/detail/simulation_watcher.hpp"
#include "tact/detail/trace_sink.hpp"
#include "tact/simulation.hpp"

namespace tact::inspect {

// Where a message is.
enum class message_state : unsigned char {
  staged,   // a handler has sent it, and has not committed yet
  waiting,  // for its actor
  handled,  // a thread runs its handler
  aside,    // its handler waits for an answer
  done,     // its handler has committed
  failed,   // its handler has thrown
  undone,   // the run that has sent it was undone
  dead,     // no handler gets it
};

struct logged_step {
  // The steps of detail::trace_step, and what only the simulation tells.
  enum class kind : unsigned char {
    sent,
    begun,
    waits,
    goes_on,
    undone,
    created,
    became,
    stopped,
    over,
    unserved,
    marked,
    restarted,
    collided,  // a line says that the run collided
    said,      // a line of another kind
    failure,   // a check failed, the program threw, or it cannot go on
  };
  struct change {
    std::uint64_t message = 0;
    message_state to{};
  };

  kind what{};
  detail::trace_outcome how{};
  unsigned thread = 0;
  std::uint64_t actor = 0;    // the target of the message, or the actor that is created; 0: none
  std::uint64_t message = 0;  // 0: none
  std::chrono::nanoseconds at{0};
  bool is_undone = false;
  bool is_line = false;  // its text is a line of simulation::trace()
  std::string text;
  std::vector<change> changes;
};

// A message that was sent, or an order of the engine that is seen where it is handled. Their numbers count from 1.
struct logged_message {
  std::string_view type{};
  std::uint64_t to = 0;
  std::uint64_t from = 0;    // the actor whose handler has sent it; 0: a thread outside
  unsigned from_thread = 0;  // if it was that
  std::uint64_t cause = 0;
  message_state now = message_state::waiting;
};

// Hears the simulation and its engine. It is a log of one run: the thread is one, so no order is guessed.
// Thread safety: the real thread of the simulation.
class run_log final : public detail::trace_sink, public detail::trace_track, public detail::simulation_watcher {
 public:
  // Hears the simulation from now on. REQUIRES: its engine is not made yet. The engine keeps `itself`.
  void attach(simulation& of, std::shared_ptr<run_log> itself);
  void detach(simulation& of) noexcept;
  // The program has failed, if that is not known already.
  void fail(std::string_view what);

  [[nodiscard]] const std::vector<logged_step>& steps() const noexcept { return steps_; }
  [[nodiscard]] const std::vector<logged_message>& messages() const noexcept { return messages_; }
  [[nodiscard]] const std::unordered_map<unsigned, std::string>& threads() const noexcept { return threads_; }
  // "account@1"; without a number where no line of the trace names the actor.
  [[nodiscard]] std::string name_of(std::uint64_t actor) const;
  [[nodiscard]] std::string name_without_number(std::uint64_t actor) const;
  // The customer of an ask: it handles one message, and its name says which request of whom it is for.
  [[nodiscard]] bool is_answer(std::uint64_t actor) const;
  // The first step that is a failure.
  [[nodiscard]] std::optional<std::size_t> failure() const noexcept { return failure_; }
  // Memory was short, and steps are missing.
  [[nodiscard]] bool is_incomplete() const noexcept { return is_incomplete_; }

  // -- detail::simulation_watcher
  void hear_engine(tact::engine&) override;
  void hear_line(const detail::simulated_line&) noexcept override;
  void hear_failure(std::string_view text) noexcept override;
  // -- detail::trace_sink
  [[nodiscard]] detail::trace_track* open(std::string_view) noexcept override { return this; }
  [[nodiscard]] std::uint64_t send(detail::port to, const detail::message_type& message,
                                   const detail::behavior_type* actor_type, std::uint64_t cause) noexcept override;
  void bury(const detail::trace_note& n) noexcept override { write(n); }
  // -- detail::trace_track
  void write(const detail::trace_note& n) noexcept override;
  [[nodiscard]] std::uint64_t begin(const detail::trace_note& n) noexcept override;
  [[nodiscard]] std::uint64_t send(const detail::trace_note& n) noexcept override;
  void sample_next(std::uint64_t) noexcept override {}
  void pause() noexcept override {}
  void arrive(std::uint64_t, const detail::behavior_type&) noexcept override {}

 private:
  using kind = logged_step::kind;
  // A handler that a thread has begun, and where the effects are that its run has staged.
  struct handler {
    std::uint64_t message = 0;
    std::uint64_t actor = 0;
    std::vector<std::size_t> staged;
  };
  // Where a line and a step of the engine are the same, the one that comes first waits for the other.
  struct thread_place {
    std::vector<handler> handlers;
    std::optional<std::size_t> begun;    // waits for its line
    std::optional<std::size_t> sending;  // a line that waits for its message
    std::optional<std::size_t> ending;   // a line that waits for the outcome
  };

  logged_step& add(kind what);
  logged_step& take_or_add(std::optional<std::size_t>& line, kind what);
  void take_line(const detail::simulated_line&);
  void take(const detail::trace_note&);
  void take_begun(const detail::trace_note&, std::uint64_t id);
  void take_over(const detail::trace_note&);
  void take_sent(const detail::trace_note&, logged_step& s);
  void note_failure(std::string_view text);
  void move(logged_step& s, std::uint64_t number, message_state to);
  void move_staged(logged_step& s, handler&, message_state to);
  [[nodiscard]] thread_place& here() { return places_[*running_]; }
  [[nodiscard]] logged_message& message(std::uint64_t number);
  void note_type(std::uint64_t actor, const detail::behavior_type* type);
  template <class F>
  void with_memory(F what) noexcept;

  struct actor_name {
    unsigned number = 0;
    std::string name;
  };

  std::shared_ptr<run_log> itself_;  // until the engine is made
  const simulation* of_ = nullptr;
  const unsigned* running_ = nullptr;
  std::vector<logged_step> steps_;
  std::vector<logged_message> messages_;
  std::unordered_map<unsigned, thread_place> places_;
  std::unordered_map<unsigned, std::string> threads_;
  std::unordered_map<std::uint64_t, actor_name> actors_;
  std::optional<std::size_t> failure_;
  std::string failure_text_;
  bool is_incomplete_ = false;
  std::uint64_t last_id_ = 0;
};

}  // namespace tact::inspect
