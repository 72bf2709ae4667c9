// tact::creator: how actors are made, the same by an engine, by a handler's transaction and by a scope.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/particulars.hpp"
#include "tact/named.hpp"
#include "tact/owner.hpp"
#include "tact/placement.hpp"
#include "tact/ref.hpp"

namespace tact {

namespace detail {

// Defined in actor.hpp.
template <class A>
struct spawned;
template <class A>
struct attached;
template <class A>
struct classic_check;
template <class A>
using classic_problem = typename classic_check<A>::problem;

// -- how an actor is placed, by the tag that a user gives
template <class Tag>
struct placed_by;
template <>
struct placed_by<ordered_t> {
  static constexpr placement where = placement::ordered;
};
template <>
struct placed_by<parallel_t> {
  static constexpr placement where = placement::returning;
};
template <>
struct placed_by<heavy_t> {
  static constexpr placement where = placement::heavy;
};
template <>
struct placed_by<blocking_t> {
  static constexpr placement where = placement::blocking;
};
template <class Tag>
concept placement_tag = requires { placed_by<Tag>::where; };

// -- what else a user may say of an actor
inline void note(particulars& p, tact::named& n) noexcept { p.name = std::move(n.name); }
inline void note(particulars& p, failure_rule& r) noexcept { p.rule = std::move(r); }
template <class Tag>
concept particular = requires(particulars& p, Tag& t) { note(p, t); };

template <class Tag>
concept creation_tag = placement_tag<Tag> || particular<Tag> || std::is_same_v<Tag, owned_t>;

// The placement among tags, `otherwise` if there is none.
template <class... Tags>
constexpr placement placement_among(placement otherwise) noexcept {
  [[maybe_unused]] const auto look = [&]<class T>(std::type_identity<T>) {
    if constexpr (placement_tag<T>) otherwise = placed_by<T>::where;
  };
  (look(std::type_identity<Tags>{}), ...);
  return otherwise;
}

// What is returned for an actor made with these tags.
template <class P, class... Tags>
using made = std::conditional_t<(std::is_same_v<Tags, owned_t> || ...), owner<P>, ref<P>>;

// How many of the first Args are tags.
template <class... Args>
inline constexpr std::size_t tags_before = 0;
template <class Arg, class... Args>
inline constexpr std::size_t tags_before<Arg, Args...> =
    creation_tag<std::remove_cvref_t<Arg>> ? 1 + tags_before<Args...> : 0;

// As made, for tags before the arguments of a constructor.
template <class P, class... Args>
struct made_before_all : std::type_identity<ref<P>> {};
template <class P, class Arg, class... Args>
  requires creation_tag<std::remove_cvref_t<Arg>>
struct made_before_all<P, Arg, Args...>
    : std::conditional_t<std::is_same_v<std::remove_cvref_t<Arg>, owned_t>, std::type_identity<owner<P>>,
                         made_before_all<P, Args...>> {};
template <class P, class... Args>
using made_before = typename made_before_all<P, Args...>::type;

}  // namespace detail

// Tags say what is special about an actor, in any order, each kind once:
//   tact::ordered, tact::heavy, tact::blocking   where it is handled; without one it is parallel, a classic one ordered
//   tact::parallel                               parallel for good; not for a classic one
//   tact::named("teller 3")                      its name in reports
//   tact::failure_rule(...)                      what becomes of it when a handler throws
//   tact::owned                                  it ends with its last owner; an owner<P> is returned, not a ref<P>
// The actor exists on return; made inside a handler of the same engine, at its commit: its address may be sent at once,
// and what reaches it is handled after the commit. Throws std::bad_alloc; with tact::blocking usage_error too when
// there are engine_options::blocking_max of them, and std::system_error when the system gives no thread for one.
template <class Self>
class creator {
 public:
  // An actor with behaviour b. From nothing, behavior<P>{}, it is nobody.
  // Parallel: several workers may handle its messages at once; no order is promised. Ordered: one message at a time,
  // those of one sender in the order sent, never a collision. Heavy: the same, on a shard of its own while there are
  // some. Blocking: the same, on a thread of its own.
  template <class P, detail::creation_tag... Tags>
  [[nodiscard]] detail::made<P, Tags...> create(behavior<P> b, Tags... tags) {
    detail::closure* c = detail::access::take(b);
    if (c == nullptr) return {};
    return enlist<P>(*c, detail::placement::parallel, tags...);
  }

  // A classic actor in storage of the engine, constructed now from args; tags go before them. Throws what its
  // constructor throws; when a handler's run does not commit the object is destroyed.
  template <class A, class... Args, class problem = detail::classic_problem<A>>
    requires detail::none<problem>
  detail::made_before<A, Args...> spawn(Args&&... args) {
    constexpr std::size_t tags = detail::tags_before<Args...>;
    return spawn_from<A>(std::forward_as_tuple(std::forward<Args>(args)...), std::make_index_sequence<tags>{},
                         std::make_index_sequence<sizeof...(Args) - tags>{});
  }
  template <class A, class... Args, class problem = detail::classic_problem<A>>
    requires(!detail::none<problem>)
  ref<A> spawn(Args&&... args) = delete;

  // A classic actor in your own storage. When it ends its allocation state is carried out: delete_ deletes it, destroy
  // runs its destructor, finished leaves it alone. Attach an object once. When a handler's run does not commit the
  // object is untouched.
  template <class A, detail::creation_tag... Tags, class problem = detail::classic_problem<A>>
    requires detail::none<problem>
  detail::made<A, Tags...> attach(A& object, Tags... tags) {
    return enlist<A>(detail::attached<A>::make(object), detail::placement::ordered, tags...);
  }
  template <class A, class problem = detail::classic_problem<A>>
    requires(!detail::none<problem>)
  ref<A> attach(A& object, auto...) = delete;

 protected:
  creator() noexcept = default;
  ~creator() = default;

 private:
  template <class A, class Args, std::size_t... T, std::size_t... I>
  auto spawn_from(Args&& args, std::index_sequence<T...>, std::index_sequence<I...>) {
    detail::closure& c = detail::spawned<A>::make(std::get<sizeof...(T) + I>(std::forward<Args>(args))...);
    return enlist_copies<A>(c, std::get<T>(args)...);
  }
  template <class A, class... Tags>
  detail::made<A, Tags...> enlist_copies(detail::closure& c, Tags... tags) {
    return enlist<A>(c, detail::placement::ordered, tags...);
  }
  template <class P, class... Tags>
  detail::made<P, Tags...> enlist(detail::closure& c, detail::placement otherwise, Tags&... tags) {
    static_assert((unsigned{detail::placement_tag<Tags>} + ... + 0U) <= 1, "tact: an actor has one placement");
    static_assert(!detail::classic<P> || !(std::is_same_v<Tags, parallel_t> || ...),
                  "tact: a classic actor handles one message at a time: leave tact::parallel out");
    if constexpr (std::is_same_v<detail::made<P, Tags...>, ref<P>>) {
      return detail::access::make_ref<P>(put(c, otherwise, tags...));
    } else {
      owner<P> only = detail::access::make_owner<P>(detail::own(c));
      detail::access::shared_of(only).who = put(c, otherwise, tags...);
      return only;
    }
  }
  // Self::put makes an actor of a closure; it takes that over, also when it throws.
  template <class... Tags>
  detail::port put(detail::closure& c, detail::placement otherwise, Tags&... tags) {
    const detail::placement where = detail::placement_among<Tags...>(otherwise);
    if constexpr (!(detail::particular<Tags> || ...)) {
      return detail::access::put(static_cast<Self&>(*this), c, where);
    } else {
      detail::particulars about{where};
      const auto note_one = [&]<class T>(T& tag) {
        if constexpr (detail::particular<T>) detail::note(about, tag);
      };
      (note_one(tags), ...);
      return detail::access::put(static_cast<Self&>(*this), c, std::move(about));
    }
  }
};

}  // namespace tact
