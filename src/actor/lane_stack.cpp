#include "actor/lane_stack.hpp"

#include <new>
#include <utility>

namespace tact::actor {
namespace {

constexpr std::size_t record_bytes = (sizeof(lane_stack) + 63) / 64 * 64;

fiber::stack below_record(fiber::stack whole) noexcept { return {whole.bottom, whole.bytes - record_bytes}; }

}  // namespace

lane_stack::lane_stack(fiber::stack whole, fiber::fiber::entry run, void* runner) noexcept
    : memory(whole), runs_for(runner), fiber(below_record(whole), run, this) {}

lane_stacks::~lane_stacks() { trim(); }

lane_stack& lane_stacks::prepare(fiber::fiber::entry run, void* runner) {
  if (current_ != nullptr) return *current_;
  reserve();
  const fiber::stack whole = spare_.back();
  spare_.pop_back();
  current_ = ::new (whole.bottom + whole.bytes - record_bytes) lane_stack(whole, run, runner);
  return *current_;
}

void lane_stacks::reserve() {
  if (!spare_.empty()) return;
  spare_.reserve(spare_max);
  spare_.push_back(pool_->take());
}

lane_stack& lane_stacks::leave() noexcept { return *std::exchange(current_, nullptr); }

void lane_stacks::end(lane_stack& s) noexcept {
  const fiber::stack whole = s.memory;
  s.~lane_stack();
  give(whole);
}

void lane_stacks::give(fiber::stack s) noexcept {
  spare_.size() < spare_.capacity() ? spare_.push_back(s) : pool_->give(s);
}

void lane_stacks::trim() noexcept {
  if (current_ != nullptr) {
    const fiber::stack whole = current_->memory;
    leave().~lane_stack();
    pool_->give(whole);
  }
  for (const fiber::stack s : spare_) pool_->give(s);
  spare_.clear();
  pool_->trim();
}

}  // namespace tact::actor
