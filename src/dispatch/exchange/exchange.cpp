#include "dispatch/exchange/exchange.hpp"

#include <utility>

namespace tact::dispatch {
namespace {

std::vector<std::unique_ptr<worker_status>> make_status(unsigned workers) {
  std::vector<std::unique_ptr<worker_status>> all;
  all.reserve(workers);
  for (unsigned i = 0; i < workers; ++i) all.push_back(std::make_unique<worker_status>());
  return all;
}

}  // namespace

exchange::exchange(placement_plan plan, extent size, victim_policy victims, unsigned running, base::page_binder bind)
    : plan_(std::move(plan)),
      numbers_(static_cast<unsigned>(plan_.seats.size()),
               running == 0 ? static_cast<unsigned>(plan_.seats.size()) : running),
      status_(make_status(worker_count())),
      epochs_(worker_count() + 1 + size.helpers_max),
      mail_(size, worker_count(), bind),
      waker_(mail_, numbers_, status_, victims != nullptr),
      stealing_(numbers_, status_, std::move(victims), mail_.first_blocking()),
      posting_(mail_, waker_, numbers_, stealing_) {
  // No worker looks at the shards of blocking actors.
  for (std::uint32_t i = 0; i < mail_.first_blocking(); ++i) stealing_.table().deal(i, mail_.shard_at(i));
}

void exchange::on_thread_end() noexcept {
  threads_.look_whether_left_behind("a handler that has forked returns");
  threads_.count_ended();
  quiet_event_.notify();
}

}  // namespace tact::dispatch
