// A thread of an engine: of the operating system, or of the simulation in which the engine was made.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "sync/system.hpp"

namespace tact::sync {

// Thread safety: start and join as std::thread.
class thread {
 public:
  // `name` is for the trace of a simulation. Throws std::system_error when the system gives no thread.
  void start(const std::string& name, std::function<void()> body) {
    if (system* const s = system::current()) {
      number_ = s->start(name, std::move(body));
      in_ = s;
    } else {
      real_ = std::thread(std::move(body));
    }
  }
  void join() noexcept {
    if (in_ != nullptr) {
      std::exchange(in_, nullptr)->join(number_);
    } else if (real_.joinable()) {
      real_.join();
    }
  }

 private:
  std::thread real_;
  system* in_ = nullptr;
  unsigned number_ = 0;
};

}  // namespace tact::sync
