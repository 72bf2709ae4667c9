// tact::guarded: a resource that several threads use by functions, of which one at a time runs.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/actor.hpp"
#include "tact/engine.hpp"
#include "tact/failure.hpp"
#include "tact/failure_rule.hpp"
#include "tact/owner.hpp"

namespace tact {

namespace detail {

// A function on its way to the resource.
template <class R>
struct errand {
  virtual void run(R& resource) noexcept = 0;
  virtual ~errand() = default;
};

template <class R, class F, class Result = std::invoke_result_t<F&, R&>>
struct errand_of final : errand<R> {
  explicit errand_of(F&& f) : function(std::move(f)) {}
  errand_of(const errand_of&) = delete;
  errand_of& operator=(const errand_of&) = delete;
  ~errand_of() override {
    if (!has_run) promise.set_exception(std::make_exception_ptr(ask_error(why_not())));
  }

  void run(R& resource) noexcept override {
    has_run = true;
    try {
      if constexpr (std::is_void_v<Result>) {
        std::invoke(function, resource);
        promise.set_value();
      } else {
        promise.set_value(std::invoke(function, resource));
      }
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }

  // Without memory for its text the failure has the reason only.
  static failure why_not() noexcept {
    constexpr auto reason = failure_reason::target_ended;
    try {
      return {reason, "the resource, or its engine, ended before the function had its turn", {}};
    } catch (...) {
      return {reason, {}, {}};
    }
  }

  F function;
  std::promise<Result> promise{};
  bool has_run = false;
};

// The actor that has the resource, and runs the functions.
template <class R>
class keeper : public actor<keeper<R>, std::unique_ptr<errand<R>>> {
 public:
  explicit keeper(R&& resource) : resource_(std::move(resource)) {}
  void receive(self<keeper>&, std::unique_ptr<errand<R>>& m) { m->run(resource_); }

  static failure_rule rule() { return failure_policy::go_on; }

 private:
  R resource_;
};

}  // namespace detail

// const tact::guarded<std::map<int, std::string>> book = engine.guard(std::map<int, std::string>{});
// std::future<bool> added = book([](auto& names) { return names.emplace(1, "one").second; });
//
// For ordinary threads, instead of a mutex for which they would wait. The functions run on a worker of the engine, or
// with tact::blocking on a thread of their own; the future has what the function returns or throws. The functions of
// one thread run in the order of its calls. What a function sends leaves when the function has returned. Without
// tact::blocking a function must not wait. When the engine ends before a function had its turn, the future throws
// ask_error. The resource is destroyed behind the last function when all copies of this object are gone, or with the
// engine.
// Inside a handler, and in one of these functions, a call throws usage_error, whose text names what to do instead.
// Thread safety: as a shared pointer; a call may be made from any thread, at once.
template <class R>
class guarded {
 public:
  template <class F>
    requires std::invocable<F&, R&>
  std::future<std::invoke_result_t<F&, R&>> operator()(F f) const {
    detail::refuse_inside_handler("a future of tact::guarded", "send to an actor that has the resource");
    auto work = std::make_unique<detail::errand_of<R, F>>(std::move(f));
    auto result = work->promise.get_future();
    detail::send_anywhere(keeper_.ref(), std::unique_ptr<detail::errand<R>>(std::move(work)));
    return result;
  }

 private:
  friend class engine;
  explicit guarded(owner<detail::keeper<R>> k) noexcept : keeper_(std::move(k)) {}

  owner<detail::keeper<R>> keeper_;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
