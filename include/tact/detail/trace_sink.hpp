// What an engine tells of its steps while they are recorded. The library tact-inspect keeps them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "tact/detail/core.hpp"

namespace tact::detail {

// A step of a run, or of a thread outside.
enum class trace_step : unsigned char {
  sent,      // a handler has staged the message, or a thread outside has sent it
  caused,    // a message that is sent next by a thread outside comes of this one
  begun,     // a thread begins to handle the message
  waits,     // the handler of the message waits for an answer on a stack of its own
  goes_on,   // it goes on behind its wait
  undone,    // what the handler has staged up to now takes no effect: it has collided or failed, or was rehearsed
  created,   // the handler has staged the creation of the actor
  became,    // it has staged a become
  stopped,   // it has staged the end of its actor
  over,      // the thread is done with the message: see trace_outcome
  unserved,  // no handler will get the message: it is a dead letter
  marked,    // the user's text, in a handler
};

// What became of a message.
enum class trace_outcome : unsigned char {
  none,
  committed,
  failed,     // its handler has thrown an exception
  forwarded,  // it goes to the home shard of its actor, to be run there
  put_aside,  // its actor waits for an answer, or rests
  dead,       // it has become a dead letter
  waits,      // its handler waits for an answer
};

struct trace_note {
  trace_step step = trace_step::sent;
  trace_outcome outcome = trace_outcome::none;
  unsigned char reason = 0;  // the failure_reason of an unserved message
  std::uint64_t id = 0;      // of the message; see trace_track
  port actor = 0;            // the target of the message, or the actor that is created
  const message_type* message = nullptr;
  const behavior_type* actor_type = nullptr;  // null: not known
  std::string_view text{};
  bool follows = false;  // of begun: since its last step the thread has done nothing else
};

// Numbers of messages have so many bits. 0: the message has none.
inline constexpr unsigned trace_id_bits = 55;

// Where one thread that runs handlers tells its steps. Thread safety: that thread.
class trace_track {
 public:
  explicit trace_track(std::uint64_t first) noexcept : last_id_(first) {}
  trace_track(const trace_track&) = delete;
  trace_track& operator=(const trace_track&) = delete;
  virtual ~trace_track() = default;

  virtual void write(const trace_note&) noexcept = 0;
  // A message without a number is about to be handled. True: it gets one, and what comes of it is recorded.
  [[nodiscard]] virtual bool takes_root() noexcept = 0;
  // A number for a message, which no other message has that is recorded at the time.
  [[nodiscard]] std::uint64_t next_id() noexcept { return ++last_id_; }

 private:
  std::uint64_t last_id_;
};

// Thread safety: any thread. Lives as long as the engine to which it was given.
class trace_sink {
 public:
  trace_sink() = default;
  trace_sink(const trace_sink&) = delete;
  trace_sink& operator=(const trace_sink&) = delete;
  virtual ~trace_sink() = default;

  // Steps are to be told.
  // relaxed: hint; a step more or less is recorded at a switch.
  [[nodiscard]] bool is_on() const noexcept { return is_on_.load(std::memory_order_relaxed); }
  // Called by a thread that runs handlers, before its first step. `thread` names it. Null: its steps are not recorded.
  [[nodiscard]] virtual trace_track* open(std::string_view thread) noexcept = 0;
  // A thread that runs no handler sends a message that comes of the message `cause`, or of none if that is 0. Returns
  // the number of the message; 0: it gets none.
  [[nodiscard]] virtual std::uint64_t send(port to, const message_type& message, const behavior_type* actor_type,
                                           std::uint64_t cause) noexcept = 0;
  // A message that was sent so has no handler.
  virtual void bury(const trace_note&) noexcept = 0;

 protected:
  // relaxed: hint, as above.
  void switch_on(bool whether) noexcept { is_on_.store(whether, std::memory_order_relaxed); }

 private:
  std::atomic<bool> is_on_{false};
};

// From now on the engine tells its steps to this sink, whenever that is on. Throws tact::usage_error when the engine
// has a sink already.
void record_steps(core&, std::shared_ptr<trace_sink>);
// The calling thread belongs to a simulation, so its time is virtual.
[[nodiscard]] bool is_simulated() noexcept;

}  // namespace tact::detail
