// The places for threads outside that help while they wait. Protocol page: docs/protocols/helping.md.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/holding/runner.hpp"
#include "dispatch/visitors/helper.hpp"
#include "sync/rundown.hpp"

namespace tact::dispatch {

// Invariant: a thread that helps has a place for itself, and the end of the engine waits until it has left. Thread
// safety: any thread.
class helper_places {
 public:
  // The places' records in the epochs are behind those of the workers and one more.
  helper_places(exchange& between, unsigned count);
  helper_places(const helper_places&) = delete;
  helper_places& operator=(const helper_places&) = delete;

  // REQUIRES: no thread helps yet.
  void prepare(const std::function<std::unique_ptr<runner>(worker_context&)>& make_runner);
  [[nodiscard]] const std::vector<std::unique_ptr<helper>>& all() const noexcept { return places_; }

  // Runs messages that wait, until `reached()`, the engine stops, or nothing waits. Does nothing when all places are
  // taken.
  template <class Reached>
  void help(Reached reached) noexcept;
  // Gives back the memory of all places that no thread has taken.
  void trim() noexcept;

 private:
  exchange& exchange_;
  std::vector<std::unique_ptr<helper>> places_;
  sync::waiting_rundown guests_;
};

template <class Reached>
void helper_places::help(Reached reached) noexcept {
  const sync::rundown<sync::real>::guest inside(guests_);
  for (const auto& place : places_) {
    if (!place->try_enter()) continue;
    const bool is_in = exchange_.enter_to_help();
    if (is_in) place->work(reached);
    place->leave();
    if (is_in) exchange_.leave_helping();
    return;
  }
}

}  // namespace tact::dispatch
