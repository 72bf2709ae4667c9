#include "actors/engine/core.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "actors/engine/options.hpp"
#include "actors/engine/process_engines.hpp"
#include "actors/run/transactor.hpp"
#include "base/reserve.hpp"
#include "base/system_blocks.hpp"
#include "mailbox/chunk_memory.hpp"
#include "sync/system.hpp"

namespace tact::detail {

using actors::cell;

core::core(const engine_options& options)
    : options_(actors::completed(options)),
      seating_(options_),
      pages_(options_.memory),
      cells_(identity_.gate(), pages_.binder()),
      letters_(options_.dead_letters_kept, options_.on_dead_letter),
      reports_(options_),
      parked_{{options_.ask_stack_bytes, actors::lane_stacks::shared_spare_kept}},
      disposed_{parked_.pins, cells_},
      timed_(identity_, dispatcher_, seating_, limits_, intake_, burial_, pages_.binder()),
      census_({runs_, dispatcher_, outside_, options_, seating_, pages_, limits_, cells_, timed_, parked_}),
      dispatcher_(seating_.plan(),
                  {options_.shards, options_.heavy_shards, options_.blocking_max, options_.helpers_max},
                  options_.victims, options_.workers, options_.workers_rest, pages_.binder()),
      creations_(dispatcher_, cells_, identity_, outside_, options_.blocking_max),
      limits_(options_.outside_limit, dispatcher_),
      burial_(letters_, limits_, outside_, dispatcher_, reports_, phase_, recorded_, {identity_, guests_}),
      intake_(dispatcher_, limits_, burial_, outside_, phase_, recorded_, {identity_, guests_}),
      loop_places_(dispatcher_, cells_, {identity_, guests_}, options_.blocking_max),
      waits_(options_, dispatcher_, guests_, phase_, census_),
      sweep_(dispatcher_, cells_, burial_, census_, outside_, classic_watches_, options_.report_alive,
             [this](cell& waiting, mailbox::copy_queue& left) { first_->end_wait(waiting, left); }),
      shutdown_({options_,
                 dispatcher_,
                 {identity_, guests_},
                 phase_,
                 limits_,
                 timed_,
                 reports_,
                 outside_,
                 census_,
                 waits_,
                 sweep_}) {
  base::fill_block_reserve();
  mailbox::fill_chunk_reserve(pages_.binder());
  actors::note_engine(identity_, shutdown_);
  try {
    dispatcher_.start([this](dispatch::worker_context& d) { return make_transactor(d); },
                      [this] { loop_places_.call(options_.on_wake); });
  } catch (...) {
    actors::forget_engine(identity_);
    throw;
  }
  limits_.open();
  identity_.gate().open(*this);
}

std::unique_ptr<actors::transactor> core::make_transactor(dispatch::worker_context& d) {
  auto made = std::make_unique<actors::transactor>(
      actors::transactor::surroundings{*this, runs_, options_, identity_, dispatcher_, cells_, seating_, reports_,
                                       parked_, disposed_, phase_, classic_watches_, timed_, creations_, limits_,
                                       burial_, census_, recorded_},
      d);
  if (d.is_worker() && d.index() == 0) first_ = made.get();
  return made;
}

// A thread that joins the roll a moment later looks for the sink behind that.
bool core::record(std::shared_ptr<trace_sink> to) noexcept {
  if (!recorded_.set(std::move(to))) return false;
  runs_.for_each([](const actors::run_state& r) { r.watched().begin(); });
  limits_.look_at_all();
  return true;
}

core::~core() {
  if (sync::system* const s = sync::system::current()) s->hear(census_.read_statistics());
  actors::forget_engine(identity_);
}

void core::look_whether_left_behind(const char* call) const noexcept { dispatcher_.look_whether_left_behind(call); }

}  // namespace tact::detail
