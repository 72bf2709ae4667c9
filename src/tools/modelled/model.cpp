#include "tact/model.hpp"

#include <memory>

#include "tools/modelled/running.hpp"
#include "tools/modelled/world.hpp"

namespace tact {

using modelled::world;

model_result model::run(const model_options& options, const std::function<void()>& program) {
  // Not on the stack of the caller, whose place differs from run to run: the program reads what is in it.
  const auto w = std::make_unique<world>(options);
  w->run(program);
  return w->measurement().result();
}

bool model::is_running() noexcept { return modelled::here.is_active; }

void model::begin_counting() noexcept {
  if (is_running()) world::current()->measurement().begin();
}
void model::end_counting() noexcept {
  if (is_running()) world::current()->measurement().end();
}
void model::spend_ns(double ns) noexcept {
  if (!is_running()) return;
  modelled::spend(modelled::of_ns(ns));
  world::current()->scheduler().pass_if_far();
}

}  // namespace tact
