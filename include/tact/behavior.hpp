// tact::behavior: what an actor does with each message of its protocol.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/detail/forwarding.hpp"  // for self::become
#include "tact/detail/handlers.hpp"
#include "tact/failure.hpp"
#include "tact/self.hpp"

namespace tact {
namespace detail {

template <std::size_t I, class F>
struct handler_slot {
  [[no_unique_address]] F call;
};

template <std::size_t I, class F>
const F& handler_at(const handler_slot<I, F>& slot) noexcept {
  return slot.call;
}

// The closure behind a behaviour: the handlers lie in it side by side.
template <class P, class Indexes, class... F>
struct model;

template <class P, class... F>
using model_of = model<P, std::index_sequence_for<F...>, F...>;

template <class P, std::size_t... I, class... F>
struct model<P, std::index_sequence<I...>, F...> : closure, handler_slot<I, F>... {
  explicit model(F&... handlers) : closure{&type_of_behavior}, handler_slot<I, F>{std::move(handlers)}... {
    assert(static_cast<void*>(this) == static_cast<closure*>(this));  // its address is that of its block
  }

  template <class M>
  static void enter(closure& c, run& r, void* message) {
    constexpr unsigned at = chosen<P, self<P>, F...>.at[index_of<P, M>];
    const M& m = *static_cast<const M*>(message);
    if constexpr (has_customer<M>) owe_answer(r, m);
    auto self = access::make_self<tact::self<P>>(r);
    handler_at<at>(static_cast<const model&>(c))(self, m);
    access::finish(self);
  }

  static void end(closure& c, allocation) noexcept { box<model>::end(static_cast<model*>(&c)); }

  template <class M>
  static consteval entry entry_for() {
    if constexpr (is_handled<M>) return &enter<M>;
    return nullptr;
  }
  template <class... Ms>
  struct table {
    static constexpr entry entries[] = {entry_for<Ms>()...};
    static constexpr std::string_view names[] = {type_name<Ms>...};
  };
  template <class... Ms>
  static consteval behavior_type describe(list<Ms...>) {
    behavior_type t{};
    t.entries = table<Ms...>::entries;
    t.entry_count = sizeof...(Ms);
    if constexpr (accepts<P, failure>) t.on_failure = &enter<failure>;
    t.destroy = &end;
    t.kind = actor_kind::transactional;
    t.name = type_name<P>;
    t.message_names = table<Ms...>::names;
    t.own_words = own_words_of<P>;
    if (std::is_trivially_destructible_v<model> && alignof(model) <= inline_align_max)
      t.plain_block = class_of_block(sizeof(model));
    return t;
  }

  static const behavior_type type_of_behavior;
};

template <class P, std::size_t... I, class... F>
constexpr behavior_type model<P, std::index_sequence<I...>, F...>::type_of_behavior = describe(messages_of<P>{});

}  // namespace detail

// An immutable closure over the messages of P (Hewitt; Lisp-Actors). It is made from one handler per message:
//
//   [=](tact::self<account>& self, const deposit& m) { ... }
//
// - The first parameter is self<P>&, transaction& or auto&. The second is const M&, or M, which copies the message.
// - Handlers return void: a value would go nowhere, and a coroutine would outlive its transaction. Answer a request
//   with self.reply.
// - Handlers are const-callable: several workers may run them at once, and a run that collided runs again.
// - A handler that names a message goes before one that takes any, `(auto& self, const auto& m)`.
// - Handlers that do not fit are a compile error on the line that makes the behaviour; `problem` names the mistake and
//   the message.
//
// A behaviour can only be moved: create and become take it over. A default-constructed one is empty: an actor that
// becomes it ends. Constructing one throws what moving the handlers throws, and std::bad_alloc.
template <class P>
class behavior {
 public:
  behavior() noexcept = default;

  // The shapes of the handlers are found here first, so that an error in the body of a generic one has few lines.
  template <class... F, class Shapes = detail::list<decltype(detail::find_shape<F, detail::self_of<P>>())...>,
            class problem = detail::without<detail::handler_problem<P, F...>>>
    requires(sizeof...(F) != 0 && !(std::same_as<F, behavior> || ...))
  behavior(F... handlers)  // NOLINT: implicit by design
      : closure_(detail::box<detail::model_of<P, F...>>(handlers...).release()) {}
  template <class... F, detail::some problem = detail::handler_problem<P, F...>>
    requires(sizeof...(F) != 0 && !(std::same_as<F, behavior> || ...))
  behavior(F... handlers) = delete;

  behavior(behavior&& other) noexcept : closure_(std::exchange(other.closure_, nullptr)) {}
  behavior& operator=(behavior&& other) noexcept {
    std::swap(closure_, other.closure_);
    return *this;
  }
  ~behavior() {
    if (closure_ != nullptr) closure_->type->destroy(*closure_, allocation::delete_);
  }

  // True unless the behaviour is empty.
  explicit operator bool() const noexcept { return closure_ != nullptr; }

 private:
  friend struct detail::access;
  detail::closure* closure_ = nullptr;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
