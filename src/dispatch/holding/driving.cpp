#include "dispatch/holding/driving.hpp"

#include "dispatch/holding/worker_context.hpp"

namespace tact::dispatch {

driving::driving(worker_context& driven) noexcept : driven_(driven) {
  driven_.runner().on_start();
  if (!driven_.is_blocking()) driven_.exchange().reclamation().online(driven_.index());
  handled_before_ = driven_.runner().count_handled();
}

driving::~driving() {
  driven_.flush();
  driven_.runner().publish_exactly();
  if (!driven_.is_blocking()) driven_.exchange().reclamation().offline(driven_.index());
  driven_.runner().on_leave();
}

std::uint64_t driving::handled() const noexcept { return driven_.runner().count_handled() - handled_before_; }

}  // namespace tact::dispatch
