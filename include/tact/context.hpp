// tact::context: data that travels with a task from message to message, beside the messages themselves.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/detail/context_node.hpp"
#include "tact/detail/deadline.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/type_key.hpp"

namespace tact {

// Asks everything that runs in a context with this flag to stop. Copies are the same flag. Stopping is cooperative: a
// request sets the flag, and handlers that look at their context find it set. What was asked in the context, by
// whatever call, fails at once with failure_reason::cancelled. The names are those of std::stop_source. Thread safety:
// any thread, concurrently.
class cancel_flag {
 public:
  cancel_flag() : state_(std::make_shared<detail::cancel_state>()) {}
  // Sets the flag for good, at once, inside a handler too. What the caller did before is visible to every thread that
  // finds the flag set. True: this call has set it; false: it was set before.
  bool request_stop() const noexcept { return detail::request_stop(*state_); }  // NOLINT(modernize-use-nodiscard)
  // True when the flag is set.
  [[nodiscard]] bool stop_requested() const noexcept { return state_->set.load(); }

  [[deprecated("use request_stop()")]] void cancel() const noexcept { request_stop(); }
  [[deprecated("use stop_requested()")]] [[nodiscard]] bool cancelled() const noexcept { return stop_requested(); }

 private:
  friend class context;
  std::shared_ptr<detail::cancel_state> state_;
};

// A deadline, a trace number, cancel flags and values of the user's, for a task that goes from actor to actor. What a
// handler sends carries the context of the message that it handles. So a context with which a thread outside begins
// reaches all messages that come of its first one, without being a part of any message.
//
//   tact::with_context(tact::context().with_deadline(soon).with(customer_id{7}), [&] { engine.send(desk, order{...});
//   });
//   ...
//   if (self.context().is_over()) return;  // in a handler, however far from there
//
// - A beta runs in the context in which it was made, whichever actor answers, and so does on_commit. Otherwise the
//   values that are added on the way to an answer would stay with the task for ever.
// - What is asked in a context fails when its deadline passes, with timed_out, or when a flag of it is set, with
//   cancelled, as at a time limit of its own. Such an ask costs a timer.
// - A message without a context costs nothing; a message with one costs a block of memory and two counts.
// - Immutable: the calls with... return a new context that refers to the old one. 8 bytes, copied like a shared
//   pointer.
// - A message or a customer that an actor keeps for later does not keep its context. An actor that wants it keeps it
//   too: `const auto kept = self.context()`, and later with_context(kept, ...).
// Thread safety: as a shared pointer. Several threads may see the values at once, as const. Each with... may throw
// std::bad_alloc. Source of the idea: the event context of Lisp-Actors.
class context {
 public:
  // An empty context.
  context() noexcept = default;
  context(const context& other) noexcept : node_(detail::hold(other.node_)) {}
  context(context&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  context& operator=(context other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~context() { detail::release(node_); }

  // Adds a deadline. Of two deadlines the earlier holds.
  template <class Duration>
  [[nodiscard]] context with_deadline(std::chrono::time_point<std::chrono::steady_clock, Duration> until) const {
    auto* made = make<detail::context_node>();
    const auto at = detail::clock_time(until);
    if (at < made->until) made->until = at;
    return context(made);
  }
  // Adds a number by which the task is known, in logs for example; 0 is none. The number added last holds.
  [[nodiscard]] context with_trace(std::uint64_t number) const {
    auto* made = make<detail::context_node>();
    made->trace = number;
    return context(made);
  }
  // Adds a flag. A task is to stop when any flag of its context is set.
  [[nodiscard]] context with_flag(const cancel_flag& flag) const {
    auto* made = make<detail::flag_node>();
    made->state = flag.state_;
    made->flag = made;
    return context(made);
  }
  // Adds a value of the user's, which is found by its type. Of several values of one type the one added last holds.
  template <class T>
  [[nodiscard]] context with(T value) const {
    static_assert(std::is_same_v<T, std::decay_t<T>>, "tact::context: a value is a plain object, found by its type");
    auto* made = make<value_node<T>>(std::move(value));
    made->key = &detail::key_of_type<T>;
    made->value = std::addressof(made->held);
    return context(made);
  }

  // The deadline, if there is one.
  [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> deadline() const noexcept {
    if (node_ == nullptr || node_->until == (detail::context_node::time_point::max)()) return {};
    return node_->until;
  }
  // The trace number; 0 if there is none.
  [[nodiscard]] std::uint64_t trace() const noexcept { return node_ == nullptr ? 0 : node_->trace; }
  // True when a flag of this context is set.
  [[nodiscard]] bool stop_requested() const noexcept {
    const detail::flag_node* f = node_ == nullptr ? nullptr : node_->flag;
    while (f != nullptr && !f->state->set.load()) f = f->around == nullptr ? nullptr : f->around->flag;
    return f != nullptr;
  }
  [[deprecated("use stop_requested()")]] [[nodiscard]] bool cancelled() const noexcept { return stop_requested(); }
  // True when the task's result is not wanted any more: a flag is set, or the deadline has passed. In a simulation that
  // is a point of virtual time.
  [[nodiscard]] bool is_over() const noexcept {
    return node_ != nullptr && (stop_requested() || (deadline() && detail::now() >= *deadline()));
  }
  // Returns the value of type T, null if there is none. The pointer is valid as long as a copy of this context, or of a
  // context made from it, lives.
  template <class T>
  [[nodiscard]] const T* find() const noexcept {
    const detail::context_node* n = node_;
    while (n != nullptr && (n->key == nullptr || !detail::same_type(*n->key, detail::key_of_type<T>))) n = n->around;
    return n == nullptr ? nullptr : static_cast<const T*>(n->value);
  }

  // True unless the context is empty.
  explicit operator bool() const noexcept { return node_ != nullptr; }
  // Equal contexts are copies of one another; a context with the same content that was made apart is not equal.
  friend bool operator==(const context&, const context&) noexcept = default;

 private:
  template <class F>
  friend decltype(auto) with_context(const context& c, F&& f);
  friend context current_context() noexcept;

  template <class T>
  struct value_node : detail::context_node {
    explicit value_node(T v) : held(std::move(v)) {}
    T held;
  };

  explicit context(const detail::context_node* taken_over) noexcept : node_(taken_over) {}

  template <class Node, class... Args>
  [[nodiscard]] Node* make(Args&&... args) const {
    Node* made = detail::box<Node>(std::forward<Args>(args)...).release();
    made->end = [](const detail::context_node& n) noexcept {
      detail::box<Node>::end(const_cast<Node*>(static_cast<const Node*>(&n)));
    };
    if (node_ == nullptr) return made;
    made->around = detail::hold(node_);
    made->until = node_->until;
    made->trace = node_->trace;
    made->flag = node_->flag;
    return made;
  }

  const detail::context_node* node_ = nullptr;
};

// Calls f. What f sends and creates is in this context. Inside a handler this holds for the handler's transaction,
// elsewhere for the calling thread. Calls may be nested: the innermost context holds.
template <class F>
decltype(auto) with_context(const context& c, F&& f) {
  const detail::context_scope inside(c.node_);
  return std::forward<F>(f)();
}

// Returns the context of the message that is handled, or that of the innermost with_context around the call; outside of
// handlers that of the thread.
[[nodiscard]] inline context current_context() noexcept { return context(detail::hold(detail::current_context())); }

}  // namespace tact

#include "tact/detail/end.hpp"  // last
