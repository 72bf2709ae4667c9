#include "actors/common/seating.hpp"

#include <string>

#include "sync/reports.hpp"
#include "sync/system.hpp"
#include "topology/pinning.hpp"
#include "topology/plan.hpp"

namespace tact::actors {
namespace {

// The engines whose workers stay on their seats, in this process, or in the model that runs.
sync::atomic<unsigned>& engines_pinned() noexcept {
  static constinit sync::atomic<unsigned> of_process{0};
  sync::system* const s = sync::system::current();
  return s == nullptr ? of_process : s->engines_pinned;
}

bool pays_to_pin(unsigned workers, const sync::system* modelled) {
  if (modelled == nullptr) return topology::pays_to_pin(workers);
  topology::surroundings there;  // a modelled machine is there for one program, which has all of it
  there.units = topology::described_units(std::string(modelled->machine()));
  return topology::pays_to_pin(workers, there);
}

placement_plan plan_for(const engine_options& options, bool pinned) {
  placement_plan made;
  if (options.workers == 0) return made;  // it runs on threads of the user, which need no seats
  const sync::system* const s = sync::system::current();
  if (s == nullptr || !s->machine().empty()) {
    made = s == nullptr ? topology::plan(options.workers, options.workers_max)
                        : topology::plan(topology::described_units(std::string(s->machine())), options.workers,
                                         options.workers_max);
    made.pinned = pinned;
    return made;
  }
  // In a simulation nothing depends on the machine: each worker has a core for itself, and all share a cache.
  for (unsigned i = 0; i < options.workers_max; ++i) made.seats.push_back({.processing_unit = i, .core = i});
  return made;
}

}  // namespace

seating::seating(const engine_options& options, binder how)
    : wish_(options.pin_workers), bind_(how), plan_(plan_for(options, decide(options))), pinned_(plan_.seats.size()) {}

// Also counts the engine, in the same step as it looks whether there is another one: of two that are made at the same
// time only one decides for itself to pin.
bool seating::decide(const engine_options& options) {
  if (wish_ == pinning::off || options.workers == 0) return false;
  const sync::system* const s = sync::system::current();
  if (s != nullptr && s->machine().empty()) return false;
  sync::atomic<unsigned>& count = engines_pinned();
  unsigned none = 0;
  if (wish_ == pinning::on) {
    ++count;
  } else if (!pays_to_pin(options.workers_max, s) || !count.compare_exchange_strong(none, 1)) {
    return false;
  }
  counted_.in = &count;
  return true;
}

void seating::sit_down(unsigned worker) noexcept {
  const bool stays = plan_.pinned && bind(plan_.seats[worker]);
  pinned_[worker].store(stays);
  if (plan_.pinned && !stays) say_refused();
}

bool seating::bind(const seat& at) const noexcept {
  sync::system* const s = sync::system::current();
  if (s == nullptr) return bind_(at);
  s->seat(&at.processing_unit);
  return true;
}

void seating::sit_nowhere() const noexcept {
  if (!plan_.pinned) return;
  if (sync::system* const s = sync::system::current()) return s->seat(nullptr);
  topology::unpin_this_thread();
}

// Nobody has asked for what an engine decides itself, so only the statistics say that it was refused.
void seating::say_refused() noexcept {
  if (refused_.exchange(true) || wish_ != pinning::on) return;
  sync::report(
      "tact: the system does not let a worker stay on its processing unit (engine_options.pin_workers); the engine "
      "goes on with workers that move\n");
}

bool seating::is_pinned(unsigned worker) const noexcept { return worker < pinned_.size() && pinned_[worker].load(); }

unsigned seating::count_pinned(unsigned running) const noexcept {
  unsigned count = 0;
  for (unsigned i = 0; i < running; ++i) {
    if (is_pinned(i)) ++count;
  }
  return count;
}

}  // namespace tact::actors
