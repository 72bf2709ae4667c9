#include "actors/common/visit.hpp"

#include "sync/thread_state.hpp"

namespace tact::actors {
namespace {

sync::thread_state& state() noexcept { return sync::thread_state::of_this_thread(); }

// std::exit destroys the thread-locals of the thread that called it before all static objects. If that thread is still
// inside of an engine then, std::exit was called inside of the engine.
struct exit_watch {
  exit_watch() = default;
  exit_watch(const exit_watch&) = delete;
  exit_watch& operator=(const exit_watch&) = delete;
  ~exit_watch() { state().ends_process = visit::is_inside_any(); }
};

}  // namespace

void visit::begin() noexcept {
  static thread_local const exit_watch own;
  outer_ = static_cast<const visit*>(state().inside);
  state().inside = this;
}

void visit::end() noexcept { state().inside = outer_; }

const visit* visit::innermost() noexcept { return static_cast<const visit*>(state().inside); }
bool visit::is_inside_any() noexcept { return innermost() != nullptr; }
bool visit::ends_process() noexcept { return state().ends_process; }

bool visit::is_inside(const engine_identity& engine) noexcept {
  bool found = false;
  for_each([&](const engine_identity& e) { found = found || &e == &engine; });
  return found;
}

bool visit::is_ending(const engine_identity& engine) noexcept {
  for (const visit* s = innermost(); s != nullptr; s = s->outer_) {
    if (s->engine_ == &engine && s->why_ == why::ends) return true;
  }
  return false;
}

}  // namespace tact::actors
