// Apart from the header: the library's namespace of actors and the users' class of that name do not meet.
#include "actor/run.hpp"
#include "actor/this_thread.hpp"

namespace tact::support {

dispatch::dispatcher& dispatcher_of_this_worker() { return actor::this_thread::worker()->engine().workers(); }

}  // namespace tact::support
