#include "actor/dead_letters.hpp"

#include <cstdio>

#include "actor/cell.hpp"
#include "actor/this_thread.hpp"

namespace tact::actor {

namespace {

class sink_mark {
 public:
  explicit sink_mark(bool& inside) noexcept : inside_(inside) { inside_ = true; }
  ~sink_mark() { inside_ = false; }
  sink_mark(const sink_mark&) = delete;
  sink_mark& operator=(const sink_mark&) = delete;

 private:
  bool& inside_;
};

}  // namespace

std::string describe(detail::port p) {
  if (p <= detail::index_mask || &cell_of(p) == &nobody()) return "nobody";
  const cell& c = cell_of(p);
  const detail::behavior_type* type = c.type();
  const bool same =
      c.generation() == generation_of(p) || c.generation() == static_cast<std::uint16_t>(generation_of(p) + 1);
  char address[40];
  std::snprintf(address, sizeof address, "@%llx#%u",
                static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(&c) / sizeof(cell)),
                unsigned{generation_of(p)});
  return std::string(same && type != nullptr ? type->name : "actor") + address;
}

void dead_letters::add(detail::port target, const detail::message_type& message, failure_reason reason) noexcept {
  try {
    const dead_letter letter{describe(target), message.name, reason};
    if (kept_ != 0) {
      std::lock_guard lock(mutex_);
      if (latest_.size() == kept_) latest_.pop_front();
      latest_.push_back(letter);
    }
    // A sink may send, and what it sends may be a dead letter again: that one is counted and kept, not shown.
    thread_local bool in_sink = false;
    if (!sink_ || in_sink) return;
    const this_thread::callback outside;
    const sink_mark mark(in_sink);
    sink_(letter);
  } catch (...) {
    // A report that fails must not fail what it reports; the letter is counted all the same.
  }
}

std::vector<dead_letter> dead_letters::read() const {
  std::lock_guard lock(mutex_);
  return {latest_.begin(), latest_.end()};
}

}  // namespace tact::actor
