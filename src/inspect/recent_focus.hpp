// Which actors are in focus, as one thread has found out lately.
#pragma once

#include <array>
#include <cstdint>

#include "tact/detail/core.hpp"
#include "tact/inspect/focus.hpp"

namespace tact::inspect {

// Thread safety: the thread's own.
class recent_focus {
 public:
  // `in`: null if all actors are in focus. `type`: null if it is not known.
  [[nodiscard]] bool has(const focus* in, detail::port actor, const detail::behavior_type* type) noexcept {
    if (in == nullptr) return true;
    return (type != nullptr && has_type(*in, *type)) || in->has_actor(actor & ~detail::index_mask);
  }

 private:
  struct entry {
    const focus* in = nullptr;
    const void* type = nullptr;
    bool is_in = false;
  };
  [[nodiscard]] bool has_type(const focus& in, const detail::behavior_type& type) noexcept {
    entry& e = entries_[reinterpret_cast<std::uintptr_t>(&type) / 64 % entries_.size()];
    if (e.type != &type || e.in != &in) e = {&in, &type, in.has_type(type.name)};
    return e.is_in;
  }

  std::array<entry, 64> entries_{};
};

}  // namespace tact::inspect
