// What an engine tells of its steps while they are recorded. The library tact-inspect keeps them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/core.hpp"

namespace tact {
struct thread_description;
}

namespace tact::detail {

class members;

// A step of a run, or of a thread outside.
enum class trace_step : unsigned char {
  sent,       // a handler has staged the message, or a thread outside has sent it
  caused,     // a message that is sent next by a thread outside comes of this one
  begun,      // a thread begins to handle the message
  waits,      // the handler of the message waits for an answer on a stack of its own
  goes_on,    // it goes on behind its wait
  undone,     // what the handler has staged up to now takes no effect: it has collided or failed, or was rehearsed
  created,    // the handler has staged the creation of the actor
  became,     // it has staged a become
  stopped,    // it has staged the end of its actor
  over,       // the thread is done with the message: see trace_outcome
  unserved,   // no handler will get the message: it is a dead letter
  marked,     // the user's text, in a handler
  parked,     // the thread has nothing to do, and sleeps
  woke,       // it has slept
  stole,      // it has taken a shard from another thread
  restarted,  // the actor is made anew, because its handler has thrown
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
  port customer = 0;  // of a message that begins: of the ask to which it belongs, if that is open; else 0
};

// Numbers of messages have so many bits. 0: the message has none.
inline constexpr unsigned trace_id_bits = 55;
// A number with this bit is that of a sample: its way is measured, and its steps are not recorded.
inline constexpr std::uint64_t trace_sample_bit = std::uint64_t{1} << (trace_id_bits - 1);

// Where one thread that runs handlers tells its steps. Thread safety: that thread.
class trace_track {
 public:
  trace_track() = default;
  trace_track(const trace_track&) = delete;
  trace_track& operator=(const trace_track&) = delete;
  virtual ~trace_track() = default;

  // The thread begins to handle the message `n`, which may have a number. Returns the number as which its handler is
  // observed: what that does is told. 0: it is not observed.
  [[nodiscard]] virtual std::uint64_t begin(const trace_note& n) noexcept = 0;
  // The observed handler stages the message `n`. Returns its number; 0: it gets none.
  [[nodiscard]] virtual std::uint64_t send(const trace_note& n) noexcept = 0;
  // All other steps of an observed handler, and those of messages that have a number.
  virtual void write(const trace_note&) noexcept = 0;
  // The message that begins next is a sample, and stands for so many that the thread has handled.
  virtual void sample_next(std::uint64_t stands_for) noexcept = 0;
  // Since the last step the thread may have done something else than to handle messages.
  virtual void pause() noexcept = 0;
  // A message with a number has come to its handler, an actor of that type.
  virtual void arrive(std::uint64_t id, const behavior_type& at) noexcept = 0;
  // The observed handler commits, and has put off the answer for this customer.
  virtual void defer(port) noexcept {}
};

// Thread safety: any thread. Lives as long as the engine to which it was given.
class trace_sink {
 public:
  trace_sink() = default;
  trace_sink(const trace_sink&) = delete;
  trace_sink& operator=(const trace_sink&) = delete;
  virtual ~trace_sink() = default;

  // Every message is shown to a track, and those that threads outside send are shown to the sink.
  // relaxed: hint; a step more or less is told at a switch.
  [[nodiscard]] bool sees_all() const noexcept { return sees_all_.load(std::memory_order_relaxed); }
  // Now and then a message is shown.
  // relaxed: hint, as above.
  [[nodiscard]] bool sees_samples() const noexcept { return sees_samples_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool is_on() const noexcept { return sees_all() || sees_samples(); }

  // Called by a thread that runs handlers, before its first step. `thread` names it. Null: its steps are not told.
  [[nodiscard]] virtual trace_track* open(std::string_view thread) noexcept = 0;
  // A thread that runs no handler sends a message that comes of the message `cause`, or of none if that is 0. Returns
  // the number of the message; 0: it gets none.
  [[nodiscard]] virtual std::uint64_t send(port to, const message_type& message, const behavior_type* actor_type,
                                           std::uint64_t cause) noexcept = 0;
  // A message that was sent so has no handler.
  virtual void bury(const trace_note&) noexcept = 0;
  // The ask with this customer is over, and was not answered: the customer is told of a failure, or has given up.
  virtual void give_up(port) noexcept {}

 protected:
  // relaxed: hint, as above.
  void see_all(bool whether) noexcept { sees_all_.store(whether, std::memory_order_relaxed); }
  // relaxed: hint, as above.
  void see_samples(bool whether) noexcept { sees_samples_.store(whether, std::memory_order_relaxed); }

 private:
  std::atomic<bool> sees_all_{false};
  std::atomic<bool> sees_samples_{false};
};

// From now on the engine tells its steps to this sink, whenever that is on. False: it has a sink already, which stays.
[[nodiscard]] bool record_steps(core&, std::shared_ptr<trace_sink>);
// The sink of the engine; null: it has none.
[[nodiscard]] trace_sink* recorded_by(core&) noexcept;
// What each thread that runs handlers is at: see tact::engine_description.
[[nodiscard]] std::vector<thread_description> describe_threads(core&);
// The members of a scope that are left at this moment, in the scopes inside too.
[[nodiscard]] std::vector<port> list_members(const members&);
// Is the actor there still? It may be one of any engine.
[[nodiscard]] bool is_alive(port) noexcept;
// The name of the actor for people: what a ref prints, behind the name that it was given. Throws std::bad_alloc.
[[nodiscard]] std::string read_name(port);
// The calling thread belongs to a simulation, so its time is virtual.
[[nodiscard]] bool is_simulated() noexcept;

}  // namespace tact::detail
