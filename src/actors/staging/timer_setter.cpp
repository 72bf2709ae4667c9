#include "actors/staging/timer_setter.hpp"

#include <new>

namespace tact::actors {

timer_record* timer_setter::try_take() noexcept {
  try {
    return &take();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

timer_id timer_setter::set(timer_record& r, port to, const message_type& type, std::int64_t due_ns) noexcept {
  r.to = to;
  r.type = &type;
  r.extra = nullptr;
  r.due_ns = due_ns;
  const timer_id made{&r, r.word.begin()};
  run_.counts().rare.timers_set.add(1);
  all_.set(r, r, due_ns, timers::wake_when::always);
  return made;
}

void timer_setter::set_all(timer_record& first, timer_record& last, std::int64_t earliest_ns, unsigned count) noexcept {
  run_.counts().rare.timers_set.add(count);
  set_in_a_row_ += count;
  const bool is_time = set_in_a_row_ >= timers::set_without_a_look;
  if (is_time) set_in_a_row_ = 0;
  all_.set(first, last, earliest_ns, is_time ? timers::wake_when::always : timers::wake_when::due_earlier);
}

}  // namespace tact::actors
