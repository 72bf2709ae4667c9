// How messages come into the engine from threads outside of handlers, and from timers.
#pragma once

#include "actors/cells/host.hpp"
#include "actors/common/names.hpp"
#include "actors/common/phase.hpp"
#include "actors/counts/tally.hpp"
#include "actors/intake/burial.hpp"
#include "actors/pressure/limited_mailbox.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/trace/tracing.hpp"
#include "dispatch/dispatcher.hpp"
#include "mailbox/out_of_line_body.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/patience.hpp"
#include "tact/mailbox_limit.hpp"

namespace tact::actors {

// What became of a message from outside. In the first two cases it has been counted as sent.
enum class reception : unsigned char {
  taken,      // it is in its shard, or in its mailbox
  nowhere,    // the target has ended
  refused,    // the engine has ended; the message is counted apart
  elsewhere,  // the target lives in another engine, and nothing was done yet
  // There is no room, and nothing was done yet:
  full,
  late,     // and the time for which the sender waits is over
  dropped,  // and the policy loses the message: the sender does not get it back
};

// Where a message for a parallel actor goes: to a shard that suits the thread and the workers that sleep, or to the
// next one in turn.
enum class shard_choice : unsigned char { suits, next };

// Thread safety: any thread. Invariant: a message is counted as sent before any code of the user can see what became of
// it, so the counters never agree while it is under way.
class intake {
 public:
  intake(dispatch::dispatcher& workers, limits& l, burial& b, outside_tally& counted, const phase& p,
         const tracing& recorded, const host& h) noexcept
      : workers_(workers), limits_(l), burial_(b), counted_(counted), phase_(p), recorded_(recorded), host_(h) {}
  intake(const intake&) = delete;
  intake& operator=(const intake&) = delete;

  // Throws std::bad_alloc: then nothing was sent, and the payload has ended.
  void post(port to, const message_type& type, void* payload, shard_choice shard = shard_choice::suits);
  // As post, but waits for room as `p` says. full: the payload is still the caller's.
  [[nodiscard]] send_result try_post(port to, const message_type& type, void* payload, const patience& p);
  // Do the work of post in two steps. Between them the message has been counted, and no code of the user has run yet. A
  // message that receive_timed has not taken goes to bury_timed; the caller may have moved its payload meanwhile.
  [[nodiscard]] reception receive_timed(port to, const message_type& type, void* payload) noexcept;
  void bury_timed(reception how, port to, const message_type& type, void* payload) noexcept;

 private:
  struct entrance;
  [[nodiscard]] reception receive(port to, const message_type& type, void* payload, shard_choice shard,
                                  const patience& p);
  // `sink`: hears of the message; or null.
  [[nodiscard]] reception receive_apart(const context_node* c, detail::trace_sink* sink, port to,
                                        const message_type& type, void* payload, shard_choice shard);
  [[nodiscard]] bool put_in(port to, const message_type& type, void* payload, shard_choice shard,
                            mailbox::out_of_line_body* apart);
  // put_in as a function of its own, which is not inlined.
  [[nodiscard]] bool put_apart(port to, const message_type& type, void* payload, shard_choice shard,
                               mailbox::out_of_line_body* apart);
  [[nodiscard]] reception refuse(const message_type& type) noexcept;
  void bury_received(reception how, port to, const message_type& type, void* payload) noexcept;

  // Tells the sink, if there is one, that the message is sent, and numbers it.
  static void note_sent(detail::trace_sink* sink, port to, const message_type& type,
                        mailbox::out_of_line_body& p) noexcept;

  // Where limits concern the message, or steps are recorded: limited_intake.cpp.
  [[nodiscard]] reception receive_limited(port to, const message_type& type, void* payload, shard_choice shard,
                                          const patience& p);
  [[nodiscard]] reception receive_unlimited(port to, const message_type& type, void* payload, shard_choice shard);
  void wait_for_room(entrance& e, deadline until) noexcept;
  [[nodiscard]] reception put_admitted(const entrance& e, const message_type& type, void* payload, shard_choice shard);
  [[nodiscard]] reception put_out_of_line(const entrance& e, const message_type& type, mailbox::out_of_line_body& p,
                                          shard_choice shard);
  [[nodiscard]] reception receive_end(limited_mailbox& m, port to, const message_type& type, void* payload);
  [[nodiscard]] reception keep(limited_mailbox& m, const kept_messages::kept& message);
  void send_token(limited_mailbox& m, port to) noexcept;

  dispatch::dispatcher& workers_;
  limits& limits_;
  burial& burial_;
  outside_tally& counted_;
  const phase& phase_;
  const tracing& recorded_;
  const host host_;
};

}  // namespace tact::actors
