// tact::creator: how actors are made; the same calls for an engine, a handler's transaction and a scope.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/creation_options.hpp"
#include "tact/detail/group.hpp"
#include "tact/mailbox_limit.hpp"
#include "tact/mailbox_order.hpp"
#include "tact/named.hpp"
#include "tact/owner.hpp"
#include "tact/placement.hpp"
#include "tact/ref.hpp"
#include "tact/restarting.hpp"

namespace tact {

// Each of these names a reason why spawn does not compile; actor.hpp has those that lie in the class itself.
template <class A, class... Args>
struct constructor_does_not_take;  // no public constructor of A takes these arguments, which are those behind the tags
template <class A>
struct tags_come_first;  // a tag stands behind an argument of A's constructor: spawn<A>(tact::heavy, arguments...)
template <class A>
struct destructor_is_not_public;  // the engine must be able to destroy the object

namespace detail {

// Defined in actor.hpp.
template <class A>
struct spawned;
template <class A>
struct attached;
template <class A, class... Args>
class object_maker;
template <class A>
struct classic_check;
template <class A>
using classic_problem = typename classic_check<A>::problem;
struct no_problem;

// -- how an actor is placed, by the tag that a user gives
template <class Tag>
struct placed_by;
template <>
struct placed_by<parallel_t> {
  static constexpr placement where = placement::parallel;
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
inline void note(creation_options& p, tact::named& n) noexcept { p.name = std::move(n.name); }
inline void note(creation_options& p, failure_rule& r) noexcept { p.rule = std::move(r); }
inline void note(creation_options& p, mailbox_limit& l) noexcept { p.limit = l; }
inline void note(creation_options& p, std::shared_ptr<maker>& again) noexcept { p.restart.again = std::move(again); }
inline void note(creation_options& p, mailbox_order& o) noexcept { p.order = std::move(o); }
template <class Tag>
concept creation_option = requires(creation_options& p, Tag& t) { note(p, t); };

template <class Tag>
concept creation_tag =
    placement_tag<Tag> || creation_option<Tag> || std::is_same_v<Tag, owned_t> || std::is_same_v<Tag, restartable_t>;
template <class... Args>
inline constexpr bool has_restartable = (std::is_same_v<std::remove_cvref_t<Args>, restartable_t> || ...);

// Stands for an argument that was not given. The calls take a fixed number of arguments, and not a pack, because behind
// a pack there can be no default argument, such as the one that notes where the call stands.
struct absent {};
template <class Tag>
concept optional_tag = creation_tag<Tag> || std::is_same_v<Tag, absent>;
template <class... Args>
inline constexpr std::size_t count_present = (std::size_t{!std::is_same_v<Args, absent>} + ... + 0);

// The placement among tags, `otherwise` if there is none.
template <class... Tags>
constexpr placement placement_among(placement otherwise) noexcept {
  [[maybe_unused]] const auto look = [&]<class T>(std::type_identity<T>) {
    if constexpr (placement_tag<T>) otherwise = placed_by<T>::where;
  };
  (look(std::type_identity<Tags>{}), ...);
  return otherwise;
}

// The type that a creation with these tags returns.
template <class P, class... Tags>
using made = std::conditional_t<(std::is_same_v<Tags, owned_t> || ...), owner<P>, ref<P>>;

// How many of the first Args are tags.
template <class... Args>
inline constexpr std::size_t tags_before = 0;
template <class Arg, class... Args>
inline constexpr std::size_t tags_before<Arg, Args...> =
    creation_tag<std::remove_cvref_t<Arg>> ? 1 + tags_before<Args...> : 0;

template <class... Args>
inline constexpr std::size_t tags_among = (std::size_t{creation_tag<std::remove_cvref_t<Args>>} + ... + 0);

// As `made`, for tags that stand before the arguments of a constructor.
template <class P, class... Args>
struct made_before_all : std::type_identity<ref<P>> {};
template <class P, class Arg, class... Args>
  requires creation_tag<std::remove_cvref_t<Arg>>
struct made_before_all<P, Arg, Args...>
    : std::conditional_t<std::is_same_v<std::remove_cvref_t<Arg>, owned_t>, std::type_identity<owner<P>>,
                         made_before_all<P, Args...>> {};
template <class P, class... Args>
using made_before = typename made_before_all<P, Args...>::type;

// The arguments of A's constructor: those behind the tags that were given.
template <class A, class... Args>
struct made_of;
template <class A, std::size_t... I, class... Args>
struct made_of<A, std::index_sequence<I...>, Args...> {
  template <template <class, class...> class T>
  using with = T<A, std::tuple_element_t<tags_before<Args...> + I, std::tuple<Args&&...>>...>;
};

template <class A, class... Args>
consteval auto find_spawn_problem() {
  using problem = classic_problem<A>;
  constexpr std::size_t rest = count_present<Args...> - tags_before<Args...>;
  using given = made_of<A, std::make_index_sequence<rest>, Args...>;
  if constexpr (!std::is_same_v<problem, no_problem>) {
    return std::type_identity<problem>{};
  } else if constexpr (!std::is_destructible_v<A>) {
    return std::type_identity<destructor_is_not_public<A>>{};
  } else if constexpr (!given::template with<std::is_constructible>::value &&
                       tags_among<Args...> != tags_before<Args...>) {
    return std::type_identity<tags_come_first<A>>{};
  } else if constexpr (!given::template with<std::is_constructible>::value) {
    return std::type_identity<typename given::template with<constructor_does_not_take>>{};
  } else {
    return std::type_identity<no_problem>{};
  }
}
template <class A, class... Args>
using spawn_problem = typename decltype(find_spawn_problem<A, Args...>())::type;

}  // namespace detail

// Tags say what is special about an actor. They may stand in any order, each kind once:
//   tact::parallel                       it handles several messages at once, in no promised order; not a classic one
//   tact::heavy, tact::blocking          where it is handled: on a shard, or a thread, of its own
//   tact::named("teller 3")                      its name in reports
//   tact::failure_rule(...)                      what becomes of it when a handler throws
//   tact::mailbox_limit{.messages = 1000}        how much may wait for it
//   tact::restartable                            it can be restarted; a classic one. Others: tact::restarting
//   tact::by_priority(f), tact::by_deadline(f)   what it handles first of what waits for it; not a parallel one
//   tact::owned                                  it ends with its last owner; an owner<P> is returned, not a ref<P>
// The actor exists on return. An actor that is made inside a handler of the same engine exists from the commit on: its
// address may be sent before, and messages that reach it are handled after the commit. Throws std::bad_alloc; with
// tact::blocking also usage_error when engine_options::blocking_max of them are alive, and std::system_error when the
// system gives no thread for one.
// In debug builds each call notes the place in the source where it stands: see engine_options::report_alive.
template <class Self>
class creator {
  using absent = detail::absent;
  using call_site = detail::call_site;

 public:
  // Makes an actor with the behaviour b, and returns its address. From an empty behaviour, behavior<P>{}, no actor is
  // made, and the address is that of no actor.
  // The actor handles one message at a time, those of one sender in the order sent, and never collides. Heavy: the
  // same, on a shard of its own while such shards are left. Blocking: the same, on a thread of its own. Parallel:
  // several workers may handle its messages at once; no order is promised.
  template <class P, detail::optional_tag T1 = absent, detail::optional_tag T2 = absent,
            detail::optional_tag T3 = absent, detail::optional_tag T4 = absent>
  [[nodiscard]] detail::made<P, T1, T2, T3, T4> create(behavior<P> b, T1 tag1 = {}, T2 tag2 = {}, T3 tag3 = {},
                                                       T4 tag4 = {}, call_site at = call_site::current()) {
    static_assert(!detail::has_restartable<T1, T2, T3, T4>,
                  "tact: create takes what makes the behaviour of a restartable actor: "
                  "create(tact::restarting([=] { return open_account(0); }))");
    detail::closure* c = detail::access::take(b);
    if (c == nullptr) return {};
    return enlist<P>(*c, detail::placement::ordered, at, tag1, tag2, tag3, tag4);
  }
  // Makes an actor that can be restarted, with the first behaviour that the function of `what` returns. Throws what
  // that function throws, too.
  template <class F, detail::optional_tag T1 = absent, detail::optional_tag T2 = absent,
            detail::optional_tag T3 = absent, detail::optional_tag T4 = absent>
    requires detail::makes_behavior<F>
  [[nodiscard]] auto create(restarting<F> what, T1 tag1 = {}, T2 tag2 = {}, T3 tag3 = {}, T4 tag4 = {},
                            call_site at = call_site::current()) {
    using P = detail::protocol_made_by<F>;
    std::shared_ptr<detail::maker> again = std::make_shared<detail::behavior_maker<F>>(std::move(what.make));
    detail::closure* const c = again->make();
    if (c == nullptr) return detail::made<P, T1, T2, T3, T4>{};
    return enlist<P>(*c, detail::placement::ordered, at, again, tag1, tag2, tag3, tag4);
  }
  template <class F>
    requires(!detail::makes_behavior<F>)
  void create(const restarting<F>&, auto...) {
    static_assert(detail::makes_behavior<F>,
                  "tact::restarting takes a function without arguments that returns a tact::behavior<P>, and can be "
                  "called again and again");
  }

  template <class P, class... Args>
    requires(!(detail::optional_tag<Args> && ...))
  ref<P> create(behavior<P>, const Args&...) {
    static_assert(!(std::is_convertible_v<Args, std::string> || ...),
                  "tact: a name is a tag: create(behaviour, tact::named(\"...\"))");
    static_assert((std::is_convertible_v<Args, std::string> || ...),
                  "tact: behind the behaviour stand tags only, such as tact::heavy; what an actor begins with its "
                  "behaviour captures");
    return {};
  }
  template <detail::creation_tag Tag, class P>
  ref<P> create(const Tag&, const behavior<P>&, const auto&...) {
    static_assert(sizeof(Tag) == 0, "tact: the behaviour comes first, tags behind it: create(behaviour, tag)");
    return {};
  }

  // Makes actors that know each other: `make` takes one ref<P> for each actor and returns a std::tuple of as many
  // behavior<P>. Throws what `make` throws; then none of the actors exists.
  template <class F>
  [[nodiscard]] auto create_group(F make, call_site at = call_site::current()) {
    return detail::group_of<F>::make(make, home(detail::placement::ordered, at));
  }
  template <class F>
  [[nodiscard]] auto create_group(F make, parallel_t, call_site at = call_site::current()) {
    return detail::group_of<F>::make(make, home(detail::placement::parallel, at));
  }
  template <class F, detail::placement_tag T>
  auto create_group(F make, T) = delete;  // the actors of a group are ordered or parallel

  // Makes a classic actor in storage of the engine. The object is constructed at once from the arguments behind the
  // tags. Throws what its constructor throws. When the run of a handler that calls this does not commit, the object is
  // destroyed. In a template in which the type of the creator depends on a parameter, C++ wants one word more:
  // `self.template spawn<A>(...)`.
  template <class A, class T1 = absent, class T2 = absent, class T3 = absent, class T4 = absent, class T5 = absent,
            class T6 = absent, class problem = detail::without<detail::spawn_problem<A, T1, T2, T3, T4, T5, T6>>>
  detail::made_before<A, T1, T2, T3, T4, T5, T6> spawn(T1&& arg1 = {}, T2&& arg2 = {}, T3&& arg3 = {}, T4&& arg4 = {},
                                                       T5&& arg5 = {}, T6&& arg6 = {},
                                                       call_site at = call_site::current()) {
    constexpr std::size_t tags = detail::tags_before<T1, T2, T3, T4, T5, T6>;
    constexpr std::size_t all = detail::count_present<T1, T2, T3, T4, T5, T6>;
    return spawn_from<A>(std::forward_as_tuple(std::forward<T1>(arg1), std::forward<T2>(arg2), std::forward<T3>(arg3),
                                               std::forward<T4>(arg4), std::forward<T5>(arg5), std::forward<T6>(arg6)),
                         at, std::make_index_sequence<tags>{}, std::make_index_sequence<all - tags>{});
  }
  // Makes a classic actor from more arguments than the call above takes; this call does not note where it stands.
  template <class A, class... Args, class problem = detail::without<detail::spawn_problem<A, Args...>>>
    requires(sizeof...(Args) > 6)
  detail::made_before<A, Args...> spawn(Args&&... args) {
    constexpr std::size_t tags = detail::tags_before<Args...>;
    return spawn_from<A>(std::forward_as_tuple(std::forward<Args>(args)...), detail::unknown_site{},
                         std::make_index_sequence<tags>{}, std::make_index_sequence<sizeof...(Args) - tags>{});
  }
  template <class A, class... Args, detail::some problem = detail::spawn_problem<A, Args...>>
  ref<A> spawn(Args&&... args) = delete;

  // Makes a classic actor of an object in your own storage. When the actor ends, its allocation state is carried out:
  // delete_ deletes the object, destroy runs its destructor, finished leaves it alone. One object is one actor at a
  // time: a debug build throws usage_error when the object is attached already. It ends the program when a message
  // comes for an object that was destroyed, and when an object is destroyed while it handles a message. When the run of
  // a handler that calls this does not commit, the object is left untouched.
  template <class A, detail::optional_tag T1 = absent, detail::optional_tag T2 = absent,
            detail::optional_tag T3 = absent, detail::optional_tag T4 = absent,
            class problem = detail::without<detail::classic_problem<A>>>
  detail::made<A, T1, T2, T3, T4> attach(A& object, T1 tag1 = {}, T2 tag2 = {}, T3 tag3 = {}, T4 tag4 = {},
                                         call_site at = call_site::current()) {
    static_assert(!detail::has_restartable<T1, T2, T3, T4>,
                  "tact: an attached object is yours, and the engine cannot make it anew: spawn a restartable actor");
    return enlist<A>(detail::attached<A>::make(object, at), detail::placement::ordered, at, tag1, tag2, tag3, tag4);
  }
  template <class A, detail::some problem = detail::classic_problem<A>>
  ref<A> attach(A& object, auto...) = delete;

 protected:
  creator() noexcept = default;
  ~creator() = default;

 private:
  // Reserves and installs the actors of a group: what detail::group calls.
  template <class Site>
  struct home_of_group {
    Self& self;
    detail::placement where;
    Site at;

    detail::port reserve() {
      if constexpr (detail::is_known<Site>) {
        return detail::access::reserve(self, detail::creation_options{where, detail::site_of(at)});
      } else {
        return detail::access::reserve(self, where);
      }
    }
    void install(detail::port reserved, detail::closure& c) { detail::access::install(self, reserved, c); }
    void abandon(detail::port reserved) noexcept { detail::access::abandon(self, reserved); }
  };

  template <class Site>
  home_of_group<Site> home(detail::placement where, Site at) noexcept {
    return {static_cast<Self&>(*this), where, at};
  }

  template <class A, class Args, class Site, std::size_t... T, std::size_t... I>
  auto spawn_from(Args&& args, Site at, std::index_sequence<T...>, std::index_sequence<I...>) {
    if constexpr (detail::has_restartable<std::tuple_element_t<T, Args>...>) {
      return spawn_from_copies<A, std::decay_t<std::tuple_element_t<sizeof...(T) + I, Args>>...>(
          at, std::forward_as_tuple(std::get<T>(args)...),
          std::forward_as_tuple(std::get<sizeof...(T) + I>(std::forward<Args>(args))...));
    } else {
      const auto make = [&]() -> detail::closure& {
        return detail::spawned<A>::make(std::get<sizeof...(T) + I>(std::forward<Args>(args))...);
      };
      return enlist_copies<A>(make, at, std::get<T>(args)...);
    }
  }
  // The object is made from copies of the arguments, again and again.
  template <class A, class... Copies, class Site, class... Tags, class... Args>
  auto spawn_from_copies(Site at, const std::tuple<Tags...>& tags, std::tuple<Args...>&& args) {
    constexpr bool are_copied = (std::is_copy_constructible_v<Copies> && ...);
    constexpr bool fit = std::is_constructible_v<A, const Copies&...>;
    static_assert(
        are_copied,
        "tact::restartable: the object is made from copies of the arguments, so each of them must be copyable");
    static_assert(fit || !are_copied,
                  "tact::restartable: the object is made from constant copies of the arguments, which its constructor "
                  "must take: const T& or T; wrap in std::ref what is to be passed by reference");
    if constexpr (are_copied && fit) {
      const std::shared_ptr<detail::maker> makes = std::apply(
          [](Args&&... given) {
            return std::make_shared<detail::object_maker<A, Copies...>>(std::forward<Args>(given)...);
          },
          std::move(args));
      const auto make = [&]() -> detail::closure& { return *makes->make(); };
      return std::apply([&](const auto&... each) { return enlist_copies<A>(make, at, makes, each...); }, tags);
    } else {
      return detail::made<A, std::remove_cvref_t<Tags>...>{};
    }
  }
  // The tags are copied before the object is made, because copying them may throw.
  template <class A, class Make, class Site, class... Tags>
  detail::made<A, Tags...> enlist_copies(const Make& make, Site at, Tags... tags) {
    return enlist<A>(make(), detail::placement::ordered, at, tags...);
  }
  template <class P, class Site, class... Tags>
  detail::made<P, Tags...> enlist(detail::closure& c, detail::placement otherwise, Site at, Tags&... tags) {
    static_assert((unsigned{detail::placement_tag<Tags>} + ... + 0U) <= 1, "tact: an actor has one placement");
    static_assert(!detail::classic<P> || !(std::is_same_v<Tags, parallel_t> || ...),
                  "tact: a classic actor handles one message at a time: leave tact::parallel out");
    settle_order<P>(tags...);
    if constexpr (std::is_same_v<detail::made<P, Tags...>, ref<P>>) {
      return detail::access::make_ref<P>(put(c, otherwise, at, tags...));
    } else {
      owner<P> only = detail::access::make_owner<P>(detail::own(c));
      detail::access::shared_of(only).who = put(c, otherwise, at, tags...);
      return only;
    }
  }
  template <class P, class... Tags>
  static void settle_order([[maybe_unused]] Tags&... tags) noexcept {
    if constexpr ((detail::ordering_tag<Tags> || ...)) {
      static_assert((unsigned{detail::ordering_tag<Tags>} + ... + 0U) <= 1, "tact: a mailbox has one order");
      static_assert(!(std::is_same_v<Tags, parallel_t> || ...),
                    "tact: a parallel actor handles messages in no promised order: leave tact::parallel out, or the "
                    "order of its mailbox");
      const auto settle_one = [&]<class T>(T& tag) {
        if constexpr (detail::ordering_tag<T>) tag.template settle<P>();
      };
      (settle_one(tags), ...);
    }
  }
  // Self::put makes an actor of a closure. It takes the closure over, also when it throws.
  template <class Site, class... Tags>
  detail::port put(detail::closure& c, detail::placement otherwise, Site at, Tags&... tags) {
    const detail::placement where = detail::placement_among<Tags...>(otherwise);
    if constexpr (!detail::is_known<Site> && !(detail::creation_option<Tags> || ...)) {
      return detail::access::put(static_cast<Self&>(*this), c, where);
    } else {
      detail::creation_options about{where, detail::site_of(at)};
      using detail::note;  // and those of tags that other headers have
      const auto note_one = [&]<class T>(T& tag) {
        if constexpr (detail::creation_option<T>) note(about, tag);
      };
      (note_one(tags), ...);
      return detail::access::put(static_cast<Self&>(*this), c, std::move(about));
    }
  }
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
