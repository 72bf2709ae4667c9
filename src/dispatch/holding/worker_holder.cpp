#include "dispatch/holding/worker_holder.hpp"

namespace tact::dispatch {

template class shard_taker<worker_context>;
template class joiner<worker_context>;
template class office_dealer<worker_context>;
template class holder<worker_context>;

}  // namespace tact::dispatch
