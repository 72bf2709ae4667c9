#include "dispatch/visitors/helper_places.hpp"

namespace tact::dispatch {

helper_places::helper_places(exchange& between, unsigned count) : exchange_(between) {
  places_.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    places_.push_back(std::make_unique<helper>(between, between.worker_count() + 1 + i));
  }
}

void helper_places::prepare(const std::function<std::unique_ptr<runner>(worker_context&)>& make_runner) {
  for (const auto& place : places_) place->prepare(make_runner(*place));
}

void helper_places::trim() noexcept {
  for (const auto& place : places_) {
    if (!place->try_enter()) continue;
    place->trim();
    place->leave();
  }
}

}  // namespace tact::dispatch
