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
  const std::uint32_t worker = s.owner.load();
  owner_.workers()[worker]->wake();
  if (idle_.any()) see_to_it(worker);
}

inline void announcer::announce(const mailbox::office& o) noexcept {
  if (owner_.pump() != nullptr) return owner_.pump()->announce();
  const unsigned worker = owner_of_office(o.index);
  owner_.workers()[worker]->wake();
  if (idle_.any()) see_to_it(worker);
}

inline void announcer::announce_outbox(std::uint32_t outbox) noexcept {
  communal_mailbox& mail = owner_.mail();
  mail.is_office(outbox) ? announce(mail.office_of_outbox(outbox)) : announce(mail.shard_at(outbox));
}

inline unsigned announcer::owner_of_office(std::uint32_t index) const noexcept { return index % owner_.running(); }

inline bool announcer::any_office_eligible(unsigned worker) const noexcept {
  const auto& offices = owner_.mail().offices();
  for (std::size_t o = worker; o < offices.size(); o += owner_.running()) {
    if (offices[o]->word.eligible()) return true;
  }
  return false;
}

inline bool announcer::all_idle() const noexcept { return idle_.count() >= owner_.running(); }

inline bool announcer::take_watch() noexcept {
  return owner_.stealing().steals() && !all_idle() && !watch_.load() && !watch_.exchange(true);
}

}  // namespace tact::dispatch
