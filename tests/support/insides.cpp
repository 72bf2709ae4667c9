// Apart from the header: the library's namespace of actors and the users' class of that name do not meet.
#include "actor/this_thread.hpp"
#include "actor/transactor.hpp"

namespace tact::support {

dispatch::dispatcher& dispatcher_of_this_worker() { return detail::transactor::of(*actor::this_thread::worker()).engine().workers(); }

}  // namespace tact::support
