// The engine of a program with a window: while its workers keep all processors busy the window's thread still runs at
// once when something comes for it.
#pragma once

#include <memory>

#include <tact/tact.hpp>

namespace loudness {

// Made and destroyed by the window's thread, before the loop and after it. Finishes what goes on when it is destroyed.
class window_engine {
 public:
  window_engine();
  window_engine(const window_engine&) = delete;
  window_engine& operator=(const window_engine&) = delete;
  ~window_engine() { engine_->drain(); }

  tact::engine& operator*() const noexcept { return *engine_; }

 private:
  std::unique_ptr<tact::engine> engine_;
};

}  // namespace loudness
