// How a handler waits for an answer: docs/protocols/parked_ask.md.
#pragma once

#include <type_traits>
#include <utility>

#include "tact/detail/answer_box.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/misuse.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"

namespace tact {
template <class Q>
struct request;
}

namespace tact::detail {

// The run to which a transaction belongs; it is another one after its handler has waited. In debug builds using it
// throws usage_error on a thread that does not run it, and when its handler has returned.
class run_now {
 public:
  explicit run_now(run& r) noexcept : run_(&r) {}
#if defined(NDEBUG)
  operator run&() const noexcept { return *run_; }  // NOLINT: implicit by design
#else
  operator run&() const {  // NOLINT: implicit by design
    refuse_foreign_run(run_);
    return *run_;
  }
  void forget() noexcept {
    run_ = nullptr;
    asm volatile("" : : "r"(this) : "memory");  // so that the store is not left out, although the object ends
  }
#endif

 private:
  run* run_;
};

// The customer of a handler that waits for one answer; it lives on the handler's stack.
template <class R>
struct waiting_handler : waiter, answer_box<R> {
  explicit waiting_handler(const behavior_type& of_its_request) noexcept : waiter(of_its_request) {}

  static waiting_handler& at(closure& c) noexcept { return static_cast<waiting_handler&>(static_cast<waiter&>(c)); }
  static void answered(closure& c, run&, void* message) { at(c).hear(std::move(*static_cast<R*>(message))); }
  static void failed(closure& c, run&, void* message) { at(c).hear(std::move(*static_cast<failure*>(message))); }

  [[nodiscard]] bool has_timed_out() const noexcept {
    return this->reason && this->reason->reason == failure_reason::timed_out;
  }
  // Returns the answer, as an R or as nothing (T is void). Throws ask_error if there is none.
  template <class T>
  T take() {
    if (this->reason) throw ask_error(*this->reason);
    if constexpr (!std::is_void_v<T>) return std::move(*this->answer);
  }

  static constexpr entry entries[] = {&answered};
};
template <class Q, class R = typename request<Q>::reply>
inline constexpr behavior_type type_of_waiter{waiting_handler<R>::entries,
                                              1,
                                              &waiting_handler<R>::failed,
                                              nullptr,
                                              actor_kind::waiter,
                                              type_name<request<Q>>,
                                              &type_name<R>,
                                              large_block,
                                              true};

// The customer of a handler that only commits what it has staged, and then hears that it may go on.
inline constexpr std::string_view name_of_commit[] = {"commit"};
inline constexpr behavior_type type_of_commit{waiting_handler<done>::entries,
                                              1,
                                              &waiting_handler<done>::failed,
                                              nullptr,
                                              actor_kind::waiter,
                                              "self.commit",
                                              name_of_commit};

}  // namespace tact::detail
