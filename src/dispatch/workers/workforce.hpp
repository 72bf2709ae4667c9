// How the threads of workers are started and ended while an engine runs. docs/protocols/worker_change.md.
#pragma once

#include <memory>
#include <vector>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/workers/crew.hpp"
#include "dispatch/workers/running_workers.hpp"
#include "dispatch/workers/worker.hpp"
#include "sync/rundown.hpp"

namespace tact::dispatch {

// All workers that there may be are made with the engine. Invariant: the first ones have a thread. Thread safety: any
// thread that is not a worker's, unless a function says otherwise.
class workforce {
 public:
  workforce(exchange& between, running_workers& running, crew& crew,
            const std::vector<std::unique_ptr<worker>>& workers) noexcept
      : exchange_(between), running_workers_(running), crew_(crew), workers_(workers) {}
  ~workforce() = default;
  workforce(const workforce&) = delete;
  workforce& operator=(const workforce&) = delete;

  // -- from the thread that starts and ends the engine
  // Starts the workers that are to run. Throws std::system_error when the system gives fewer threads: the caller stops
  // the engine and joins, which waits for those that were started.
  void start();
  // Waits until all threads of workers have come to their end. REQUIRES: the engine stops.
  void join() noexcept;

  // From now on `wanted` workers have a thread, at least one, and all of them run. A caller waits while another thread
  // changes the number. Returns when the workers that had to go have ended, and those that came have their share of the
  // shards. Throws std::system_error when the system gives no thread; the workers that have come by then stay. False:
  // the engine stops, and no worker comes any more.
  [[nodiscard]] bool change(unsigned wanted);

 private:
  // False: the engine stops. Throws std::system_error when the system gives no thread.
  [[nodiscard]] bool start_worker(unsigned index);
  [[nodiscard]] bool grow(unsigned wanted);
  void shrink(unsigned wanted);

  exchange& exchange_;
  running_workers& running_workers_;
  crew& crew_;
  const std::vector<std::unique_ptr<worker>>& workers_;
  sync::waiting_rundown guests_;  // for threads that change the number
};

}  // namespace tact::dispatch
