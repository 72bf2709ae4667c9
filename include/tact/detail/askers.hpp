// The customers of threads outside: of a thread that waits for one answer or for many, and of one that does not wait.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/detail/answer_box.hpp"
#include "tact/detail/ask_limit.hpp"
#include "tact/detail/core.hpp"
#include "tact/detail/message_type.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/protocol.hpp"

namespace tact {
template <class Q>
struct request;
}

namespace tact::detail {

// The customer of a thread that waits for one answer; it lives on the stack of that thread.
template <class R>
struct asker : closure, answer_box<R> {
  explicit asker(const behavior_type& of_its_request) noexcept : closure{&of_its_request} {}

  static void answered(closure& c, run&, void* message) {
    static_cast<asker&>(c).hear(std::move(*static_cast<R*>(message)));
    static_cast<asker&>(c).told.notify();
  }
  static void failed(closure& c, run&, void* message) {
    static_cast<asker&>(c).hear(std::move(*static_cast<failure*>(message)));
    static_cast<asker&>(c).told.notify();
  }

  static constexpr entry entries[] = {&answered};

  wait_word told;
};
template <class Q, class R = typename request<Q>::reply>
inline constexpr behavior_type type_of_asker{
    asker<R>::entries, 1,   &asker<R>::failed, nullptr, actor_kind::asker, type_name<request<Q>>, &type_name<R>,
    large_block,       true};

// The customers of a thread that asks many actors at once. The destructor takes back those that have not been told yet.
template <class R>
class round_of_asks {
 public:
  round_of_asks(core& engine, const behavior_type& of_its_requests) : engine_(engine), type_(of_its_requests) {}
  round_of_asks(const round_of_asks&) = delete;
  round_of_asks& operator=(const round_of_asks&) = delete;
  ~round_of_asks() {
    for (const auto& a : all_) settle(*a);
  }

  // Returns the customer of one more request, which the caller sends to `whom`.
  [[nodiscard]] port add(port whom) {
    asked& a = *all_.emplace_back(std::make_unique<asked>(type_));
    a.whom = whom;
    a.by_context.emplace(engine_);
    a.customer = create_asker(engine_, a.asker);
    a.by_context->set(a.customer);
    return a.customer;
  }
  // Waits until each request was answered or has failed. When the deadline passes, the customers that have not been
  // told are taken back. From then on nothing is waited for, so the clock is not looked at once for each of them.
  // Throws the ask_error of the first failed request, in the order of add.
  void wait(deadline until) {
    bool all_heard = true;
    bool in_time = true;
    for (const auto& a : all_) {
      in_time = in_time && wait_told(engine_, a->asker.told, until, a->whom);
      if (in_time || a->asker.told.is_done()) a->customer = 0;
      settle(*a);
      all_heard = all_heard && (a->asker.answer || a->asker.reason);
    }
    if (!all_heard) look_whether_stuck("engine.ask_all");
    for (const auto& a : all_) {
      if (a->asker.reason) throw ask_error(*a->asker.reason);
    }
  }
  // Calls f with a std::optional of each answer, in the order of add.
  template <class F>
  void for_each(F f) {
    for (const auto& a : all_) f(a->asker.answer);
  }

 private:
  struct asked {
    explicit asked(const behavior_type& type) noexcept : asker(type) {}
    tact::detail::asker<R> asker;
    std::optional<ask_limit> by_context{};
    port customer = 0;  // 0: it was told, or taken back
    port whom = 0;
  };

  void settle(asked& a) noexcept {
    if (a.customer != 0 && !withdraw_asker(engine_, a.customer)) (void)a.asker.told.wait({});
    a.customer = 0;
    a.by_context.reset();
  }

  core& engine_;
  const behavior_type& type_;
  std::vector<std::unique_ptr<asked>> all_;  // each has a fixed address, which the engine knows
};

// What is told later has this as its first base.
struct limited_asker : closure {
  timer_id limit{};  // written before any other thread knows the asker
};

// A customer for which no thread waits, in storage of the library. Hears has hear(R&&) and hear(failure&&): one of them
// is called on the thread that brings the answer, and then the customer ends.
template <class Q, class Hears>
struct told_later : limited_asker {
  using R = typename request<Q>::reply;

  explicit told_later(Hears&& h) : limited_asker{{&type_of_asker}}, hears(std::move(h)) {}

  static told_later& told(closure& c) noexcept {
    cancel_limit(static_cast<told_later&>(c).limit);
    return static_cast<told_later&>(c);
  }
  static void answered(closure& c, run&, void* message) { told(c).hears.hear(std::move(*static_cast<R*>(message))); }
  static void failed(closure& c, run&, void* message) {
    told(c).hears.hear(std::move(*static_cast<failure*>(message)));
  }
  static void end(closure& c, allocation) noexcept { box<told_later>::end(static_cast<told_later*>(&c)); }

  static constexpr entry entries[] = {&answered};
  static constexpr behavior_type type_of_asker{
      entries, 1, &failed, &end, actor_kind::asker, type_name<request<Q>>, &type_name<R>, large_block, true};

  Hears hears;
};

template <class Q, class Hears>
[[nodiscard]] limited_asker& make_told_later(Hears hears) {
  return *box<told_later<Q, Hears>>(std::move(hears)).release();
}

// A std::future of the answer. Defined in future.hpp.
template <class Reply>
struct promised;

// The function that an executor is given, to be called later. It can be copied, whatever it calls.
template <class State>
struct posted_call {
  std::shared_ptr<State> state;
  void operator()() const { state->go_on(); }
};

// Do both functions return void, the first when called with an R or with nothing? A function that cannot be called is
// reported by another check.
template <class Then, class Otherwise, class R>
consteval bool returns_nothing() {
  if constexpr (!std::is_invocable_v<Otherwise&, const failure&>) {
    return true;
  } else if constexpr (std::is_invocable_v<Then&, R&&>) {
    return std::is_void_v<std::invoke_result_t<Then&, R&&>> &&
           std::is_void_v<std::invoke_result_t<Otherwise&, const failure&>>;
  } else if constexpr (std::is_invocable_v<Then&>) {
    return std::is_void_v<std::invoke_result_t<Then&>> &&
           std::is_void_v<std::invoke_result_t<Otherwise&, const failure&>>;
  } else {
    return true;
  }
}

// The two functions of an ask, one of which is called through the user's executor.
template <class R, class Executor, class Then, class Otherwise>
struct posted {
  struct heard : answer_box<R> {
    heard(Then&& t, Otherwise&& o) : then(std::move(t)), otherwise(std::move(o)) {}

    void go_on() {
      if (this->reason) return otherwise(std::as_const(*this->reason));
      if constexpr (std::is_invocable_v<Then&, R&&>) {
        then(std::move(*this->answer));
      } else {
        then();
      }
    }

    Then then;
    Otherwise otherwise;
  };

  Executor executor;
  std::shared_ptr<heard> state;

  template <class M>
  void hear(M&& m) {
    state->hear(std::forward<M>(m));
    executor(posted_call<heard>{state});
  }
};

}  // namespace tact::detail
