#include "actors/wait/lane_stack.hpp"

#include <new>
#include <utility>

namespace tact::actors {
namespace {

constexpr std::size_t record_bytes = (sizeof(lane_stack) + 63) / 64 * 64;

fiber::stack below_record(fiber::stack whole) noexcept {
  return {whole.bottom, whole.bytes - record_bytes, whole.slab};
}

}  // namespace

lane_stack::lane_stack(fiber::stack whole, fiber::fiber::entry run) noexcept
    : memory(whole), fiber(below_record(whole), run, this) {}

lane_stacks::~lane_stacks() { trim(); }

void lane_stacks::refill() {
  spare_.reserve(spare_max);
  const fiber::stack whole = pool_->take();
  spare_.push_back(::new (whole.bottom + whole.bytes - record_bytes) lane_stack(whole, run_));
}

void lane_stacks::end(lane_stack& s) noexcept {
  if (spare_.size() == spare_.capacity()) return give_back(s);
  s.fiber.begin_anew();
  spare_.push_back(&s);
}

void lane_stacks::give_back(lane_stack& s) noexcept {
  const fiber::stack whole = s.memory;
  s.~lane_stack();
  pool_->give(whole);
}

void lane_stacks::trim() noexcept {
  if (current_ != nullptr) give_back(leave());
  for (lane_stack* s : spare_) give_back(*s);
  spare_.clear();
  pool_->trim();
}

}  // namespace tact::actors
