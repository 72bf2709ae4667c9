#include "actors/stay.hpp"

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
  ~exit_watch() { state().ends_process = stay::is_inside_any(); }
};

}  // namespace

void stay::begin() noexcept {
  static thread_local const exit_watch own;
  outer_ = static_cast<const stay*>(state().inside);
  state().inside = this;
}

void stay::end() noexcept { state().inside = outer_; }

const stay* stay::innermost() noexcept { return static_cast<const stay*>(state().inside); }
bool stay::is_inside_any() noexcept { return innermost() != nullptr; }
bool stay::ends_process() noexcept { return state().ends_process; }

bool stay::is_inside(const detail::core& engine) noexcept {
  bool found = false;
  for_each([&](const detail::core& e) { found = found || &e == &engine; });
  return found;
}

bool stay::is_ending(const detail::core& engine) noexcept {
  for (const stay* s = innermost(); s != nullptr; s = s->outer_) {
    if (s->engine_ == &engine && s->why_ == why::ends) return true;
  }
  return false;
}

}  // namespace tact::actors
