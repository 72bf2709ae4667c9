// tact::registry: names for actors, by which any part of a program finds them.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/data/map.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/held_message.hpp"
#include "tact/engine.hpp"
#include "tact/failure.hpp"
#include "tact/monitor.hpp"
#include "tact/owner.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/detail/leaving.hpp"
#include "tact/patterns/detail/name_change.hpp"
#include "tact/patterns/detail/name_table.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/value_at.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

// Asks a registry's office to let a name stand for an actor. The answer is false when the name is taken;
// `replacing` gives a query by which the actor takes the place of the one that had it.
//
// self.ask(names.office(), tact::register_name("prices", self.ref()), [](auto&, bool is_mine) {...});
struct register_name {
  using reply = bool;

  template <class P>
  register_name(std::string the_name, ref<P> who)
      : name(std::make_shared<const std::string>(std::move(the_name))), bound(detail::bind(who)) {}
  template <class P>
  [[deprecated("write tact::register_name::replacing(name, ref)")]] register_name(std::string the_name, ref<P> who,
                                                                                  bool in_place_of_another)
      : register_name(std::move(the_name), who) {
    replaces = in_place_of_another;
  }
  template <class P>
  [[nodiscard]] static register_name replacing(std::string the_name, ref<P> who) {
    register_name q(std::move(the_name), who);
    q.replaces = true;
    return q;
  }

  detail::shared_name name;
  detail::binding bound;
  bool replaces = false;
};
// Asks the office to forget a name. The answer is false when the name stood for no actor.
struct unregister_name {
  using reply = bool;

  explicit unregister_name(std::string the_name) : name(std::make_shared<const std::string>(std::move(the_name))) {}

  detail::shared_name name;
};

namespace detail {

// Asks the office for the address for which a name will stand, as the type that is wanted.
struct await_name {
  using reply = port;
  std::string name;
  const type_key* wanted;
};
// Tells the office that a thread has let a name stand for an actor.
struct name_entered {
  shared_name name;
  binding bound;
  std::uint64_t before = 0;  // the number of the binding in whose place that is; 0 if there was none
};
// Tells the office that a thread has let a name stand for no actor.
struct name_left {
  std::uint64_t number;
};
// Tells the office that the actor for which the name stood, or stands, has ended.
struct name_ended {
  shared_name name;
  std::uint64_t number;
};

}  // namespace detail

// The protocol of a registry's office. Programs send the first two; no limit holds for what the calls of threads, and
// the ends of actors, tell it.
struct registry_protocol
    : protocol<request<register_name>, request<unregister_name>, request<detail::await_name>,
               detail::own_words<detail::name_entered, detail::name_left, detail::name_ended>, failure> {};

namespace detail {

inline std::string another_protocol(std::string_view name, const binding& is, const type_key& wanted) {
  return "registry: \"" + std::string(name) + "\" was registered as ref<" + std::string(is.protocol->name) +
         ">, which does not narrow to ref<" + std::string(wanted.name) + ">: ask for what it was registered as";
}

// The behaviour of a registry's actor. The table is beside it, because threads read it and write to it as well. So what
// the handlers change there is taken back when their run fails.
struct naming_office {
  using self_type = self<registry_protocol>;
  using waiting_for_name = held<request<await_name>>;
  using waiting_list = queue<waiting_for_name>;  // for one name

  void operator()(self_type& self, const request<register_name>& m) const {
    if (m.body.bound.who == 0) throw usage_error("registry: a name stands for an actor: the ref is that of no actor");
    const auto change = counted<name_change>::make(table, m.body.name);
    self.on_commit([change] { change->kept = true; });
    const bool is_done =
        change->make(m.body.bound, [&](const binding& now) { return now.who == 0 || m.body.replaces; });
    if (is_done) enter(self, {m.body.name, change->next, change->before.number});
    self.reply(m, is_done);
  }
  void operator()(self_type& self, const request<unregister_name>& m) const {
    const auto change = counted<name_change>::make(table, m.body.name);
    self.on_commit([change] { change->kept = true; });
    const bool is_done = change->make({}, [](const binding& now) { return now.who != 0; });
    if (is_done) leave(self, change->before.number);
    self.reply(m, is_done);
  }
  void operator()(self_type& self, const request<await_name>& m) const {
    if (const binding now = table->find(m.body.name); now.who != 0) return answer(self, m, now);
    naming_office next = *this;
    const waiting_list* const others = value_at(waiting, m.body.name);
    next.waiting = waiting.insert_or_assign(
        m.body.name, (others == nullptr ? waiting_list() : *others).push_back(hold_back(self, m)));
    self.become(std::move(next));
  }
  void operator()(self_type& self, const name_entered& m) const {
    const sure_run sure(self);
    enter(self, m);
  }
  void operator()(self_type& self, const name_left& m) const {
    const sure_run sure(self);
    leave(self, m.number);
  }
  void operator()(self_type& self, const name_ended& m) const {
    const sure_run sure(self);
    binding nobody;
    table->change(m.name, nobody, [&](const binding& now) { return now.number == m.number; });
    self.become(naming_office{table, waiting, watched.erase(m.number)});
  }
  // A run whose message will not come again has failed, so everything is looked at once more.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    naming_office next = *this;
    for (const auto& [number, m] : watched) m.cancel();
    next.watched = {};
    table->for_each([&](const shared_name& name, const binding& b) { next.watch(self, {name, b}); });
    leaving<request<await_name>> answered(self);
    next.waiting = waiting.erase_if([&](const auto& those) { return answer_all(self, those.second, answered); });
    answered.commit();
    self.become(std::move(next));
  }

  void watch(self_type& self, const name_entered& e) {
    watched = std::move(watched).insert_or_assign(
        e.bound.number, self.monitor(access::make_ref<failure>(e.bound.who), name_ended{e.name, e.bound.number}));
  }
  // Takes back the monitor of the actor of that binding, if there is one.
  void forget(std::uint64_t number) {
    const monitor* const its = value_at(watched, number);
    if (its == nullptr) return;
    its->cancel();
    watched = std::move(watched).erase(number);
  }
  void leave(self_type& self, std::uint64_t number) const {
    naming_office next = *this;
    next.forget(number);
    self.become(std::move(next));
  }
  // Word that the binding was replaced, or that its actor has ended, may have come before this message: then the table
  // has another number for the name, and the actor is not watched.
  void enter(self_type& self, const name_entered& e) const {
    naming_office next = *this;
    next.forget(e.before);
    if (table->find(*e.name).number == e.bound.number) next.watch(self, e);
    leaving<request<await_name>> answered(self);
    const waiting_list* const those = value_at(waiting, *e.name);
    if (those != nullptr && answer_all(self, *those, answered)) next.waiting = waiting.erase(*e.name);
    answered.commit();
    self.become(std::move(next));
  }
  // Answers all requests that wait for one name. False: the name stands for no actor.
  [[nodiscard]] bool answer_all(self_type& self, const waiting_list& those,
                                leaving<request<await_name>>& answered) const {
    const binding now = table->find(those.front()->message.body.name);
    if (now.who == 0) return false;
    for (const waiting_for_name& w : those) {
      with_context(w->in, [&] { answer(self, w->message, now); });
      answered.note(w);
    }
    return true;
  }
  static void answer(transaction& tx, const request<await_name>& m, const binding& now) {
    if (const port who = now.narrowed_to(*m.body.wanted)) return tx.reply(m, who);
    tx.fail(m, failure{failure_reason::handler_threw, another_protocol(m.body.name, now, *m.body.wanted)});
  }

  std::shared_ptr<name_table> table;
  map<std::string, waiting_list> waiting{};  // by the name
  map<std::uint64_t, monitor> watched{};     // by the number of the binding
};

// Refuses a call of a thread that a handler makes.
inline void refuse_name_change(const char* call, const char* instead) {
  if (current_run() == nullptr) return;
  throw usage_error(std::string(call) +
                    " is no part of a transaction; inside a handler call self.ask(names.office(), " + instead +
                    ", then, otherwise)");
}

}  // namespace detail

// const tact::registry names(engine);
// names.add("prices", engine.create(...));            // anywhere
// const tact::ref<tick> prices = names.find<tick>("prices");  // anywhere else
//
// Names within an engine. A name stands for one actor, and says with which protocol that was registered. It is free
// again soon after its actor has ended: as soon as the registry's actor has heard of that. Names keep no actor alive.
// The registry is copied like a shared pointer; with the last copy its actor ends, and requests that wait in it fail
// with target_ended. Nothing is global: a program has as many registries as it makes.
// Thread safety: all calls from any thread, concurrently. find takes no lock. Source of the idea: Erlang's registered
// processes, and the directory of Lisp-Actors.
class registry {
 public:
  explicit registry(engine& e) : table_(std::make_shared<detail::name_table>()), owner_(make_office(e, table_)) {}

  // Lets the name stand for `who`; found by other threads when the call returns. False: the name is taken, and nothing
  // has changed. Throws usage_error for a null ref, and inside a handler, where register_name is the right form.
  template <class P>
  bool add(std::string name, ref<P> who) const {
    detail::refuse_name_change("registry.add", "tact::register_name(name, ref)");
    return put(std::move(name), who, [](const detail::binding& now) { return now.who == 0; });
  }
  // Lets the name stand for `who` in the place of the actor that had it. Returns false when no actor had it.
  template <class P>
  bool replace(std::string name, ref<P> who) const {
    detail::refuse_name_change("registry.replace", "tact::register_name::replacing(name, ref)");
    bool was_taken = false;
    put(std::move(name), who, [&](const detail::binding& now) {
      was_taken = now.who != 0;
      return true;
    });
    return was_taken;
  }
  // Forgets the name. Returns false when it stood for no actor. Throws usage_error inside a handler.
  bool remove(std::string name) const {
    detail::refuse_name_change("registry.remove", "tact::unregister_name(name)");
    detail::binding nobody;
    const auto shared = std::make_shared<const std::string>(std::move(name));
    const detail::binding before = table_->change(shared, nobody, [](const detail::binding&) { return true; });
    if (before.who == 0) return false;
    office() | detail::name_left{before.number};
    return true;
  }

  // The actor for which the name stands, also inside a handler, where it is read at once; that of no actor when there
  // is none. P is what the actor was registered as, or what that narrows to; for another protocol it throws
  // usage_error, whose text names both.
  template <class P>
  [[nodiscard]] ref<P> find(std::string_view name) const {
    const detail::binding now = table_->find(name);
    if (now.who == 0) return {};
    const detail::port who = now.narrowed_to(detail::key_of_type<P>);
    if (who == 0) throw usage_error(detail::another_protocol(name, now, detail::key_of_type<P>));
    return detail::access::make_ref<P>(who);
  }
  // In a handler: calls then(tx, ref<P>) when the name stands for an actor, at once if it does already. When that will
  // never be, because the registry has ended, or the actor was registered with another protocol, it calls
  // otherwise(tx, failure).
  template <class P, class Then, class Otherwise>
  void await(transaction& tx, std::string name, Then then, Otherwise otherwise) const {
    tx.ask(
        office(), detail::await_name{std::move(name), &detail::key_of_type<P>},
        [then = std::move(then)](transaction& t, detail::port who) { then(t, detail::access::make_ref<P>(who)); },
        std::move(otherwise));
  }
  // Outside of handlers: waits until the name stands for an actor. Throws what engine.ask throws.
  template <class P>
  [[nodiscard]] ref<P> await(engine& e, std::string name) const {
    return detail::access::make_ref<P>(e.ask(office(), detail::await_name{std::move(name), &detail::key_of_type<P>}));
  }
  // Waits as the call above does, but for `limit` at most; the result is empty when there is no such actor by then.
  template <class P, class Rep, class Period>
  [[nodiscard]] ref<P> await(engine& e, std::string name, std::chrono::duration<Rep, Period> limit) const {
    const auto who = e.ask(office(), detail::await_name{std::move(name), &detail::key_of_type<P>}, limit);
    return detail::access::make_ref<P>(who.value_or(0));
  }

  // The registry's actor, for the requests of handlers. The ref does not keep the registry alive.
  [[nodiscard]] ref<registry_protocol> office() const noexcept { return owner_.ref(); }

 private:
  static owner<registry_protocol> make_office(engine& e, const std::shared_ptr<detail::name_table>& table) {
    return e.create(behavior<registry_protocol>(detail::naming_office{table}), tact::owned);
  }
  template <class P, class May>
  bool put(std::string name, ref<P> who, const May& may) const {
    if (!who) throw usage_error("registry: a name stands for an actor: the ref is that of no actor");
    detail::binding next = detail::bind(who);
    detail::name_change change(table_, std::make_shared<const std::string>(std::move(name)));
    if (!change.make(next, may)) return false;
    office() | detail::name_entered{change.name, change.next, change.before.number};
    change.kept = true;
    return true;
  }

  std::shared_ptr<detail::name_table> table_;
  owner<registry_protocol> owner_;
};

// Names of earlier versions; they go with the next one.
using naming [[deprecated("use tact::registry_protocol")]] = registry_protocol;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
