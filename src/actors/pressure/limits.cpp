#include "actors/pressure/limits.hpp"

#include "actors/pressure/limited_mailbox.hpp"

namespace tact::actors {

using mailbox::envelope;

void limits::open() noexcept {
  if (!outside_) return;
  brought_.open(of_engine, {outside_.messages, outside_.bytes});
  look_at_all();
}

void limits::count_refused(port to) noexcept {
  refused_.fetch_add(1);
  (mailbox::route_of(to).is_limited() ? mailbox_of(cell_of(to)).space : brought_).count_refused();
}

void limits::leave_counters(envelope& e) noexcept {
  const std::uint64_t admissions = e.admissions();
  e.forget_admissions();
  leave_counters(e.target(), admissions, e.type().bytes());
}

void limits::leave_counters(port to, std::uint64_t admissions, std::uint64_t bytes) noexcept {
  bool waits = false;
  if ((admissions & envelope::in_mailbox) != 0) waits = mailbox_of(cell_of(to)).space.leave(bytes);
  if ((admissions & envelope::brought) != 0) waits = brought_.leave(bytes) || waits;
  if (waits) tell_of_room();
}

void limits::tell_of_room() noexcept {
  workers_.pump() != nullptr ? workers_.quiet_event().notify() : room_made_.notify();
}

}  // namespace tact::actors
