// Implements the functions that a tact::loop calls, which may outlive its engine.
#include <functional>
#include <memory>
#include <utility>

#include "actors/cells/own_loops.hpp"
#include "actors/engine/core.hpp"
#include "dispatch/holding/drive_limit.hpp"
#include "sync/reports.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/loops.hpp"
#include "tact/pumped.hpp"

namespace tact::detail {

namespace {

// Keeps the engine of a loop, if it is there still.
class engine_of_loop {
 public:
  explicit engine_of_loop(const loop_place& loop) noexcept;
  engine_of_loop(const engine_of_loop&) = delete;
  engine_of_loop& operator=(const engine_of_loop&) = delete;
  ~engine_of_loop();

  // Null: it has ended.
  [[nodiscard]] core* get() const noexcept { return engine_; }

 private:
  actors::engine_gate& gate_;
  core* engine_;
};

engine_of_loop::engine_of_loop(const loop_place& loop) noexcept
    : gate_(*static_cast<actors::engine_gate*>(loop.gate)), engine_(gate_.enter()) {
  if (engine_ == nullptr || engine_->serial() == loop.engine_serial) return;
  engine_ = nullptr;  // the gate belongs to another engine now
  gate_.leave();
}

engine_of_loop::~engine_of_loop() {
  if (engine_ != nullptr) gate_.leave();
}

bool run_loop(const loop_place& loop, deadline until) noexcept {
  const engine_of_loop engine(loop);
  if (engine.get() == nullptr || engine.get()->is_left_behind()) return true;  // it has ended, or is that of the parent
  return !engine.get()->loop_places().pump(loop.shard, dispatch::drive_limit::unlimited, until).more;
}

}  // namespace

loop_place open_loop(core& engine, std::function<void()> wake) {
  const auto& me = sync::thread_state::of_this_thread();
  if (me.worker != nullptr || me.never_waits) {
    throw usage_error("tact::loop: not on a thread of an engine; make it on the thread that runs the event loop");
  }
  if (!wake) {
    throw usage_error("tact::loop: give it a function that makes the event loop call pump, or nobody would");
  }
  return actors::own_loops::add(
      [&](const std::shared_ptr<actors::loop_bell>& bell) -> loop_place {
        const std::uint32_t place = engine.loop_places().open([bell, wake = std::move(wake)] {
          bell->ring();
          wake();
        });
        return {&engine.gate(), engine.serial(), place, me.identity()};
      },
      &run_loop);
}

pumped pump_loop(const loop_place& at, std::size_t most, deadline until) {
  const auto& me = sync::thread_state::of_this_thread();
  if (at.thread != me.identity()) {
    throw usage_error("loop.pump: on another thread than the one that made the tact::loop, where its actors live");
  }
  if (me.in_wake) throw usage_error("loop.pump in on_wake: only tell the event loop there, and let that pump");
  const engine_of_loop engine(at);
  if (engine.get() == nullptr)
    throw usage_error("loop.pump: the engine has ended; destroy the tact::loop before its engine");
  const auto done = engine.get()->loop_places().pump(at.shard, most, until);
  return {static_cast<std::size_t>(done.handled), done.more};
}

void close_loop(const loop_place& at) noexcept {
  if (const engine_of_loop engine(at); engine.get() != nullptr) {
    engine.get()->loop_places().close(at.shard);
  } else {
    sync::report(
        "tact: a tact::loop is destroyed behind its engine, so its actors ended on another thread; destroy the loop "
        "first: declare it behind the engine\n");
  }
  actors::own_loops::remove(at);
}

}  // namespace tact::detail
