// What a context is made of: the links of an immutable chain, shared by everything that carries the context.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace tact::detail {

class cancelled_asks;  // the asks that end when a flag is set

// The state of a cancel_flag; it is set once, and stays set.
struct cancel_state {
  cancel_state() = default;
  cancel_state(const cancel_state&) = delete;
  cancel_state& operator=(const cancel_state&) = delete;
  ~cancel_state() {
    if (asks.load() != nullptr) end_asks(*this);
  }

  std::atomic<bool> set{false};
  mutable std::atomic<cancelled_asks*> asks{nullptr};  // null: nothing was asked in a context with this flag

 private:
  static void end_asks(cancel_state&) noexcept;
};
// Sets the flag, and tells the customers of what was asked in its contexts. False: it was set before.
bool request_stop(cancel_state&) noexcept;

struct flag_node;
struct type_key;

// One thing that was added to a context. The chain begins with the newest one, and each node holds the one around it.
// Thread safety: constant once it is made, except for the count.
struct context_node {
  using time_point = std::chrono::steady_clock::time_point;

  const context_node* around = nullptr;  // null: this was added first
  // What holds as of this node: its own value, or else that of a node further around.
  time_point until = (time_point::max)();
  std::uint64_t trace = 0;
  const flag_node* flag = nullptr;
  const type_key* key = nullptr;  // of the value; null: there is no value
  const void* value = nullptr;
  void (*end)(const context_node&) noexcept = nullptr;
  mutable std::atomic<std::uint64_t> holders{1};
};

struct flag_node : context_node {
  std::shared_ptr<const cancel_state> state;
};

// Null is the empty context, which is not counted.
inline const context_node* hold(const context_node* c) noexcept {
  if (c != nullptr) c->holders.fetch_add(1);
  return c;
}
inline void release(const context_node* c) noexcept {
  while (c != nullptr && c->holders.fetch_sub(1) == 1) {
    const context_node* const around = c->around;
    c->end(*c);
    c = around;
  }
}

// The context of the run on this thread, or else that of the thread: what is sent here carries it. The pointer is
// borrowed.
[[nodiscard]] const context_node* current_context() noexcept;
// Sets the context and returns the one before. The caller must hold the new one until it is replaced.
const context_node* exchange_context(const context_node* next) noexcept;

// While it lives, the thread or its run is in this context.
class context_scope {
 public:
  explicit context_scope(const context_node* c) noexcept : before_(exchange_context(c)) {}
  context_scope(const context_scope&) = delete;
  context_scope& operator=(const context_scope&) = delete;
  ~context_scope() { exchange_context(before_); }

 private:
  const context_node* const before_;
};

}  // namespace tact::detail
