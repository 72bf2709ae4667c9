// The functions of the announcer that are inlined: which worker is told of a shard or an office, and is woken.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dispatch/announcer.hpp"
#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

inline void announcer::announce(const mailbox::shard& s) noexcept {
  if (owner_.mail().is_blocking(s.number)) return owner_.homes().wake(s.number);
  if (owner_.pump() != nullptr) return owner_.pump()->announce();
  wake_owner(s.owner.load());
}

inline void announcer::announce(const mailbox::office& o) noexcept {
  if (owner_.pump() != nullptr) return owner_.pump()->announce();
  wake_owner(owner_of_office(o.index));
}

// The look comes before the wake: a worker that was idle, and is busy a moment later, is busy with what is announced.
inline void announcer::wake_owner(std::uint32_t worker) noexcept {
  const bool lacks_watch = can_watch() && is_busy_beside_idle(worker);
  owner_.workers()[worker]->wake();
  if (lacks_watch) call_watch(worker);
}

inline void announcer::announce_outbox(std::uint32_t outbox) noexcept {
  communal_mailbox& mail = owner_.mail();
  mail.is_office(outbox) ? announce(mail.office_of_outbox(outbox)) : announce(mail.shard_at(outbox));
}

inline unsigned announcer::owner_of_office(std::uint32_t index) const noexcept { return index % owner_.running(); }

inline bool announcer::any_office_eligible(unsigned worker) const noexcept {
  const auto& offices = owner_.mail().offices();
  const unsigned running = owner_.running();
  for (std::size_t o = worker; worker < running && o < offices.size(); o += running) {
    if (offices[o]->word.eligible()) return true;
  }
  return false;
}

// A worker that is to rest may be in the set still, and does not count.
inline bool announcer::all_idle() const noexcept { return idle_.are_all(owner_.running()); }

inline bool announcer::can_watch() const noexcept {
  return owner_.stealing().victims() != nullptr && owner_.threads_of_workers() > 1 && !watch_.load();
}

inline bool announcer::take_watch() noexcept { return can_watch() && !all_idle() && !watch_.exchange(true); }

}  // namespace tact::dispatch
