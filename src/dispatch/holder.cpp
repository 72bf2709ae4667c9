#include "dispatch/holder.hpp"

#include "dispatch/dispatcher.hpp"
#include "dispatch/holder_join.hpp"
#include "dispatch/holder_office.hpp"
#include "dispatch/holder_run.hpp"

namespace tact::dispatch {

template class holder<worker_context>;

}  // namespace tact::dispatch
