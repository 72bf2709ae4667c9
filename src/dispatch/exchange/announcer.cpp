#include "dispatch/exchange/announcer.hpp"

namespace tact::dispatch {

void announcer::announce_offices() noexcept {
  for (const auto& o : mail_.offices()) {
    if (o->word.eligible()) announce(*o);
  }
}

void announcer::call_watch(std::uint32_t near) noexcept {
  const unsigned running = numbers_.running();
  if (const auto other = idle_.next_after(near)) {
    workers_[*other]->wake();
  } else if (running < numbers_.threads()) {
    workers_[running]->wake();
  }
}

}  // namespace tact::dispatch
