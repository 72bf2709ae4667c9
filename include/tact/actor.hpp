// tact::actor: base of classic actors, classes with mutable state and typed receive functions.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/attachment.hpp"
#include "tact/detail/maker.hpp"
#include "tact/failure.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/self.hpp"

namespace tact {

// Each of these names a reason why spawn or attach does not compile.
template <class M>
struct no_receive_for;  // no public receive(tact::self<A>&, M) can be called with a message that the class lists
template <class M>
struct receive_must_return_void_or_allocation;
struct not_a_classic_actor;  // the class does not derive from tact::actor<itself, messages...>

// class logger : public tact::actor<logger, line, flush> {
//  public:
//   void receive(tact::self<logger>& self, const line& m);         // stays alive
//   tact::allocation receive(tact::self<logger>& self, flush& m);  // nodelete stays; the others end it
// };
//
// One public receive for each message of Ms, which may include protocols, but none for tact::poison_pill; it takes the
// message as const M&, M& or by value. At most one receive runs at a time; the messages of one sender arrive in the
// order sent. What a receive sends and creates is staged, and discarded when the receive throws. Its changes to the
// members stay, so by default an actor whose receive throws ends. The class is its own protocol: tact::ref<logger>
// narrows to a ref of any message or included protocol. An object is spawned, then the engine owns it, or attached,
// then it stays yours and must live as long as messages come for it. Source of the idea: C∀ actors.
template <class Self, class... Ms>
class actor : public protocol<Ms...>, public detail::classic_tag, private detail::closure {
 public:
  actor(const actor&) = delete;
  actor& operator=(const actor&) = delete;

 protected:
  actor() noexcept = default;
#if defined(NDEBUG)
  ~actor() = default;
#else
  ~actor() {
    if (detail::attachment* const a = detail::attachment::of(*this)) a->note_destruction();
  }
#endif

 private:
  friend struct detail::access;
};

namespace detail {

template <class A, class M>
concept receives_in_place = requires(A& a, self<A>& s, M& m) { a.receive(s, m); };
template <class A, class M>
concept receives_by_move = requires(A& a, self<A>& s, M& m) { a.receive(s, std::move(m)); };

// Moves a message only into a receive that takes it no other way.
template <class A, class M>
decltype(auto) call_receive(A& a, self<A>& s, M& m) {
  if constexpr (receives_in_place<A, M>) {
    return a.receive(s, m);
  } else {
    return a.receive(s, std::move(m));
  }
}

template <class A, class M>
consteval auto find_receive_problem() {
  if constexpr (!is_handled<M>) {
    return std::type_identity<no_problem>{};
  } else if constexpr (!receives_in_place<A, M> && !receives_by_move<A, M>) {
    return std::type_identity<no_receive_for<M>>{};
  } else {
    using result = decltype(call_receive<A, M>(std::declval<A&>(), std::declval<self<A>&>(), std::declval<M&>()));
    constexpr bool good = std::is_void_v<result> || std::same_as<result, allocation>;
    return std::type_identity<problem_if<!good, receive_must_return_void_or_allocation<M>>>{};
  }
}

template <class A, class... Ms>
consteval auto find_classic_problem(list<Ms...>) {
  return first_problem<typename decltype(find_receive_problem<A, Ms>())::type...>{};
}

template <class A>
struct classic_check {
  using problem = std::conditional_t<complete<A>, not_a_classic_actor, protocol_must_be_complete<A>>;
};
template <classic A>
struct classic_check<A> {
  using problem = typename decltype(find_classic_problem<A>(messages_of<A>{}))::type;
};

template <class A, class M>
void enter_receive(closure& c, run& r, void* message) {
  M& m = *static_cast<M*>(message);
  if constexpr (has_customer<M>) owe_answer(r, m);
  auto s = access::make_self<self<A>>(r);
  if constexpr (std::is_void_v<decltype(call_receive(access::object_of<A>(c), s, m))>) {
    call_receive(access::object_of<A>(c), s, m);
  } else {
    const allocation how = call_receive(access::object_of<A>(c), s, m);
    if (how != allocation::nodelete) stage_stop(access::run_of(s), {how});
  }
  access::finish(s);
}

template <class A, class M>
consteval entry receive_for() {
  if constexpr (is_handled<M>) return &enter_receive<A, M>;
  return nullptr;
}

template <class A, class... Ms>
struct receive_table {
  static constexpr entry entries[] = {receive_for<A, Ms>()...};
  static constexpr std::string_view names[] = {type_name<Ms>...};
};

template <class A, class... Ms>
consteval behavior_type describe_classic(void (*destroy)(closure&, allocation) noexcept, list<Ms...>) {
  behavior_type t{};
  t.entries = receive_table<A, Ms...>::entries;
  t.entry_count = sizeof...(Ms);
  if constexpr (accepts<A, failure>) t.on_failure = &enter_receive<A, failure>;
  t.destroy = destroy;
  t.kind = actor_kind::classic;
  t.name = type_name<A>;
  t.message_names = receive_table<A, Ms...>::names;
  t.own_words = own_words_of<A>;
  return t;
}

// A classic actor in storage of the engine: whatever ends the actor, the object is destroyed and freed.
template <class A>
struct spawned {
  static void end(closure& c, allocation) noexcept { box<A>::end(std::addressof(access::object_of<A>(c))); }
  static constexpr behavior_type type = describe_classic<A>(&end, messages_of<A>{});

  template <class... Args>
  static closure& make(Args&&... args) {
    closure& c = access::closure_of(*box<A>(std::forward<Args>(args)...).release());
    c.type = &type;
    return c;
  }
};

// Makes the object of a classic actor from copies of the arguments, again and again.
template <class A, class... Args>
class object_maker final : public maker {
 public:
  template <class... Given>
  explicit object_maker(Given&&... given) : args_(std::forward<Given>(given)...) {}
  [[nodiscard]] closure* make() override {
    return std::apply([](const Args&... args) { return std::addressof(spawned<A>::make(args...)); }, args_);
  }

 private:
  const std::tuple<Args...> args_;
};

// Carries out the last allocation state of an object in the user's storage.
template <class A>
void end_attached(closure& c, allocation how) noexcept {
  A* a = std::addressof(access::object_of<A>(c));
  if (how == allocation::delete_) delete a;
  if (how == allocation::destroy) std::destroy_at(a);
}

// A classic actor in the user's storage, in a debug build, where an attachment stands between the actor and the object.
template <class A>
struct watched_attached {
  static void end(closure& c, allocation how) noexcept {
    auto& a = static_cast<attachment&>(c);
    closure& object = a.object();
    const bool is_there = a.give_back();
    box<attachment>::end(&a);
    if (is_there) end_attached<A>(object, how);
  }
  template <class M>
  static void enter(closure& c, run& r, void* message) {
    auto& a = static_cast<attachment&>(c);
    const attachment::handling now(a);
    enter_receive<A, M>(a.object(), r, message);
  }
  template <class... Ms>
  static consteval behavior_type describe(list<Ms...> all) {
    behavior_type t = describe_classic<A>(&end, all);
    t.entries = entries<Ms...>;
    if constexpr (accepts<A, failure>) t.on_failure = &enter<failure>;
    return t;
  }
  template <class M>
  static consteval entry entry_for() {
    if constexpr (is_handled<M>) return &enter<M>;
    return nullptr;
  }
  template <class... Ms>
  static constexpr entry entries[] = {entry_for<Ms>()...};
  static constexpr behavior_type type = describe(messages_of<A>{});
};

// A classic actor in the user's storage.
template <class A>
struct attached {
  static constexpr behavior_type type = describe_classic<A>(&end_attached<A>, messages_of<A>{});

  static closure& make(A& a, unknown_site) noexcept {
    closure& c = access::closure_of(a);
    c.type = &type;
    return c;
  }
  template <class Site>
  static closure& make(A& a, const Site& at) {
    closure& object = access::closure_of(a);
    if (const attachment* const before = attachment::of(object)) {
      throw usage_error("attach: this " + before->describe() +
                        " already; an object is one actor at a time, in one engine: attach another object");
    }
    return *box<attachment>(watched_attached<A>::type, type_name<A>, site_of(at), object).release();
  }
};

}  // namespace detail
}  // namespace tact

#include "tact/detail/end.hpp"  // last
