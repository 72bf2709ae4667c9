// The behaviours of a durable actor: closed, being opened, open, and one that cannot go on.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/data/map.hpp"
#include "tact/data/queue.hpp"
#include "tact/data/set.hpp"
#include "tact/detail/front.hpp"
#include "tact/patterns/stash.hpp"
#include "tact/store/detail/durable_parts.hpp"
#include "tact/store/detail/durable_rows.hpp"
#include "tact/store/detail/store_access.hpp"
#include "tact/store/durable_self.hpp"

namespace tact::detail {

// Opens the actor without another message.
struct durable_begin {};
// What the writer says when the actor may begin.
struct durable_chain {
  write_answer answer{};
};
// A message of another durable actor, which is in the file.
struct inbox_item {
  std::string row{};
  std::string message{};
};
// A handler has failed to take a message that was in the file.
struct failed_item {
  std::exception_ptr why{};
};

template <class P>
struct durable_protocol
    : protocol<P, own_words<durable_begin, durable_chain, inbox_item, timer_due, failed_item, write_answer, failure>> {
};

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};

// What a durable actor is, whatever becomes of it.
template <class P, class S, class H>
struct durable_setup {
  using protocol_type = P;
  using state_type = S;

  durable_setup(std::shared_ptr<store_core> c, std::string n, S f, H h)
      : core(std::move(c)),
        name(std::move(n)),
        first(std::move(f)),
        handlers(std::move(h)),
        tables(core->front().file()) {}

  std::shared_ptr<store_core> core;
  std::string name;
  S first;
  H handlers;
  durable_tables tables;
  mutable std::atomic<bool> is_watched{false};  // the writer tells the actor what comes into its inbox
};

struct durable_access {
  template <class P, class S>
  static durable_self<P, S> make(const std::string& name, store_front& front, const durable_tables& tables,
                                 ref<durable_protocol<P>> own, const durable_head& head) {
    return durable_self<P, S>(name, front, tables, own, own, head);
  }
  template <class Self, class Q>
  static void owe(Self& self, const request<Q>& m) {
    self.owed_ = access::port_of(m.customer);
    self.is_owed_ = true;
    self.effects_.add_customer(access::make_ref<failure>(self.owed_));
  }
  template <class Self, class M>
  static void owe(Self&, const M&) {}
  // Nothing else tells the customer of a request that the handler has forgotten.
  template <class Self>
  static void end(Self& self) {
    if (!self.is_owed_) return;
    const auto customer = access::make_ref<failure>(self.owed_);
    self.effects_.add([customer](transaction& tx) { tx.send(customer, failure{failure_reason::unanswered, {}, {}}); });
  }
  template <class Self>
  static auto& next(Self& self) {
    return self.next_;
  }
  template <class Self>
  static auto& changes(Self& self) {
    return self.changes_;
  }
  template <class Self>
  static auto& effects(Self& self) {
    return self.effects_;
  }
  template <class Self>
  static const durable_head& head(Self& self) {
    return self.head_;
  }
  template <class Self>
  static bool stops(Self& self) {
    return self.stops_;
  }
};

template <class Setup>
struct open_durable;

// It cannot go on: each message is told why.
template <class Setup>
struct failed_durable {
  using P = typename Setup::protocol_type;
  using self_type = self<durable_protocol<P>>;

  template <class M>
  void operator()(self_type&, const M&) const {
    if constexpr (accepts<P, M> || std::is_same_v<M, durable_begin>) throw store_error(problem, why);
  }

  store_problem problem;
  std::string why;
};

// Waits until the writer has done what an earlier actor of this name has written.
template <class Setup>
struct opening_durable {
  using P = typename Setup::protocol_type;
  using S = typename Setup::state_type;
  using self_type = self<durable_protocol<P>>;

  template <class M>
  void operator()(self_type& self, const M& m) const {
    if constexpr (accepts<P, M>) self.become(opening_durable{all, waiting.put(self, m)});
    // All else is of an earlier actor of this name, or is found in the file.
  }
  void operator()(self_type& self, const durable_chain& m) const;

  std::shared_ptr<const Setup> all;
  stash<P> waiting{};

 private:
  void open(self_type& self, std::uint64_t chain) const;
};

// Has not begun.
template <class Setup>
struct closed_durable {
  using P = typename Setup::protocol_type;
  using self_type = self<durable_protocol<P>>;

  template <class M>
  void operator()(self_type& self, const M& m) const {
    begin(self);
    opening_durable<Setup> next{all};
    if constexpr (accepts<P, M>) next.waiting = next.waiting.put(self, m);
    self.become(std::move(next));
  }
  void begin(self_type& self) const {
    const auto writer = all->core->writer();
    const ref<durable_protocol<P>> own = self.ref();
    if (!all->is_watched.load()) {
      watch_changes w{all->tables.inbox, row_key(all->name), behind(row_key(all->name))};
      w.tell = [own](transaction& tx, const byte_change& c, std::uint64_t) {
        if (c.value) tx.send(own, inbox_item{c.key, *c.value});
      };
      w.guard = [own](transaction& tx, watch_over over, ref<watch_over> by) { tx.monitor(own, by, over); };
      self.ask(writer, std::move(w), [all = all](transaction&) { all->is_watched.store(true); });
    }
    self.ask(
        writer, begin_chain{all->name},
        [own](transaction& tx, const write_answer& a) { tx.send(own, durable_chain{a}); },
        [own](transaction& tx, const failure&) {
          tx.send(own, durable_chain{{write_answer::fate::stopped, 0, "its engine ends"}});
        });
  }

  std::shared_ptr<const Setup> all;
};

template <class Setup>
void opening_durable<Setup>::operator()(self_type& self, const durable_chain& m) const {
  try {
    look_at(*all->core, m.answer);
    open(self, m.answer.chain);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const store_error& e) {
    self.become(failed_durable<Setup>{e.problem(), e.what()});
  } catch (const std::exception& e) {
    self.become(failed_durable<Setup>{
        store_problem::unreadable,
        "tact: the durable actor '" + all->name + "' in '" + all->core->front().path().string() + "': " + e.what()});
  }
  waiting.give_back_in_front(self);
  // The rule of the actor hears of it if it cannot go on.
  self.send(self.ref(), durable_begin{});
}

template <class Setup>
void opening_durable<Setup>::open(self_type& self, std::uint64_t chain) const {
  const byte_reading now = all->core->front().look();
  byte_view view(now.in_file, now.accepted, false);
  open_durable<Setup> next{all, chain, all->first};
  next.read(view);
  std::vector<inbox_item> items;
  const std::string row = row_key(all->name);
  view.walk(all->tables.inbox, row, [&](std::string_view key, std::string_view value) {
    if (!key.starts_with(row)) return false;
    items.push_back({std::string(key), std::string(value)});
    return true;
  });
  view.walk(all->tables.timers, row, [&](std::string_view key, std::string_view value) {
    if (!key.starts_with(row)) return false;
    const std::chrono::nanoseconds due(key_from<std::int64_t>(value.substr(0, sizeof(std::uint64_t))));
    const auto wait = due - std::chrono::system_clock::now().time_since_epoch();
    next.timers = std::move(next.timers).insert(std::string(key));
    self.send_after(wait, self.ref(), timer_due{std::string(key), std::string(value.substr(sizeof(std::uint64_t)))});
    return true;
  });
  self.become(std::move(next));
  for (const auto& i : items) send_in_front(access::run_of(self), access::port_of(ref<inbox_item>(self.ref())), i);
}

template <class Setup>
struct open_durable {
  using P = typename Setup::protocol_type;
  using S = typename Setup::state_type;
  using self_type = self<durable_protocol<P>>;

  template <class M>
  void operator()(self_type& self, const M& m) const {
    if constexpr (accepts<P, M>) handle(self, m, {});
  }
  void operator()(self_type& self, const inbox_item& m) const {
    const inbox_place place = inbox_place_of(m.row);
    const auto last = taken.find(place.sender);
    if (last != taken.end() && last->second >= place.number) return;
    open_durable next = *this;
    next.taken = std::move(next.taken).insert_or_assign(std::string(place.sender), place.number);
    next.take(self, {all->tables.inbox, m.row, std::nullopt}, m.message);
  }
  void operator()(self_type& self, const timer_due& m) const {
    if (!timers.contains(m.row)) return;  // it has come already: when the actor begins anew all are set again
    open_durable next = *this;
    next.timers = std::move(next.timers).erase(m.row);
    next.take(self, {all->tables.timers, m.row, std::nullopt}, m.message);
  }
  void operator()(self_type& self, const write_answer& a) const;
  void operator()(self_type& self, const failure& f) const {
    // The writer has ended, and it is not known what it has done.
    give_up(self, store_problem::stopped, f.what);
  }
  void operator()(self_type&, const failed_item& m) const { std::rethrow_exception(m.why); }

  void read(byte_view& view);

  std::shared_ptr<const Setup> all;
  std::uint64_t chain;
  S now;
  durable_head head{};
  bool is_new = true;          // no row of it is in the file
  std::uint64_t written = 0;   // the number of its last write
  std::uint64_t answered = 0;  // all writes up to this one are in the file
  std::uint64_t ends_at = 0;   // the write behind which it ends; 0: it goes on
  struct in_flight {
    std::uint64_t number;  // of the last write that it must wait for
    std::shared_ptr<const held_effects> effects;
  };
  tact::queue<in_flight> waiting{};
  tact::map<std::string, std::uint64_t, std::less<>> taken{};  // sender -> number of its last message
  tact::set<std::string> timers{};                             // the rows of those that have not come yet

 private:
  template <class M>
  void handle(self_type& self, const M& m, std::vector<byte_change> changes) const;
  void take(self_type& self, byte_change away, const std::string& message) const;
  template <class... Ms>
  void take_as(list<Ms...>, self_type& self, const typed_bytes& message, std::vector<byte_change>& changes) const;
  void write_state(const S& next, const durable_head& next_head, std::vector<byte_change>& changes) const;
  void erase_state(durable_head last, std::vector<byte_change>& changes) const;
  void give_up(self_type& self, store_problem problem, const std::string& why) const;
};

template <class Setup>
void open_durable<Setup>::read(byte_view& view) {
  const durable_place at{&all->core->front(), &all->tables, all->name};
  const auto bytes = view.find(all->tables.actors, row_key(all->name));
  if (!bytes) return;
  head = value_from<durable_head>(all->core->front(), *bytes);
  is_new = std::exchange(head.has_ended, false);
  if (is_new) return;
  for_each_part(now, [&](std::string_view member, auto& part) { read_member(at, view, member, part); });
}

template <class Setup>
template <class M>
void open_durable<Setup>::handle(self_type& self, const M& m, std::vector<byte_change> changes) const {
  if (ends_at != 0) return;
  auto own = durable_access::make<P, S>(all->name, all->core->front(), all->tables, self.ref(), head);
  durable_access::owe(own, m);
  all->handlers(own, now, m);
  durable_access::end(own);
  if constexpr (has_customer<M>) self.defer(m);

  open_durable next = *this;
  auto& after = durable_access::next(own);
  for (auto& c : durable_access::changes(own)) {
    if (c.table == all->tables.timers) next.timers = std::move(next.timers).insert(c.key);
    changes.push_back(std::move(c));
  }
  if (durable_access::stops(own)) {
    next.erase_state(durable_access::head(own), changes);
  } else {
    write_state(after ? *after : now, durable_access::head(own), changes);
  }
  if (after) next.now = std::move(*after);
  next.head = durable_access::head(own);
  if (!changes.empty()) {
    next.is_new = false;
    ++next.written;
    if (durable_access::stops(own)) next.ends_at = next.written;
    self.send(all->core->writer(), request<plain_write>{self.ref(), {std::move(changes), 0, chain, next.written}});
  } else if (answered == written) {
    return durable_access::effects(own).take(self);
  }
  auto& effects = durable_access::effects(own);
  if (!effects.empty()) {
    next.waiting =
        std::move(next.waiting).push_back({next.written, std::make_shared<const held_effects>(std::move(effects))});
  }
  self.become(std::move(next));
}

template <class Setup>
void open_durable<Setup>::take(self_type& self, byte_change away, const std::string& message) const {
  std::vector<byte_change> changes;
  changes.push_back(away);
  try {
    const auto typed = message_in_row(message);
    take_as(messages_of<P>{}, self, typed, changes);
  } catch (...) {
    // It would fail each time that the actor is opened. It is put aside, and the rule of the actor hears of it.
    changes.clear();
    changes.push_back({all->tables.aside, away.key, message});
    changes.push_back(std::move(away));
    open_durable next = *this;
    ++next.written;
    self.send(all->core->writer(), request<plain_write>{self.ref(), {std::move(changes), 0, chain, next.written}});
    self.become(std::move(next));
    self.send(self.ref(), failed_item{std::current_exception()});
  }
}

template <class Setup>
template <class... Ms>
void open_durable<Setup>::take_as(list<Ms...>, self_type& self, const typed_bytes& message,
                                  std::vector<byte_change>& changes) const {
  const auto try_as = [&]<class M>(std::type_identity<M>) {
    if constexpr (has_customer<M>) {
      return false;
    } else {
      if (type_name<M> != message.type) return false;
      handle(self, value_from<M>(all->core->front(), message.bytes), std::move(changes));
      return true;
    }
  };
  if ((try_as(std::type_identity<Ms>{}) || ...)) return;
  throw store_error(store_problem::unreadable, "tact: the durable actor '" + all->name +
                                                   "' does not take the message '" + std::string(message.type) +
                                                   "' that is in its inbox");
}

template <class Setup>
void open_durable<Setup>::write_state(const S& next, const durable_head& next_head,
                                      std::vector<byte_change>& changes) const {
  const durable_place at{&all->core->front(), &all->tables, all->name};
  const std::size_t before = changes.size();
  const S* const old = is_new ? nullptr : std::addressof(now);
  for_each_part(old, next, [&](std::string_view member, const auto* was, const auto& is) {
    write_member(at, member, was, is, changes);
  });
  const bool has_head = next_head.sent != head.sent || next_head.timers != head.timers;
  if (is_new ? before == 0 && changes.empty() : !has_head) return;
  add_shape<durable_head>(all->core->front(), changes);
  changes.push_back({all->tables.actors, row_key(all->name), value_bytes(next_head)});
}

// Its number stays: a later actor of this name must not send what looks like a message that this one has sent.
template <class Setup>
void open_durable<Setup>::erase_state(durable_head last, std::vector<byte_change>& changes) const {
  for_each_part(now, [&](std::string_view member, const auto& part) {
    erase_member(durable_place{&all->core->front(), &all->tables, all->name}, member, part, changes);
  });
  for (const auto& row : timers) changes.push_back({all->tables.timers, row, std::nullopt});
  byte_change own{all->tables.actors, row_key(all->name), std::nullopt};
  last.has_ended = true;
  if (last.sent != 0) {
    add_shape<durable_head>(all->core->front(), changes);
    own.value = value_bytes(last);
  }
  changes.push_back(std::move(own));
}

template <class Setup>
void open_durable<Setup>::operator()(self_type& self, const write_answer& a) const {
  if (a.chain != chain) return;
  if (a.what != write_answer::fate::done) {
    const store_problem p = a.what == write_answer::fate::unknown   ? store_problem::unknown
                            : a.what == write_answer::fate::stopped ? store_problem::stopped
                                                                    : store_problem::refused;
    return give_up(self, p, failure_text(*all->core, a));
  }
  const bool frees_something = !waiting.empty() && waiting.front().number <= a.number;
  if (a.number != written && !frees_something) return;  // a later answer says more
  const unfailing sure;
  open_durable next = *this;
  next.answered = a.number;
  while (!next.waiting.empty() && next.waiting.front().number <= a.number) {
    next.waiting.front().effects->take(self);
    next.waiting = std::move(next.waiting).pop_front();
  }
  if (ends_at != 0 && a.number >= ends_at) return self.stop();
  self.become(std::move(next));
}

// What was done and is not in the file has not been. After a refusal the actor begins again, with its last commit.
template <class Setup>
void open_durable<Setup>::give_up(self_type& self, store_problem problem, const std::string& why) const {
  for (auto left = waiting; !left.empty(); left = std::move(left).pop_front()) {
    left.front().effects->fail(self, {failure_reason::handler_threw, why, {}});
  }
  if (problem == store_problem::refused) {
    closed_durable<Setup>{all}.begin(self);
    self.become(opening_durable<Setup>{all});
  } else {
    self.become(failed_durable<Setup>{problem, why});
  }
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
