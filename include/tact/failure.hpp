// How failure is reported: to the asker, to the engine's failure handler, and as dead letters.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/type_key.hpp"

namespace tact {

enum class failure_reason : unsigned char {
  handler_threw,      // the handler ended with an exception
  target_ended,       // the actor had ended, or never was
  engine_ended,       // the engine ended before the message was handled
  unanswered,         // the request was handled, but not answered, passed on or deferred; or its timer was cancelled
  answered_already,   // a one-shot customer got a second answer, or an asker had given up
  timed_out,          // the time limit of the request has passed, or the deadline of the context in which it was asked
  waits_in_circle,    // handlers wait for each other in a circle; the one that closes it is told, in debug builds
  failure_not_heard,  // a failure notice reached an actor that does not handle tact::failure
  mailbox_full,       // there was no room: a tact::mailbox_limit, or engine_options::outside_limit
  cancelled,          // a flag of the context in which it was asked is set
  out_of_memory,      // there was no memory to put the message aside while the actor's handler waits for an answer
};

// The reason in words: "target ended".
std::string_view to_string(failure_reason) noexcept;
std::ostream& operator<<(std::ostream&, failure_reason);

// How many bytes the text of a failure has at most: what() of an ask_error, and each cause. Of a longer text the middle
// is left out, because its beginning says where it failed last, and its end where it failed first.
inline constexpr std::size_t failure_text_max = 1024;
// How many causes a failure has at most.
inline constexpr std::size_t failure_causes_max = 16;

// The message by which a customer hears that its request will not be answered.
struct failure {
  failure_reason reason = failure_reason::handler_threw;
  // The exception's what(), or a sentence; with nested exceptions "outer: inner: innermost". In a chain of handlers
  // that ask each other and do not catch, every one tells the same text: "ask: handler threw: " and what the first of
  // them threw.
  std::string what{};
  // The what() of the exception and of each exception nested in it (std::throw_with_nested), outermost first. When
  // there are too many, it has the first ones and the innermost. Empty when no exception was thrown.
  std::vector<std::string> causes{};
};
// Prints "handler threw: negative amount".
std::ostream& operator<<(std::ostream&, const failure&);

// Thrown in the place of an answer, when none will come: by engine.ask and self.ask, by co_await engine.ask_async, and
// by the get of a future. Without memory for its texts it has the reason only, and what() is to_string(reason()).
class [[gnu::visibility("default")]] ask_error : public std::runtime_error {
 public:
  explicit ask_error(const failure& f);
  [[nodiscard]] const char* what() const noexcept override;
  [[nodiscard]] failure_reason reason() const noexcept { return reason_; }
  // The causes, as in failure::causes.
  [[nodiscard]] const std::vector<std::string>& causes() const noexcept;

 private:
  struct texts;
  static std::shared_ptr<const texts> texts_of(const failure& f) noexcept;

  failure_reason reason_;
  std::shared_ptr<const texts> texts_;  // shared, so that copying the exception does not throw; null: no memory
};

// Thrown by a call that is not allowed where it was made; what() names the call to use instead.
class [[gnu::visibility("default")]] usage_error : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// Says what becomes of an actor whose handler threw.
enum class failure_policy : unsigned char {
  go_on,    // the message is consumed, the actor stays as it was
  end,      // the actor ends
  restart,  // the actor is made anew in its place, by what tact::restarting or tact::restartable gave; else it ends
};
std::ostream& operator<<(std::ostream&, failure_policy);

// How often one message is handled at most when a rule lets it be handled again.
inline constexpr unsigned attempts_max = 15;

// The report of a handler that threw.
struct failure_report {
  std::string_view actor{};           // protocol or class
  std::string_view message{};         // message type
  std::string what{};                 // as failure::what
  bool actor_ends = false;            // the rule ends it (failure_rule)
  std::string name{};                 // of the actor (tact::named); empty if it has none
  std::vector<std::string> causes{};  // as failure::causes
  bool restarts = false;              // the rule lets the actor be made anew
  std::uint64_t trace = 0;            // the number of the message, if a recorder knows it: see inspect::trace::why
  unsigned attempts = 1;          // how often this message has been handled by now, in vain; 0: there was no message
  const void* handled = nullptr;  // the message; see message_as
  const detail::type_key* handled_type = nullptr;  // of which type it is

  // The message, if it is an M, to look at as long as the call lasts that was given the report; else null. A handler
  // that takes its message by M& may have changed it.
  template <class M>
  [[nodiscard]] const M* message_as() const noexcept {
    const bool is_one = handled_type != nullptr && detail::same_type(*handled_type, detail::key_of_type<M>);
    return is_one ? static_cast<const M*>(handled) : nullptr;
  }
};
// Prints the line that stands on stderr where engine_options has no on_failure: "teller 3 (account) threw while
// handling deposit: negative amount".
std::ostream& operator<<(std::ostream&, const failure_report&);

// A handler whose two runs did not do the same: see engine_options::rehearse.
struct unrepeatable_handler {
  std::string_view actor{};    // protocol
  std::string_view message{};  // message type
  std::string difference{};    // what the second run did and the first did not: "sends 2 messages"
};
std::ostream& operator<<(std::ostream&, const unrepeatable_handler&);

// A message that no handler saw. Printing it says what to do about it.
struct dead_letter {
  std::string target{};        // protocol or class and address, as a ref prints; behind the actor's name if it has one
  std::string_view message{};  // message type
  failure_reason reason = failure_reason::target_ended;
  // The text of the tact::failure that no handler heard, or the reason of the tact::poison_pill that had ended the
  // actor; else empty.
  std::string what{};
  std::vector<std::string> causes{};  // of that tact::failure
  std::chrono::nanoseconds at{0};     // when it became a dead letter: by steady_clock, in a simulation by its clock
  // The number of the message, or of the one whose handler has sent it, if a recorder knows it: inspect::trace::why
  // tells which messages led to it.
  std::uint64_t trace = 0;
};
std::ostream& operator<<(std::ostream&, const dead_letter&);

// How many messages have become dead letters for one reason.
struct dead_letter_count {
  failure_reason reason = failure_reason::target_ended;
  std::uint64_t messages = 0;
};
// Prints "12 messages: target ended".
std::ostream& operator<<(std::ostream&, const dead_letter_count&);

// Messages of one type for actors of one type that an engine's destructor dropped: because its deadline had passed, or
// because the time of their timers had not come.
struct dropped_messages {
  std::string_view actor{};    // protocol or class
  std::string_view message{};  // message type
  std::uint64_t messages = 0;  // how many of them
  std::uint64_t actors = 0;    // for how many actors
  std::string name{};          // of those actors; messages for actors without a name are counted together
  bool were_timed = false;     // they belong to timers that had not fired
};
// Prints "12 deposit for 3 account (teller 1)".
std::ostream& operator<<(std::ostream&, const dropped_messages&);

}  // namespace tact

#include "tact/detail/end.hpp"  // last
