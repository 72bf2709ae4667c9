#include "dispatch/exchange/waker.hpp"

namespace tact::dispatch {

void waker::announce_offices() noexcept {
  for (const auto& o : mail_.offices()) {
    if (o->word.eligible()) announce(*o);
  }
}

void waker::call_watch(std::uint32_t near) noexcept {
  const unsigned running = numbers_.running();
  if (const auto other = idle_.next_after(near)) {
    status_[*other]->wake();
  } else if (running < numbers_.threads()) {
    status_[running]->wake();
  }
}

}  // namespace tact::dispatch
