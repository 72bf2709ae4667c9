#include "dispatch/announcer.hpp"

#include "dispatch/dispatcher.hpp"

namespace tact::dispatch {

void announcer::announce_offices() noexcept {
  for (const auto& o : owner_.mail().offices()) {
    if (o->word.eligible()) announce(*o);
  }
}

bool announcer::has_idle() const noexcept { return idle_.any() || owner_.some_rest(); }

bool announcer::is_busy_beside_idle(std::uint32_t worker) const noexcept { return has_idle() && !idle_.has(worker); }

void announcer::call_watch(std::uint32_t near) noexcept {
  const unsigned running = owner_.running();
  if (const auto other = idle_.next_after(near)) {
    owner_.workers()[*other]->wake();
  } else if (running < owner_.threads_of_workers()) {
    owner_.workers()[running]->wake();
  }
}

}  // namespace tact::dispatch
