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
  return w->result();
}

bool model::is_running() noexcept { return modelled::here.is_active; }

void model::begin_counting() noexcept {
  if (is_running()) world::current()->begin_counting();
}
void model::end_counting() noexcept {
  if (is_running()) world::current()->end_counting();
}
void model::spend_ns(double ns) noexcept {
  if (!is_running()) return;
  world& w = *world::current();
  w.spend(modelled::of_ns(ns));
  if (modelled::here.now > modelled::here.horizon) w.pass();
}

}  // namespace tact
