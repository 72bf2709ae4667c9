// How messages from outside enter mailboxes that have a limit, and how threads wait for room.
// Protocol page: docs/protocols/pressure.md.
#include <algorithm>
#include <utility>

#include "actors/core.hpp"
#include "actors/dead_letters.hpp"
#include "actors/failures.hpp"
#include "actors/limited_mailbox.hpp"
#include "actors/papers.hpp"
#include "actors/parcelled.hpp"
#include "sync/thread_state.hpp"

namespace tact::detail {

using actors::cell;
using actors::cell_of;
using actors::limited_mailbox;
using mailbox::envelope;
using mailbox::parcel;

namespace {

using space = actors::room<sync::real>;
constexpr space::owner of_engine = 1;

// A thread of an engine never waits for room, whatever it runs, because such threads make the room. A thread that wakes
// an event loop does not wait either, because it holds up a sender; nor does one that has a tact::loop.
bool is_outside() noexcept {
  const auto& me = sync::thread_state::of_this_thread();
  return me.worker == nullptr && !me.never_waits;
}
bool may_wait() noexcept {
  const auto& me = sync::thread_state::of_this_thread();
  return is_outside() && !me.in_wake && me.loops == 0;
}

}  // namespace

// The rooms that a message from outside must enter before it is sent.
struct core::entrance {
  core& engine;
  const port to;
  const std::uint64_t bytes;
  limited_mailbox* const mailbox;  // null: the mailbox has no limit
  const bool is_brought;           // a thread outside brings it, and the engine limits those
  const bool insists;              // enters a full room that holds back: the thread cannot wait
  reception how = reception::full;

  // Enters all its rooms or none. True: what becomes of the message is decided, see `how`. False: it may wait for room.
  [[nodiscard]] bool try_enter() noexcept {
    if (engine.closed_.load()) return decide(reception::refused);
    switch (enter()) {
      case space::entry::closed:
        return decide(reception::nowhere);
      case space::entry::full:
        return is_full(mailbox->policy());
      case space::entry::other_full:
        return is_full(engine.options_.outside_limit.when_full);
      case space::entry::entered:
        break;
    }
    return decide(reception::taken);
  }
  [[nodiscard]] std::uint64_t marks() const noexcept {
    return (mailbox != nullptr ? envelope::in_mailbox : 0) | (is_brought ? envelope::brought : 0);
  }

 private:
  space::entry enter() noexcept {
    const bool insists_there = insists && engine.options_.outside_limit.when_full == when_full::hold_back;
    if (mailbox == nullptr) {
      const bool entered = engine.brought_.enter(of_engine, bytes, insists_there) == space::entry::entered;
      return entered ? space::entry::entered : space::entry::other_full;
    }
    const port whose = to & ~index_mask;
    const auto policy = mailbox->policy();
    const bool always = policy == when_full::drop_oldest || (insists && policy == when_full::hold_back);
    if (!is_brought) return mailbox->space.enter(whose, bytes, always);
    return mailbox->space.enter_with(engine.brought_, of_engine, whose, bytes, always, insists_there);
  }
  bool decide(reception r) noexcept {
    how = r;
    return true;
  }
  bool is_full(when_full policy) noexcept {
    how = policy == when_full::drop_newest ? reception::dropped : reception::full;
    return policy != when_full::hold_back;
  }
};

void core::open_limits() noexcept {
  const mailbox_limit& most = options_.outside_limit;
  if (!most) return;
  brought_.open(of_engine, {most.messages, most.bytes});
  looked_at_from_ = 0;
}

reception core::receive_limited(port to, const message_type& type, void* payload, bool round, const patience& p) {
  const context_node* const context = sync::thread_state::of_this_thread().context;
  limited_mailbox* const mailbox = actors::route_of(to).is_counted() ? &actors::mailbox_of(cell_of(to)) : nullptr;
  const bool is_brought = options_.outside_limit && is_outside();
  if (type.role != message_type::ordinary || (mailbox == nullptr && !is_brought)) {
    if (context != nullptr) return receive_in_context(*context, to, type, payload, round);
    return put_apart(to, type, payload, round, nullptr) ? reception::taken : refuse(type);
  }
  entrance e{*this, to, type.bytes(), mailbox, is_brought, !may_wait() && !p.learns};
  if (!e.try_enter() && p.waits && may_wait()) wait_for_room(e, p.until);
  if (e.how == reception::refused) return refuse(type);
  if (e.how == reception::nowhere) outside_.sent.fetch_add(1);
  if (e.how != reception::taken) return e.how;
  return put_marked(e, type, payload, round);
}

void core::wait_for_room(entrance& e, deadline until) noexcept {
  const space::waiter here(e.mailbox == nullptr ? nullptr : &e.mailbox->space);
  const space::waiter there(e.is_brought ? &brought_ : nullptr);
  bool decided = false;
  const auto look = [&] { return decided || (decided = e.try_enter()); };
  const bool in_time =
      dispatcher_.pump() != nullptr ? dispatcher_.pump()->wait(look, until) : space::wait(room_made_, look, until);
  if (!in_time && until) e.how = reception::late;
}

// REQUIRES: the message has entered its rooms. If it is not taken after all, it leaves them, and its payload lies where
// it lay before.
reception core::put_marked(const entrance& e, const message_type& type, void* payload, bool round) {
  const auto leave = [&] { leave_rooms(e.to, e.marks(), e.bytes); };
  try {
    parcel& p = parcel::make(sync::thread_state::of_this_thread().context, e.marks());
    actors::parcelled message(p, type, payload);
    const reception how = put_parcel(e, type, p, round);
    how == reception::taken ? message.is_taken() : leave();
    return how;
  } catch (...) {
    leave();
    throw;
  }
}

reception core::put_parcel(const entrance& e, const message_type& type, parcel& p, bool round) {
  if (e.mailbox != nullptr && e.mailbox->policy() == when_full::drop_oldest) return keep(*e.mailbox, {e.to, &type, &p});
  return put_apart(e.to, type, p.payload, round, &p) ? reception::taken : refuse(type);
}

// Adds a message to a mailbox that drops its oldest. The message is counted as sent before, because a token that is
// under way already may find it at once.
reception core::keep(limited_mailbox& m, const actors::kept_messages::kept& message) {
  using outcome = actors::kept_messages::outcome;
  outside_.sent.fetch_add(1);
  for (;;) {
    actors::kept_messages::kept dropped;
    outcome how;
    try {
      how = m.kept.add(message, dropped);
    } catch (...) {
      outside_.sent.fetch_sub(1);
      dispatcher_.quiet_event().notify();
      throw;
    }
    if (dropped.to != 0) {
      m.space.count_refused();
      refused_.fetch_add(1);
      bury_kept(dropped, failure_reason::mailbox_full);
    }
    if (how == outcome::made_room) continue;
    if (how == outcome::closed) return reception::nowhere;
    if (how == outcome::with_token) send_token(m, message.to);
    return reception::taken;
  }
}

void core::send_token(limited_mailbox& m, port to) noexcept {
  const base::may_use_reserve sure;
  std::uint64_t nothing[2] = {};  // an inbox copies so many bytes at once
  if (put_apart(to, actors::token_message, nothing, false, nullptr)) {
    // The inbox has counted the token as sent, but it is no message: this count makes up for that.
    outside_.tokens.fetch_add(1);
    dispatcher_.quiet_event().notify();
  } else if (const auto left = m.kept.redeem(to)) {
    // The engine has ended meanwhile, and has taken no token. So a message is taken out here.
    bury_kept(*left, failure_reason::engine_ended);
  }
}

void core::bury_kept(const actors::kept_messages::kept& k, failure_reason reason) noexcept {
  const base::may_use_reserve sure;
  leave_rooms(k.to, k.body->marks, k.type->bytes());
  bury_outside(k.to, *k.type, k.body->payload, reason);
  parcel::end(*k.body);
}

void core::close_mailbox(cell& c) noexcept {
  limited_mailbox& m = actors::mailbox_of(c);
  if (m.space.close()) tell_of_room();
  m.kept.close();
  while (const auto left = m.kept.take_left()) bury_kept(*left, failure_reason::engine_ended);
}

void core::count_refused(port to) noexcept {
  refused_.fetch_add(1);
  (actors::route_of(to).is_counted() ? actors::mailbox_of(cell_of(to)).space : brought_).count_refused();
}

void core::count_lost(bool as_sent) noexcept {
  if (as_sent) outside_.sent.fetch_add(1);
  outside_.dead.fetch_add(1);
  dispatcher_.quiet_event().notify();
}

void core::leave_rooms(envelope& e) noexcept {
  const std::uint64_t marks = e.marks();
  e.forget_marks();
  leave_rooms(e.target(), marks, e.type().bytes());
}

void core::leave_rooms(port to, std::uint64_t marks, std::uint64_t bytes) noexcept {
  bool waits = false;
  if ((marks & envelope::in_mailbox) != 0) waits = actors::mailbox_of(cell_of(to)).space.leave(bytes);
  if ((marks & envelope::brought) != 0) waits = brought_.leave(bytes) || waits;
  if (waits) tell_of_room();
}

void core::tell_of_room() noexcept {
  dispatcher_.pump() != nullptr ? dispatcher_.quiet_event().notify() : room_made_.notify();
}

std::vector<mailbox_depth> core::read_fullest(std::size_t most) {
  std::vector<mailbox_depth> all;
  const auto now = sync::clock::now();
  const auto add = [&](std::string name, const mailbox_limit& limit, const space::reading& r) {
    const auto waits = r.oldest == sync::time_point{} ? std::chrono::nanoseconds(0) : now - r.oldest;
    all.push_back({std::move(name), limit, r.now.messages, r.now.bytes, waits, r.refused});
  };
  if (options_.outside_limit) add("threads outside", options_.outside_limit, brought_.read());
  cells_.for_each([&](cell& c) {
    if (!actors::route_of(actors::port_of(c)).is_counted() || c.word.load().is_ended()) return;
    const limited_mailbox& m = actors::mailbox_of(c);
    const space::reading r = m.space.read();
    if (r.whose != actors::port_of(c)) return;
    add(actors::describe(r.whose), {r.most.messages, r.most.bytes, m.policy()}, r);
  });
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.fill() > b.fill(); });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace tact::detail
