// The promise behind engine.ask_future. It is not in tact.hpp, because <future> is among the headers that take longest
// to compile.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <exception>
#include <future>
#include <type_traits>
#include <utility>

#include "tact/detail/askers.hpp"
#include "tact/failure.hpp"

namespace tact::detail {

// Hears the answer of a request, or why there is none, and puts it into a promise. Reply is void for an answer of type
// done.
template <class Reply>
struct promised {
  promised() = default;
  promised(promised&& other) noexcept
      : promise(std::move(other.promise)), is_open(std::exchange(other.is_open, false)) {}
  promised& operator=(promised&&) = delete;
  // When the ask was refused by an exception, its future still exists. The destructor of a promise without a result
  // would give the future an error that has a text, and end the process when there is no memory for the text.
  ~promised() {
    if (is_open) promise.set_exception(std::make_exception_ptr(ask_error({.reason = failure_reason::unanswered})));
  }

  std::promise<Reply> promise{};
  bool is_open = true;  // the promise has no result yet

  template <class R>
  void hear(R&& r) {
    is_open = false;
    if constexpr (std::is_same_v<R, failure>) {
      promise.set_exception(std::make_exception_ptr(ask_error(r)));
    } else if constexpr (std::is_void_v<Reply>) {
      promise.set_value();
    } else {
      try {
        promise.set_value(std::move(r));
      } catch (...) {
        promise.set_exception(std::current_exception());  // moving the answer threw
      }
    }
  }
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
