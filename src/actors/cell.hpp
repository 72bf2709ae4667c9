// What an address names: one cell of 64 bytes per actor, in slabs that are never given back.
#pragma once

#include <cstdint>

#include "actors/cell_word.hpp"
#include "actors/home_stay.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {

struct papers;

// Where messages for an actor go: home shard [23:0] | returns at once [30] | one-shot [31] | engine [47:32] |
// exclusive [48] | counted [49], for senders only. Written when the actor is created; for senders again when a parallel
// actor goes home or comes back.
class route {
 public:
  route() = default;
  enum class kind : unsigned char { parallel, exclusive, one_shot };
  route(std::uint32_t shard, std::uint16_t engine, kind k) noexcept
      : bits_(shard | std::uint64_t{engine} << 32 | (k == kind::exclusive ? exclusive_bit : 0) |
              (k == kind::one_shot ? one_shot_bit : 0)) {}
  explicit route(std::uint64_t bits) noexcept : bits_(bits) {}

  [[nodiscard]] std::uint32_t shard() const noexcept { return static_cast<std::uint32_t>(bits_ & shard_mask); }
  [[nodiscard]] std::uint16_t engine() const noexcept { return static_cast<std::uint16_t>(bits_ >> 32); }
  // Only its home shard may run it: classic and ordered actors.
  [[nodiscard]] bool is_exclusive() const noexcept { return (bits_ & exclusive_bit) != 0; }
  // Runs for one message, by whoever claims it first. Its closure may be gone at any moment for everybody else.
  [[nodiscard]] bool is_one_shot() const noexcept { return (bits_ & one_shot_bit) != 0; }
  // A parallel actor that is at home no longer than it must.
  [[nodiscard]] bool returns_at_once() const noexcept { return (bits_ & returns_bit) != 0; }
  [[nodiscard]] route which_returns_at_once() const noexcept { return route(bits_ | returns_bit); }
  // The same, of an actor that only its home shard may run.
  [[nodiscard]] route home() const noexcept { return route(bits_ | exclusive_bit); }
  // The same, for one message.
  [[nodiscard]] route for_once() const noexcept { return route(bits_ | one_shot_bit); }
  // What is sent to it is counted: its mailbox has a limit. Senders that know nothing of that take it for the route of
  // no actor that they keep.
  [[nodiscard]] bool is_counted() const noexcept { return (bits_ & counted_bit) != 0; }
  [[nodiscard]] route counted() const noexcept { return route(bits_ | counted_bit); }
  [[nodiscard]] route uncounted() const noexcept { return route(bits_ & ~counted_bit); }
  static constexpr std::uint64_t counted_bit = std::uint64_t{1} << 49;
  // A parallel actor or one-shot of this engine, which any of its workers may run.
  [[nodiscard]] bool is_parallel_in(std::uint64_t engine) const noexcept { return bits_ >> 32 == engine; }
  // An exclusive actor of this engine.
  [[nodiscard]] bool is_exclusive_in(std::uint64_t engine) const noexcept {
    return bits_ >> 32 == (engine | exclusive_bit >> 32);
  }
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

 private:
  static constexpr std::uint64_t shard_mask = (std::uint64_t{1} << 24) - 1;
  static constexpr std::uint64_t returns_bit = std::uint64_t{1} << 30;
  static constexpr std::uint64_t one_shot_bit = std::uint64_t{1} << 31;
  static constexpr std::uint64_t exclusive_bit = std::uint64_t{1} << 48;
  std::uint64_t bits_ = 0;  // engine 0: nobody's
};

// Thread safety: any thread may read any cell at any time, also after its actor and its engine are gone.
struct alignas(64) cell {
  using word_value = cell_word<sync::real, detail::closure>::value;

  cell_word<sync::real, detail::closure> word;

  cell() noexcept : name_(reinterpret_cast<std::uintptr_t>(this) | first_generation) {}

  // The port of the actor that is or will be here, but for the bits of an index; another one names an actor that has
  // ended. Changed by whoever ends the actor. relaxed: a stale read leads to a word that says ended, because the cell
  // is not reused before the next grace period. Hint to threads outside, whose messages are looked at again by a
  // worker.
  [[nodiscard]] detail::port name() const noexcept { return name_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint16_t generation() const noexcept { return static_cast<std::uint16_t>(name() >> 48); }
  // `served`: it was a one-shot that has run, or whose asker has given up; see was_served.
  void next_generation(bool served) noexcept {
    const detail::port now = name();
    const detail::port remembered = (now << 1 | static_cast<detail::port>(served)) & detail::index_mask;
    // relaxed: owner-only write; see above.
    name_.store(((now & ~detail::index_mask) + first_generation) | remembered, std::memory_order_relaxed);
  }
  // Of an actor that was here: is a message for it one too many? Of the last six the name remembers it, in the bits of
  // an index; of those before nobody does, and it is said to have ended.
  static constexpr unsigned remembered_max = detail::index_bits;
  [[nodiscard]] bool was_served(std::uint16_t generation) const noexcept {
    const detail::port now = name();
    const auto ago = static_cast<unsigned>(now >> 48) - generation;
    if (ago == 0) return where().is_one_shot();  // it is about to end
    return ago <= remembered_max && (now >> (ago - 1) & 1) != 0;
  }
  // At its last generation a cell is never used again, so no stale port can ever match.
  [[nodiscard]] bool is_worn_out() const noexcept { return generation() == last_generation; }

  // For senders, who do not look at the cell, it stands in the slab's routes as well; see send_by.
  // relaxed: private until published; whoever has the port got it after the actor was created.
  [[nodiscard]] actors::route where() const noexcept { return actors::route(route_.load(std::memory_order_relaxed)); }
  void set_where(actors::route r) noexcept {
    // relaxed: private until published, see where.
    route_.store(r.bits(), std::memory_order_relaxed);
    // relaxed: private until published, as in send_by.
    senders_route().store(r.bits(), std::memory_order_relaxed);
  }
  // What senders see from now on: where(), or where().home() to bring all messages of a parallel actor home.
  void send_by(actors::route r) noexcept {
    // relaxed: hint, when it changes: a message that came by another way is forwarded, or run where it is; and private
    // until published, when the actor is created.
    const route before(senders_route().load(std::memory_order_relaxed));
    senders_route().store((before.is_counted() ? r.counted() : r).bits(), std::memory_order_relaxed);
  }
  // Its mailbox has a limit.
  // relaxed: private until published, as in send_by.
  void count_sends() noexcept { senders_route().store(where().counted().bits(), std::memory_order_relaxed); }

  // The type of the last behaviour installed, for reports; a constant that outlives everything. Null: none yet.
  // relaxed: hint, read by reports only.
  [[nodiscard]] const detail::behavior_type* type() const noexcept { return type_.load(std::memory_order_relaxed); }
  // relaxed: hint, see type.
  void set_type(const detail::behavior_type* t) noexcept { type_.store(t, std::memory_order_relaxed); }

  // Makes the actor exist. One-shots are tagged as well, so that nobody takes one for a parallel actor: they are
  // claimed before they run.
  void install(detail::closure& first) noexcept {
    set_type(first.type);
    word.install(&first, where().is_exclusive() || where().is_one_shot());
  }

  // What an engine left here for its reports and as hints: the next one begins without. So nothing in a simulation
  // depends on what the process did before.
  void forget() noexcept {
    set_type(nullptr);
    stay.forget();
  }

  home_stay stay;
  // What only few actors have beside a behaviour: papers.hpp, which says who may look into them. Null for all others.
  // relaxed: private until published, with the word: by its install, or by the commit of transactor::watch.
  [[nodiscard]] bool has_papers() const noexcept { return papers_.load(std::memory_order_relaxed) != nullptr; }
  // relaxed: private until published, see above; guarded by the lock of the slab.
  [[nodiscard]] actors::papers* its_papers() const noexcept { return papers_.load(std::memory_order_relaxed); }
  // relaxed: private until published, see above.
  void set_papers(actors::papers* p) noexcept { papers_.store(p, std::memory_order_relaxed); }

  cell* next_withdrawn = nullptr;  // see core::abandon

 private:
  [[nodiscard]] sync::atomic<std::uint64_t>& senders_route() noexcept {
    return detail::slab_routes::of(reinterpret_cast<std::uintptr_t>(this));
  }

  static constexpr detail::port first_generation = detail::port{1} << 48;
  static constexpr std::uint16_t last_generation = 0xFFFF;
  sync::atomic<std::uint64_t> route_{0};
  sync::atomic<detail::port> name_;
  sync::atomic<const detail::behavior_type*> type_{nullptr};
  sync::atomic<actors::papers*> papers_{nullptr};
};
static_assert(sizeof(cell) == 64);

// How an actor of this kind, so placed, is run.
[[nodiscard]] inline route::kind kind_of(detail::actor_kind k, detail::placement where) noexcept {
  const bool once = k == detail::actor_kind::once || k == detail::actor_kind::asker || k == detail::actor_kind::waiter;
  if (once) return route::kind::one_shot;
  const bool parallel = where == detail::placement::parallel || where == detail::placement::returning;
  const bool exclusive = k == detail::actor_kind::classic || !parallel;
  return exclusive ? route::kind::exclusive : route::kind::parallel;
}

// A cell that never holds an actor; messages to a null ref go there.
[[nodiscard]] cell& nobody() noexcept;

[[nodiscard]] inline detail::port port_of(const cell& c) noexcept { return c.name() & ~detail::index_mask; }
// Of the actor that was the last one to end there. REQUIRES: one has, and none is installed since.
[[nodiscard]] inline detail::port last_port_of(const cell& c) noexcept { return port_of(c) - (detail::port{1} << 48); }
[[nodiscard]] inline cell& cell_of(detail::port p) noexcept {
  return *reinterpret_cast<cell*>(static_cast<std::uintptr_t>(p & detail::cell_mask));
}
// Where messages to it go.
// relaxed: private until published, see cell::where.
[[nodiscard]] inline route route_of(detail::port p) noexcept {
  return route(detail::slab_routes::of(p).load(std::memory_order_relaxed));
}
[[nodiscard]] inline std::uint16_t generation_of(detail::port p) noexcept {
  return static_cast<std::uint16_t>(p >> 48);
}
[[nodiscard]] inline unsigned index_of(detail::port p) noexcept {
  return static_cast<unsigned>(p & detail::index_mask);
}
// Port 0 as one that can be looked up.
[[nodiscard]] inline detail::port or_nobody(detail::port p) noexcept {
  return p > detail::index_mask ? p : reinterpret_cast<std::uintptr_t>(&nobody());
}
[[nodiscard]] inline bool is_current(detail::port p) noexcept { return detail::same_actor(cell_of(p).name(), p); }

}  // namespace tact::actors
