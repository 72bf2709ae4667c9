// Mailboxes that have a limit: what a run sends to them is let in, or lost, at its commit. docs/protocols/pressure.md.
#pragma once

#include "actors/common/names.hpp"
#include "actors/pressure/limited_mailbox.hpp"
#include "actors/pressure/limits.hpp"
#include "actors/sending/core_sender.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/run_state.hpp"

namespace tact::actors {

// Invariant: a message is counted in its mailbox from the moment at which it is let in until its handler begins, or
// until it is buried. A handler never waits for room.
// Thread safety: the thread of the run only.
class admission {
 public:
  admission(run_state& r, router& to, core_sender& n, limits& l) noexcept
      : run_(r), router_(to), core_sender_(n), limits_(l) {}

  // Lets in a message that the run has staged. A message that finds no room is let in all the same, or is lost, as the
  // policy of the mailbox says.
  void let_in(mailbox::envelope& e) noexcept;
  // The handler of this message begins: the message waits no longer, and its context is that of the run.
  void unload(mailbox::envelope& e) noexcept;
  // Puts the message for which the token stands in the token's place. False: the token stands for none any more.
  [[nodiscard]] static bool redeem(mailbox::envelope& token) noexcept;
  // Puts an order to end the actor, ahead of all messages, in the place of the token. False: there is no such order,
  // and the token stays as it is.
  [[nodiscard]] static bool redeem_end(mailbox::envelope& token) noexcept;
  // True: the actor is one of this engine, and orders to end it lie in its mailbox, among its messages.
  [[nodiscard]] bool keeps_ends(port p) const noexcept;
  // The actor has ended: nothing is let in any more, and what waits is lost.
  void close_mailbox(cell& c) noexcept;
  // The actor was never installed: its metadata and its mailbox are given up.
  void tear_up(cell& c) noexcept;

 private:
  [[nodiscard]] static bool replace(mailbox::envelope& token, const std::optional<kept_messages::kept>& first) noexcept;
  void keep(limited_mailbox& m, mailbox::envelope& e, std::uint64_t admissions) noexcept;

  run_state& run_;
  router& router_;
  core_sender& core_sender_;
  limits& limits_;
};

}  // namespace tact::actors
