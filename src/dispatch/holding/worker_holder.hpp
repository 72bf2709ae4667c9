// The four layers of a holder of shards on a worker context, instantiated once.
#pragma once

#include "dispatch/holding/holder.hpp"
#include "dispatch/holding/worker_context.hpp"

namespace tact::dispatch {

extern template class shard_taker<worker_context>;
extern template class joiner<worker_context>;
extern template class office_dealer<worker_context>;
extern template class holder<worker_context>;

}  // namespace tact::dispatch
