#include "actors/cells/resting.hpp"

namespace tact::actors {
namespace {

constexpr detail::behavior_type resting_type{
    .entries = nullptr,
    .entry_count = 0,
    .on_failure = nullptr,
    .destroy = nullptr,
    .kind = detail::actor_kind::transactional,
    .name = "an actor that rests",
    .message_names = nullptr,
};

}  // namespace

resting::resting(cell::word_value before, bool anew, std::uint64_t n) noexcept
    : closure{&resting_type}, was(before), makes_anew(anew), number(n) {}

detail::closure* resting::end() noexcept {
  detail::closure* const kept = makes_anew ? nullptr : was.closure();
  this->~resting();
  detail::free_block(this, sizeof(resting));
  return kept;
}

bool resting::is_behind(cell::word_value seen) noexcept {
  return seen.is_waiting() && seen.closure()->type == &resting_type;
}

}  // namespace tact::actors
