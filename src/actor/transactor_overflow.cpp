// What is said when a handler needs more than its stack has. In a handler of signals, so nothing allocates or locks.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "actor/this_thread.hpp"
#include "actor/transactor.hpp"

namespace tact::detail {
namespace {

// What does not fit is left out.
class line {
 public:
  line& operator<<(std::string_view more) noexcept {
    const std::size_t count = std::min(more.size(), sizeof text_ - size_);
    std::copy_n(more.data(), count, text_ + size_);
    size_ += count;
    return *this;
  }
  line& operator<<(std::size_t number) noexcept {
    char digits[20];
    return *this << std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  void write() const noexcept { static_cast<void>(!::write(STDERR_FILENO, text_, size_)); }

 private:
  char text_[1024];
  std::size_t size_ = 0;
};

}  // namespace

void transactor::note_fault(const void* address) noexcept {
  run* const here = actor::this_thread::worker();
  if (here != nullptr) of(*here).tell_overflow(address);
}

void transactor::tell_overflow(const void* address) const noexcept {
  const actor::lane_stack* s = resumed_;
  if (s == nullptr || !s->memory.overflows_at(address)) s = stacks_.current();
  if (s == nullptr || !s->memory.overflows_at(address)) return;
  // relaxed: hint, read back by its owner.
  const port who = handling.load(std::memory_order_relaxed);
  const behavior_type* const type = who == 0 ? nullptr : actor::cell_of(who).type();
  line text;
  text << "tact: stack overflow: " << (type == nullptr ? "a handler" : type->name);
  if (type != nullptr) text << " handling " << message_now(who);
  text << " needs more than " << s->memory.bytes
       << " bytes of stack; engine_options::ask_stack_bytes makes it larger\n";
  text.write();
}

}  // namespace tact::detail
