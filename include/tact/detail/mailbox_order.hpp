// The order of a mailbox as the core sees it, and how it is made of a user's function.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "tact/detail/deadline.hpp"
#include "tact/protocol.hpp"

namespace tact::detail {

// Of the messages that wait the one with the smallest rank is handled first. `state` is that of the order.
using rank_function = std::int64_t (*)(const void* state, const void* message) noexcept;

struct mailbox_order {
  const rank_function* ranks = nullptr;  // a constant for each message of the actor; null: the mailbox has no order
  std::shared_ptr<const void> state{};   // what the functions look at; null: nothing

  explicit operator bool() const noexcept { return ranks != nullptr; }
};

// -- how the result of a user's function becomes a rank; `otherwise` is the rank of a message without a result
struct priority_rank {
  static constexpr std::int64_t otherwise = ~std::int64_t{0};  // that of priority 0

  template <class T>
  static constexpr bool is_result = std::integral<T> || std::is_enum_v<T>;

  template <class T>
  static constexpr std::int64_t of(T priority) noexcept {
    if constexpr (std::is_enum_v<T>) {
      return of(static_cast<std::underlying_type_t<T>>(priority));
    } else if constexpr (sizeof(T) >= sizeof(std::int64_t) && !std::signed_integral<T>) {
      constexpr T most = std::numeric_limits<std::int64_t>::max();
      return ~static_cast<std::int64_t>(priority < most ? priority : most);
    } else {
      return ~static_cast<std::int64_t>(priority);
    }
  }
};

struct deadline_rank {
  using clock = std::chrono::steady_clock;
  static constexpr std::int64_t otherwise = std::numeric_limits<std::int64_t>::max();

  template <class T>
  static constexpr bool is_result = std::is_convertible_v<T, clock::time_point>;

  static constexpr std::int64_t of(clock::time_point due) noexcept { return due.time_since_epoch().count(); }
  // In units in which a time may be later than the clock can say.
  template <class Duration>
  static constexpr std::int64_t of(std::chrono::time_point<clock, Duration> due) noexcept {
    return of(clock_time(due));
  }
};

template <class F, class M>
concept ranks = !std::same_as<M, poison_pill> && std::is_invocable_v<const F&, const M&>;

// Such a function need not be kept: another one, which is made when it is called, returns the same.
template <class F>
inline constexpr bool is_stateless =
    std::is_empty_v<F> && std::is_trivially_destructible_v<F> && std::is_nothrow_default_constructible_v<F>;

template <class How, class F, class M>
std::int64_t rank_one([[maybe_unused]] const void* state, [[maybe_unused]] const void* message) noexcept {
  if constexpr (ranks<F, M>) {
    constexpr bool fits = How::template is_result<std::remove_cvref_t<std::invoke_result_t<const F&, const M&>>>;
    static_assert(
        fits,
        "tact: the function of tact::by_priority returns a whole number or an enum for each message, and that "
        "of tact::by_deadline a std::chrono::steady_clock::time_point");
    try {
      const M& m = *static_cast<const M*>(message);
      if constexpr (!fits) {
        return How::otherwise;
      } else if constexpr (is_stateless<F>) {
        const F f{};
        return How::of(f(m));
      } else {
        return How::of((*static_cast<const F*>(state))(m));
      }
    } catch (...) {
      return How::otherwise;  // docs/mailbox_order.md
    }
  } else {
    return How::otherwise;
  }
}

template <class How, class F, class Messages>
struct rank_table;
template <class How, class F, class... Ms>
struct rank_table<How, F, list<Ms...>> {
  static constexpr rank_function all[] = {&rank_one<How, F, Ms>...};
  static constexpr bool takes_one = (ranks<F, Ms> || ...);
};

// What tact::handled_first is: the messages of these types have priority 1.
template <class... Ms>
struct first_of_all {
  template <class M>
    requires(std::is_same_v<M, Ms> || ...)
  constexpr int operator()(const M&) const noexcept {
    return 1;
  }
};

// Does the actor take all messages that F names? Only tact::handled_first names any.
template <class P, class F>
inline constexpr bool names_only_messages_of = true;
template <class P, class... Ms>
inline constexpr bool names_only_messages_of<P, first_of_all<Ms...>> = (accepts<P, Ms> && ...);

// The base of the tags.
template <class How, class F>
class typed_order : public mailbox_order {
 public:
  // Once it is known of which actor this is the order.
  template <class P>
  void settle() noexcept {
    using table = rank_table<How, F, messages_of<P>>;
    static_assert(table::takes_one,
                  "tact: the function that orders the mailbox takes no message of this actor; it is called as const, "
                  "with const M& for each message type M, and must take one of them");
    static_assert(names_only_messages_of<P, F>,
                  "tact::handled_first: it names a type that is no message of this actor");
    ranks = table::all;
  }

 protected:
  explicit typed_order(F&& f) {
    if constexpr (!is_stateless<F>) state = std::make_shared<const F>(std::move(f));
  }
};

template <class Tag>
concept ordering_tag = std::derived_from<Tag, mailbox_order>;

}  // namespace tact::detail
