#include "actors/core.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

#include "actors/census.hpp"
#include "actors/end_notices.hpp"
#include "actors/ends.hpp"
#include "actors/failures.hpp"
#include "actors/metadata.hpp"
#include "actors/options.hpp"
#include "actors/transactor.hpp"
#include "actors/visit.hpp"
#include "base/reserve.hpp"
#include "mailbox/chunk_memory.hpp"
#include "sync/system.hpp"
#include "topology/plan.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

namespace {

placement_plan plan_for(const engine_options& options) {
  placement_plan made;
  if (options.workers == 0) return made;  // it runs on threads of the user, which need no seats
  const sync::system* const s = sync::system::current();
  if (s == nullptr) return topology::plan(options.workers, options.workers_max, options.pin_workers);
  if (!s->machine().empty()) {
    const std::vector<topology::unit> units = topology::described_units(std::string(s->machine()));
    return topology::plan(units, options.workers, options.workers_max, options.pin_workers);
  }
  // In a simulation nothing depends on the machine: each worker has a core for itself, and all share a cache.
  for (unsigned i = 0; i < options.workers_max; ++i) made.seats.push_back({.processing_unit = i, .core = i});
  return made;
}

}  // namespace

core::core(const engine_options& options)
    : options_(actors::completed(options)),
      plan_(plan_for(options_)),
      cells_(identity_.gate()),
      letters_(options_.dead_letters_kept, options_.on_dead_letter),
      reports_(options_),
      stacks_(options_.ask_stack_bytes, actors::lane_stacks::shared_spare_kept),
      timed_(*this, dispatcher_, identity_.gate()),
      dispatcher_(plan_, {options_.shards, options_.heavy_shards, options_.blocking_max, options_.helpers_max},
                  options_.victims, options_.workers),
      creations_(*this),
      limits_(*this),
      burial_(*this, letters_),
      intake_(*this),
      loops_(*this),
      shutdown_(*this) {
  base::fill_block_reserve();
  mailbox::fill_chunk_reserve();
  actors::note_engine(*this);
  try {
    dispatcher_.start([this](dispatch::worker_context& d) { return std::make_unique<transactor>(*this, d); },
                      [this] { loops_.call(options_.on_wake); });
  } catch (...) {
    actors::forget_engine(*this);
    throw;
  }
  limits_.open();
  identity_.gate().open(*this);
}

core::~core() {
  if (sync::system* const s = sync::system::current()) s->hear(census(*this).read_statistics());
  actors::forget_engine(*this);
}

void core::seat_worker(unsigned worker) noexcept {
  if (!plan_.pinned) return;
  if (sync::system* const s = sync::system::current()) return s->seat(&plan_.seats[worker].processing_unit);
  if (topology::pin_this_thread(plan_.seats[worker]) || pinning_refused_.exchange(true)) return;
  std::fputs(
      "tact: the system does not let a worker stay on its processing unit (engine_options.pin_workers); the engine "
      "goes "
      "on with workers that move\n",
      stderr);
}

void core::seat_nowhere() const noexcept {
  if (!plan_.pinned) return;
  if (sync::system* const s = sync::system::current()) return s->seat(nullptr);
  topology::unpin_this_thread();
}

void core::look_whether_left_behind(const char* call) const noexcept { dispatcher_.look_whether_left_behind(call); }

}  // namespace tact::detail
