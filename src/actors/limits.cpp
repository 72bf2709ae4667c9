#include "actors/limits.hpp"

#include "actors/core.hpp"
#include "actors/metadata.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using actors::limited_mailbox;
using mailbox::envelope;

void limits::open() noexcept {
  const mailbox_limit& most = engine_.options().outside_limit;
  if (!most) return;
  brought_.open(of_engine, {most.messages, most.bytes});
  looked_at_from_ = 0;
}

void limits::close_mailbox(cell& c) noexcept {
  limited_mailbox& m = actors::mailbox_of(c);
  if (m.space.close()) tell_of_room();
  m.kept.close();
  while (const auto left = m.kept.take_left()) engine_.burial().bury(*left, failure_reason::engine_ended);
}

void limits::count_refused(port to) noexcept {
  refused_.fetch_add(1);
  (mailbox::route_of(to).is_counted() ? actors::mailbox_of(cell_of(to)).space : brought_).count_refused();
}

void limits::leave_counters(envelope& e) noexcept {
  const std::uint64_t admissions = e.admissions();
  e.forget_admissions();
  leave_counters(e.target(), admissions, e.type().bytes());
}

void limits::leave_counters(port to, std::uint64_t admissions, std::uint64_t bytes) noexcept {
  bool waits = false;
  if ((admissions & envelope::in_mailbox) != 0) waits = actors::mailbox_of(cell_of(to)).space.leave(bytes);
  if ((admissions & envelope::brought) != 0) waits = brought_.leave(bytes) || waits;
  if (waits) tell_of_room();
}

void limits::tell_of_room() noexcept {
  engine_.workers().pump() != nullptr ? engine_.workers().quiet_event().notify() : room_made_.notify();
}

}  // namespace tact::detail
