#include "actors/core.hpp"

#include <algorithm>
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
#include "base/system_blocks.hpp"
#include "mailbox/chunk_memory.hpp"
#include "sync/system.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using mailbox::envelope;

core::core(const engine_options& options)
    : options_(actors::completed(options)),
      seating_(options_),
      pages_(options_.memory),
      cells_(identity_.gate(), pages_.binder()),
      letters_(options_.dead_letters_kept, options_.on_dead_letter),
      reports_(options_),
      parked_{{options_.ask_stack_bytes, actors::lane_stacks::shared_spare_kept}},
      disposed_{parked_.pins, cells_},
      timed_(*this, identity_.gate(), pages_.binder()),
      dispatcher_(seating_.plan(),
                  {options_.shards, options_.heavy_shards, options_.blocking_max, options_.helpers_max},
                  options_.victims, options_.workers, options_.workers_rest, pages_.binder()),
      creations_(*this),
      limits_(*this),
      burial_(*this, letters_),
      intake_(*this),
      loops_(*this),
      shutdown_(*this) {
  base::fill_block_reserve();
  mailbox::fill_chunk_reserve(pages_.binder());
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

void core::look_whether_left_behind(const char* call) const noexcept { dispatcher_.look_whether_left_behind(call); }

}  // namespace tact::detail
