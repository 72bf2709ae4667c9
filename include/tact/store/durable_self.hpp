// tact::durable_self: the calls of a durable actor's handler, whose effects come when they are on the disk.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/detail/deadline.hpp"
#include "tact/detail/type_name.hpp"
#include "tact/failure.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/store/detail/durable_rows.hpp"
#include "tact/store/detail/store_bytes.hpp"
#include "tact/timer.hpp"
#include "tact/transaction.hpp"

namespace tact {

// The address of a durable actor: its name, which is the same after a crash. What a durable actor sends to it is in the
// file before it leaves, and is taken once by the actor of that name in the same file, also if that is made later.
template <class P>
struct durable_ref {
  std::string name{};

  friend bool operator==(const durable_ref&, const durable_ref&) = default;
};

namespace detail {

// What a handler has done and is not seen yet.
class held_effects {
 public:
  template <class F>
  void add(F f) {
    all_.push_back(std::make_unique<const one_of<F>>(std::move(f)));
  }
  void add_customer(ref<failure> customer) { customers_.push_back(customer); }

  // Does all of it, in the order of the calls.
  void take(transaction& tx) const {
    for (const auto& e : all_) e->take(tx);
  }
  // Tells those who wait for an answer that none will come.
  void fail(transaction& tx, const failure& why) const {
    for (const auto& c : customers_) tx.send(c, why);
  }
  [[nodiscard]] bool empty() const noexcept { return all_.empty() && customers_.empty(); }

 private:
  struct one {
    one() = default;
    one(const one&) = delete;
    one& operator=(const one&) = delete;
    virtual ~one() = default;
    virtual void take(transaction& tx) const = 0;
  };
  template <class F>
  struct one_of final : one {
    explicit one_of(F f) : function(std::move(f)) {}
    void take(transaction& tx) const override { function(tx); }
    F function;
  };

  std::vector<std::unique_ptr<const one>> all_{};
  std::vector<ref<failure>> customers_{};
};

// The timer of a durable actor.
struct timer_due {
  std::string row{};
  std::string message{};
};

template <class P>
struct durable_protocol;

struct durable_access;

}  // namespace detail

// The handler's first argument: tact::self of a durable actor. All calls take effect together when the handler has
// returned and what it did is in the file, or not at all: so an answer that was heard is never forgotten. P is the
// actor's protocol, S its state. Thread safety: it belongs to the handler that runs.
template <class P, class S>
class durable_self {
 public:
  durable_self(const durable_self&) = delete;
  durable_self& operator=(const durable_self&) = delete;

  // The actor's name in the file.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Its address in this process.
  [[nodiscard]] tact::ref<P> ref() const noexcept { return own_; }
  // The address that lasts.
  [[nodiscard]] durable_ref<P> durable() const { return {name_}; }

  // The state with which the next message is handled. The last call wins.
  void become(S next) { next_.emplace(std::move(next)); }

  // Sends m, which is lost if the program ends before it was handled.
  template <class T, class M, class problem = detail::without<detail::send_problem<T, M>>>
  void send(tact::ref<T> to, M&& m) {
    using kept = detail::sent_as_t<T, M>;
    static_assert(std::is_copy_constructible_v<kept>,
                  "tact::durable_self::send: the message is kept until the state is "
                  "durable, so it must be copyable");
    if constexpr (detail::has_customer<kept>) note_passed(detail::access::port_of(m.customer));
    effects_.add([to, m = kept(std::forward<M>(m))](transaction& tx) { tx.send(to, m); });
  }
  // Sends m to a durable actor of the same file, which takes it once, whatever stops and wherever. The messages of this
  // actor to that one arrive in their order.
  template <class T, class M>
    requires detail::accepts<T, std::remove_cvref_t<M>>
  void send(const durable_ref<T>& to, const M& m) {
    static_assert(!detail::has_customer<M>,
                  "tact::durable_self::send: a request has a customer of this process, and does not last: send a "
                  "message with the durable_ref of the one that is to be told");
    detail::check_durable_name(to.name);
    const std::uint64_t number = ++head_.sent;
    detail::add_shape<M>(front_, changes_);
    changes_.push_back({tables_.inbox, detail::row_key(to.name, name_, number),
                        detail::row_of_message(detail::type_name<M>, detail::value_bytes(m))});
  }
  // Sends m to this actor when `delay` has passed, counted from when this is durable. The timer lasts; if its time
  // passes while the program does not run, m comes when the actor is made again.
  template <class Rep, class Period, class M>
    requires detail::accepts<P, std::remove_cvref_t<M>>
  void send_after(std::chrono::duration<Rep, Period> delay, const M& m) {
    const std::chrono::nanoseconds wait(detail::whole_ns(delay));
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t due = detail::sum_ns(now.count(), wait.count());
    detail::add_shape<M>(front_, changes_);
    detail::timer_due timer{detail::row_key(name_, ++head_.timers),
                            detail::row_of_message(detail::type_name<M>, detail::value_bytes(m))};
    std::string value = detail::key_bytes(due);
    changes_.push_back({tables_.timers, timer.row, std::move(value) + timer.message});
    effects_.add([own = fires_, wait, timer](transaction& tx) { tx.send_after(wait, own, timer); });
  }

  // Answers the request that is handled, or one that was deferred.
  template <class Q>
    requires(!std::is_void_v<typename Q::reply>)
  void reply(const request<Q>& to, std::type_identity_t<typename request<Q>::reply> value) {
    effects_.add([to = to.customer, value = std::move(value)](transaction& tx) { tx.send(to, value); });
    note_passed(detail::access::port_of(to.customer));
  }
  template <class Q>
    requires std::is_void_v<typename Q::reply>
  void reply(const request<Q>& to) {
    effects_.add([to = to.customer](transaction& tx) { tx.send(to, done{}); });
    note_passed(detail::access::port_of(to.customer));
  }
  // Tells its customer that the request fails.
  template <class Q>
  void fail(const request<Q>& to, failure why) {
    const auto customer = detail::access::make_ref<failure>(detail::access::port_of(to.customer));
    effects_.add([customer, why = std::move(why)](transaction& tx) { tx.send(customer, why); });
    note_passed(detail::access::port_of(to.customer));
  }
  // The handler does not answer this request now. The customer is kept in the state or in another actor of this
  // process; if the program ends, it hears that too.
  template <class Q>
  void defer(const request<Q>& m) noexcept {
    note_passed(detail::access::port_of(m.customer));
  }
  // Ends the actor, and takes its state and its timers out of the file. What waits in its inbox stays.
  void stop() noexcept { stops_ = true; }

 private:
  friend struct detail::durable_access;
  durable_self(const std::string& name, detail::store_front& front, const detail::durable_tables& tables,
               tact::ref<P> own, tact::ref<detail::timer_due> fires, const detail::durable_head& head)
      : name_(name), front_(front), tables_(tables), own_(own), fires_(fires), head_(head) {}

  void note_passed(detail::port customer) noexcept {
    if (owed_ == customer) is_owed_ = false;
  }

  const std::string& name_;
  detail::store_front& front_;
  const detail::durable_tables& tables_;
  tact::ref<P> own_;
  tact::ref<detail::timer_due> fires_;
  detail::durable_head head_;
  std::optional<S> next_{};
  std::vector<detail::byte_change> changes_{};
  detail::held_effects effects_{};
  detail::port owed_{};  // the customer of the request that is handled
  bool is_owed_ = false;
  bool stops_ = false;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
