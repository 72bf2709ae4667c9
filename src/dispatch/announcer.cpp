#include "dispatch/announcer.hpp"

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

void announcer::announce_offices() noexcept {
  for (const auto& o : owner_.mail().offices()) {
    if (o->word.eligible()) announce(*o);
  }
}

void announcer::see_to_it(std::uint32_t worker) noexcept {
  if (!owner_.stealing().steals() || has_watch() || idle_.has(worker)) return;
  if (const auto other = idle_.next_after(worker)) owner_.workers()[*other]->wake();
}

}  // namespace tact::dispatch
