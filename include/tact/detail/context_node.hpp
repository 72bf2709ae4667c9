// What a context is made of: links of an immutable chain, shared by everything that carries it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace tact::detail {

// Set once, by whoever cancels.
struct cancel_state {
  std::atomic<bool> set{false};
};

struct flag_node;

// One thing that was added to a context. Newest first; each holds the one around it. Thread safety: constant once made,
// but for the count.
struct context_node {
  using time_point = std::chrono::steady_clock::time_point;

  const context_node* around = nullptr;  // null: the first
  // As of this node: its own, or what is found further around.
  time_point until = (time_point::max)();
  std::uint64_t trace = 0;
  const flag_node* flag = nullptr;
  const void* key = nullptr;  // of the value's type; null: no value
  const void* value = nullptr;
  void (*end)(const context_node&) noexcept = nullptr;
  mutable std::atomic<std::uint64_t> holders{1};
};

struct flag_node : context_node {
  std::shared_ptr<const cancel_state> state;
};

// Null is the empty context, which nobody counts.
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

// That of the run on this thread, or else of the thread: what it sends carries it. Borrowed.
[[nodiscard]] const context_node* current_context() noexcept;
// Returns the one before. Whoever sets one holds it until it is replaced.
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
