// The watch over an actor that is to hear when it is idle: self.idle_after. docs/protocols/idle_watch.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "actors/cells/classic_watches.hpp"
#include "actors/cells/pinned_closures.hpp"
#include "actors/common/names.hpp"
#include "actors/time/timer_store.hpp"
#include "mailbox/envelope.hpp"
#include "sync/lock.hpp"
#include "sync/policy.hpp"
#include "tact/detail/core.hpp"

namespace tact::actors {
class burial;
class router;
class run_state;
class timer_setter;
}  // namespace tact::actors

namespace tact::actors {

struct lane_stack;
class idle_watch;

// The parts by which a run looks whether its actor is idle.
struct idle_tools {
  timer_setter& timers;
  router& sends;
  burial& lost;
};

// What self.idle_after asks for: the message, of which copies are sent, and the time without another one.
struct idle_wish {
  explicit idle_wish(detail::port t, const detail::message_type& m, const detail::timer_again& a) noexcept
      : to(t), type(&m), again(a) {}
  idle_wish(const idle_wish&) = delete;
  idle_wish& operator=(const idle_wish&) = delete;
  ~idle_wish() {
    if (has_message && type->destroy != nullptr) type->destroy(payload, false);
  }
  [[nodiscard]] const void* message() const noexcept {
    return type->indirect ? *reinterpret_cast<void* const*>(payload) : payload;
  }

  const detail::port to;  // with the index of the message
  const detail::message_type* const type;
  const detail::timer_again again;
  bool has_message = false;
  // The caller of stage_idle writes the message here.
  alignas(detail::inline_align_max) std::byte payload[detail::inline_bytes_max];
};

// The type of a behaviour over which there is a watch: it stands in the place of the real type. Each of its entries
// calls the one of the real type, and tells the watch when that is over. So an actor without a watch pays nothing.
// Constant once a behaviour has it, except `after`.
struct watched_type : detail::behavior_type {
  watched_type(idle_watch& w, const detail::behavior_type& its, detail::closure* behind) noexcept;

  // Null: there is no watch over the behaviour.
  [[nodiscard]] static const watched_type* of(const detail::closure& c) noexcept;

  idle_watch* const watch;
  const detail::behavior_type* const real;
  detail::closure* const inner;  // the behaviour that is called; null: the one that has this type
  watched_type* after = nullptr;

  static void* operator new(std::size_t bytes) { return detail::allocate_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept { detail::free_block(block, bytes); }
};

// The type that the behaviour has, or would have without a watch.
[[nodiscard]] const detail::behavior_type& real_type(const detail::closure& c) noexcept;

// One for an actor, from its first idle_after on until its last behaviour with a watched type is freed, each of which
// has a share. When its timer goes off it sends an order to look: the actor's own runs look whether it is idle, and
// send the message or set the timer for the rest of the time. Invariants: (1) while a wish is in force whose time the
// clock can say, a timer is set or an order to look is under way; (2) an order to look that is not the last one has no
// effect. Thread safety: runs of the actor, at once if it is parallel; the last share may go on any thread.
class idle_watch {
 public:
  // `shared`: several workers run the actor at once. `all`: of the engine.
  idle_watch(detail::port whose, bool shared, classic_watches& all) noexcept
      : whose_(whose), is_shared_(shared), all_(all) {}
  idle_watch(const idle_watch&) = delete;
  idle_watch& operator=(const idle_watch&) = delete;

  void share() noexcept { shares_.fetch_add(1); }
  void give_up() noexcept {
    if (shares_.fetch_sub(1) == 1) delete this;
  }

  // Gives the behaviour a watched type, unless it has one. Throws std::bad_alloc. REQUIRES: no other thread reads the
  // behaviour.
  void watch_over(detail::closure& c);
  void leave_list() noexcept { all_.remove(*this); }  // of classic_watches

  // -- for each message
  void begin() noexcept {
    if (is_shared_) running_.fetch_add(1);
  }
  void end() noexcept;
  // Ends the run of a handler that has waited, whose frames are left or whose exception is being handled. What the
  // actor becomes has the watch as well.
  static void end_behind_wait(run_state& here, lane_stack& s) noexcept;

  // -- at a commit. Null: takes the wish back. `spare` is used, or given back.
  void set(timer_setter& timers, std::shared_ptr<const idle_wish> wish, detail::timer_record* spare) noexcept;

  // Calls the handler of an answer that the actor has asked for by ask_here, and which has no entry in its type.
  static void take_answer(detail::closure& b, detail::run& r, void* answer);

  // -- orders to look
  static void take_order(const idle_tools& with, detail::closure& b, void* order) noexcept;
  // The order cannot be kept while the handler waits.
  static void put_off(const idle_tools& with, const lane_stack& s, const void* order) noexcept;

 private:
  friend class classic_watches;
  // An order to look. `again`: it is the second one, which was sent behind what waited for the actor.
  struct order;
  enum class verdict : unsigned char { stale, busy, seems_idle, idle };

  ~idle_watch();
  void look(const idle_tools& with, const order& o) noexcept;
  [[nodiscard]] verdict judge(const order& o, std::int64_t now, std::int64_t& due_ns) const noexcept;
  void arm(timer_setter& timers, detail::timer_record& with, std::int64_t due_ns) noexcept;
  void disarm() noexcept;
  [[nodiscard]] static bool copy(const idle_wish& wish, void* payload) noexcept;
  static void send(router& sends, const idle_wish& wish) noexcept;
  static void report_lost(burial& lost, const idle_wish& wish) noexcept;
  void note(std::int64_t now) noexcept;

  const detail::port whose_;
  const bool is_shared_;
  classic_watches& all_;
  idle_watch* before_ = nullptr;  // the neighbours there
  idle_watch* after_ = nullptr;
  sync::atomic<std::uint32_t> shares_{1};
  sync::atomic<bool> is_on_{false};
  sync::atomic<std::int64_t> last_ns_{0};   // when the last message was over
  sync::atomic<std::uint32_t> running_{0};  // handlers, of a parallel actor

  sync::lock<sync::real> lock_;  // guards what follows
  std::shared_ptr<const idle_wish> wish_;
  watched_type* types_ = nullptr;
  detail::timer_id alarm_{};
  std::int64_t alarm_due_ns_ = 0;
  std::uint64_t alarm_number_ = 0;
  bool is_armed_ = false;  // the timer is set, or its order to look under way
};

// A behaviour of a parallel actor, which other workers may be running, under a watch: its type must not change, so this
// is the next behaviour and calls it.
class watched_behavior : public detail::closure {
 public:
  // REQUIRES: the caller runs a handler of `inner`, which has no watch.
  watched_behavior(idle_watch& w, detail::closure& inner, pinned_closures& pins,
                   std::unique_ptr<pinned_closures::entry>& spare) noexcept;
  watched_behavior(const watched_behavior&) = delete;
  watched_behavior& operator=(const watched_behavior&) = delete;

  void share() noexcept { shares_.fetch_add(1); }
  void give_up() noexcept {
    if (shares_.fetch_sub(1) == 1) delete this;
  }

 private:
  ~watched_behavior() {
    own_.watch->give_up();
    pins_.unpin(pin_);
  }

  watched_type own_;
  pinned_closures& pins_;
  pinned_closures::entry& pin_;
  sync::atomic<std::uint32_t> shares_{1};  // of the run that has made it, and of what the actor becomes
};

}  // namespace tact::actors
