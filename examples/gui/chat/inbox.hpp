// The inbox of a window: an actor that makes lines of what comes from the room. A brake stops it in its handler.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <tact/tact.hpp>

#include "room.hpp"

namespace chat {

// While it is on, handlers that come to it stand still. Thread safety: any thread.
class brake {
 public:
  void set(bool on) {
    const std::lock_guard lock(mutex_);
    on_ = on;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !on_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool on_ = false;
};

struct line {
  std::string text;
};
struct display : tact::protocol<line, roster> {};

// For a place of its own, tact::blocking: a handler that stands still then stops no other actor. As an ordered actor it
// would keep a worker with all that waits there; as a heavy one it would keep only a worker, of which there are few.
inline tact::behavior<inbox> make_inbox(std::shared_ptr<brake> b, tact::ref<display> shown) {
  return {
      [=](tact::self<inbox>& self, const said& m) {
        b->wait();
        self.send(shown, line{m.from + ": " + m.text});
      },
      [=](tact::self<inbox>& self, const roster& m) {
        b->wait();
        self.send(shown, m);
      },
      [](tact::self<inbox>& self, const farewell&) { self.stop(); },
  };
}

}  // namespace chat
