// A thread of an engine: of the operating system, or of the simulation in which the engine was made.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "sync/system.hpp"

namespace tact::sync {

// Thread safety: start and join as std::thread.
class thread {
 public:
  // `name` is shown in the trace of a simulation, and behind "tact-" by debuggers and tools, which show 15 characters:
  // "worker 3" is "tact-worker 3" there. Throws std::system_error when the system gives no thread.
  void start(const std::string& name, std::function<void()> body) {
    if (system* const s = system::current()) {
      number_ = s->start(name, std::move(body));
      in_ = s;
    } else {
      real_ = std::thread(std::move(body));
      ::pthread_setname_np(real_.native_handle(), short_name(name).c_str());
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
  // The system takes 15 characters. A longer name loses characters in front of the number at its end, which stays.
  static std::string short_name(const std::string& name) {
    constexpr std::size_t size_max = 15;
    std::string text = "tact-" + name;
    if (text.size() > size_max)
      text.erase(std::min(text.rfind(' '), size_max) - (text.size() - size_max), text.size() - size_max);
    return text.substr(0, size_max);
  }

  std::thread real_;
  system* in_ = nullptr;
  unsigned number_ = 0;
};

}  // namespace tact::sync
