// A cell: the 64 bytes to which the address of an actor leads. Cells lie in regions that stay mapped for ever.
// Protocol page: docs/protocols/lifetime.md.
#pragma once

#include <cstdint>

#include "actors/cells/cell_word.hpp"
#include "actors/cells/home_stay.hpp"
#include "mailbox/route.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

struct metadata;

// Thread safety: any thread may read any cell at any time, also after its actor and its engine are gone.
// Invariants: (1) a port matches no later actor, because each end of an actor raises the generation in the name, and a
// worn-out cell is not reused; (2) a worker that still sees the old generation finds a word that says ended, because
// the cell is not reused before every worker has announced a quiescent state; (3) a cell of zeros, whose page the
// system has got back, is that of an actor that has ended: no port equals its name, and its route leads to no engine.
struct alignas(64) cell {
  using word_value = cell_word<sync::real, detail::closure>::value;

  cell_word<sync::real, detail::closure> word;

  // Cells are never constructed: they are zeros, and `wake` makes them free.
  cell() = delete;
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;

  // Makes a cell of zeros free; the next actor in it has this generation. Other threads may be looking at the cell, by
  // ports of a lower generation.
  void wake(std::uint16_t generation) noexcept {
    forget();
    word.wake();
    // relaxed: private until published; a stale port matches neither this name nor zero.
    name_.store(reinterpret_cast<std::uintptr_t>(this) | std::uint64_t{generation} << 48, std::memory_order_relaxed);
  }
  // Makes the cell one of zeros, as far as threads with stale ports look at it.
  void wipe() noexcept {
    // relaxed: private until published, as in wake.
    name_.store(0, std::memory_order_relaxed);
    word.wipe();
    set_where({});
    set_papers(nullptr);
    forget();
  }
  static constexpr std::uint16_t last_generation = 0xFFFF;

  // The port of the actor that is here or will be, except for the bits of the index. Any other port names an actor that
  // has ended. The thread that ends an actor changes the name. relaxed: a stale read leads to a word that says ended,
  // because the cell is not reused before the next grace period. To threads outside the name is a hint: a worker looks
  // again at the message that they send.
  [[nodiscard]] detail::port name() const noexcept { return name_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint16_t generation() const noexcept { return static_cast<std::uint16_t>(name() >> 48); }
  // Ends the name of the actor that was here; or of a one-shot that has run, or whose asker has given up: see
  // was_served.
  void next_generation() noexcept { next_generation(false); }
  void next_generation_served() noexcept { next_generation(true); }
  // Was the actor of that generation a one-shot that was served, so that a message for it is one too many? The name
  // remembers the answer for the last six actors of the cell, in the bits of the index. For earlier ones it is lost:
  // false, so the actor is said to have ended.
  static constexpr unsigned remembered_max = detail::index_bits;
  [[nodiscard]] bool was_served(std::uint16_t generation) const noexcept {
    const detail::port now = name();
    const auto ago = static_cast<unsigned>(now >> 48) - generation;
    if (ago == 0) return where().is_one_shot();  // the actor is about to end
    return ago <= remembered_max && (now >> (ago - 1) & 1) != 0;
  }
  // At its last generation a cell is never used again, so no stale port can ever match.
  [[nodiscard]] bool is_worn_out() const noexcept { return generation() == last_generation; }

  // The route of the actor. Senders do not look at the cell, so the route stands in route_words as well; see send_by.
  // relaxed: private until published; a thread that has the port got it after the actor was created.
  [[nodiscard]] mailbox::route where() const noexcept { return mailbox::route(route_.load(std::memory_order_relaxed)); }
  void set_where(mailbox::route r) noexcept {
    // relaxed: private until published, see where.
    route_.store(r.bits(), std::memory_order_relaxed);
    // relaxed: private until published, as in send_by.
    senders_route().store(r.bits(), std::memory_order_relaxed);
  }
  // As set_where, for a cell in a run, whose route senders see already.
  // relaxed: private until published, see where.
  void set_where_in_run(mailbox::route r) noexcept { route_.store(r.bits(), std::memory_order_relaxed); }
  // True: it lies in a run, so it is for exclusive actors of one shard.
  [[nodiscard]] bool is_in_run() const noexcept { return run_route() != mailbox::route().bits(); }
  // The shard of the run. REQUIRES: is_in_run.
  [[nodiscard]] std::uint32_t shard_of_run() const noexcept { return mailbox::route(run_route()).shard(); }
  // Sets the route that senders see: where(), or where().exclusive() to bring all messages of a parallel actor home.
  // REQUIRES: it is not in a run.
  void send_by(mailbox::route r) noexcept {
    // relaxed: hint, when the route changes: a message that was sent by the old route is forwarded, or run where it is;
    // and private until published, when the actor is created.
    const mailbox::route before(senders_route().load(std::memory_order_relaxed));
    senders_route().store((before.is_limited() ? r.limited() : r).bits(), std::memory_order_relaxed);
  }
  // Tells senders that the mailbox of the actor has a limit. REQUIRES: it is not in a run.
  // relaxed: private until published, as in send_by.
  void tell_of_limit() noexcept { senders_route().store(where().limited().bits(), std::memory_order_relaxed); }

  // The type of the last behaviour that was installed here, for reports, and for is_own_word; a constant that outlives
  // everything. Null: no behaviour was installed yet.
  // relaxed: hint; a thread that has the port of an actor got it after the actor was installed, or has installed it.
  [[nodiscard]] const detail::behavior_type* type() const noexcept { return type_.load(std::memory_order_relaxed); }
  // relaxed: hint, see type.
  void set_type(const detail::behavior_type* t) noexcept { type_.store(t, std::memory_order_relaxed); }

  // Makes the actor exist. A one-shot gets the home tag as well, so that no worker runs it like a parallel actor: a
  // one-shot must be claimed before it runs.
  void install(detail::closure& first) noexcept {
    set_type(first.type);
    const bool at_home = where().is_exclusive() || where().is_one_shot();
    at_home ? word.install_home(&first) : word.install(&first);
  }

  // Clears the entries for reports and the hints that the last engine left in the cell, before the next engine uses it.
  void forget() noexcept {
    set_type(nullptr);
    stay.forget();
  }

  home_stay stay;
  // The metadata of the actor, which only few actors have; metadata.hpp says which threads may look into them. Null for
  // all other actors. relaxed: private until published, with the word: by its install, or by the commit of
  // lifecycle::watch.
  [[nodiscard]] bool has_metadata() const noexcept { return metadata_.load(std::memory_order_relaxed) != nullptr; }
  // relaxed: private until published, see above; guarded by the lock of the slab.
  [[nodiscard]] actors::metadata* its_papers() const noexcept { return metadata_.load(std::memory_order_relaxed); }
  // relaxed: private until published, see above.
  void set_papers(actors::metadata* p) noexcept { metadata_.store(p, std::memory_order_relaxed); }

  // The link of the list in outside_creations::abandon, and of lists at the end of the engine.
  // relaxed: private until published, by the list; a report that comes at that time finds no type in it.
  [[nodiscard]] cell* next_withdrawn() const noexcept {
    return reinterpret_cast<cell*>(static_cast<std::uintptr_t>(link_.load(std::memory_order_relaxed)));
  }
  void set_next_withdrawn(cell* next) noexcept {
    // relaxed: private until published, as above.
    link_.store(reinterpret_cast<std::uintptr_t>(next), std::memory_order_relaxed);
  }

  // The type of the actor that asked, for reports, when the actor here is the customer of an ask; null: a thread
  // outside asked, or it is not known any more. It stands in the place of the link, with a bit that no address has.
  // relaxed: hint, read by reports only.
  [[nodiscard]] const detail::behavior_type* asked_by() const noexcept {
    // relaxed: hint, see above.
    const std::uint64_t bits = link_.load(std::memory_order_relaxed);
    return (bits & is_type) == 0
               ? nullptr
               : reinterpret_cast<const detail::behavior_type*>(static_cast<std::uintptr_t>(bits - is_type));
  }
  void set_asked_by(const detail::behavior_type* t) noexcept {
    // relaxed: hint, see asked_by.
    link_.store(t == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(t) + is_type, std::memory_order_relaxed);
  }

 private:
  void next_generation(bool served) noexcept {
    const detail::port now = name();
    const detail::port remembered = (now << 1 | static_cast<detail::port>(served)) & detail::index_mask;
    // relaxed: owner-only write; see above.
    name_.store(((now & ~detail::index_mask) + first_generation) | remembered, std::memory_order_relaxed);
  }

  // The lowest bit is 0 in each address of a cell, and of a type.
  static constexpr std::uint64_t is_type = 1;
  static_assert(alignof(detail::behavior_type) > is_type);

  [[nodiscard]] sync::atomic<std::uint64_t>& senders_route() noexcept {
    return detail::route_words::of_cell(reinterpret_cast<std::uintptr_t>(this));
  }
  // relaxed: private until published; it changes only while all cells of the run are free.
  [[nodiscard]] std::uint64_t run_route() const noexcept {
    return detail::route_words::of_run(reinterpret_cast<std::uintptr_t>(this)).load(std::memory_order_relaxed);
  }

  static constexpr detail::port first_generation = detail::port{1} << 48;
  sync::atomic<std::uint64_t> link_{0};
  sync::atomic<std::uint64_t> route_{0};
  sync::atomic<detail::port> name_{0};
  sync::atomic<const detail::behavior_type*> type_{nullptr};
  sync::atomic<actors::metadata*> metadata_{nullptr};
};
static_assert(sizeof(cell) == 64);

// How an actor of kind `k` with placement `where` is run.
[[nodiscard]] inline mailbox::route::kind kind_of(detail::actor_kind k, detail::placement where) noexcept {
  const bool once = k == detail::actor_kind::once || k == detail::actor_kind::asker || k == detail::actor_kind::waiter;
  if (once) return mailbox::route::kind::one_shot;
  const bool has_state = k == detail::actor_kind::classic || k == detail::actor_kind::join;
  const bool exclusive = has_state || where != detail::placement::parallel;
  return exclusive ? mailbox::route::kind::exclusive : mailbox::route::kind::parallel;
}

// A cell that never holds an actor. Messages to an empty ref go there.
[[nodiscard]] cell& nobody() noexcept;

[[nodiscard]] inline detail::port port_of(const cell& c) noexcept { return c.name() & ~detail::index_mask; }
// The port of the last actor that has ended in the cell. REQUIRES: an actor has ended there, and none was installed
// since.
[[nodiscard]] inline detail::port last_port_of(const cell& c) noexcept { return port_of(c) - (detail::port{1} << 48); }
[[nodiscard]] inline cell& cell_of(detail::port p) noexcept {
  return *reinterpret_cast<cell*>(static_cast<std::uintptr_t>(p & detail::cell_mask));
}
[[nodiscard]] inline std::uint16_t generation_of(detail::port p) noexcept {
  return static_cast<std::uint16_t>(p >> 48);
}
[[nodiscard]] inline unsigned index_of(detail::port p) noexcept {
  return static_cast<unsigned>(p & detail::index_mask);
}
// The port itself; for an empty ref the port of the cell `nobody()`, which can be looked up.
[[nodiscard]] inline detail::port or_nobody(detail::port p) noexcept {
  return p > detail::index_mask ? p : reinterpret_cast<std::uintptr_t>(&nobody());
}
[[nodiscard]] inline bool is_current(detail::port p) noexcept { return detail::same_actor(cell_of(p).name(), p); }
// True: the actor is one of the engine of that number.
[[nodiscard]] inline bool lives_in(detail::port p, std::uint16_t engine) noexcept {
  p = or_nobody(p);
  return cell_of(p).where().engine() == engine && is_current(p);
}
// Is a message for this port an own word of its actor, one for which no limit holds? See detail::own_words. When the
// actor has ended meanwhile the answer may be that for another actor in its cell; the message is buried in any case.
[[nodiscard]] inline bool is_own_word(detail::port p) noexcept {
  const detail::behavior_type* const type = cell_of(p).type();
  return type != nullptr && (type->own_words >> index_of(p) & 1) != 0;
}

}  // namespace tact::actors
