// How actors are made anew in their places, at once or after a rest. docs/protocols/restart.md.
#pragma once

#include <cstdint>

#include "actors/cells/resting.hpp"
#include "actors/common/names.hpp"
#include "actors/failure/failure_texts.hpp"
#include "actors/failure/reports.hpp"
#include "actors/life/lifecycle.hpp"
#include "actors/sending/late_sends.hpp"
#include "actors/sending/router.hpp"
#include "actors/staging/lane_front.hpp"
#include "actors/staging/reclaimer.hpp"
#include "actors/staging/run_state.hpp"
#include "actors/time/timers.hpp"
#include "base/block_queue.hpp"
#include "tact/failure_rule.hpp"

namespace tact::actors {

// Invariant: an actor keeps its cell, its metadata and its messages, and only its closure is another one. Between the
// end of the old closure of an exclusive actor and the beginning of the new one no message runs it.
// Thread safety: the thread of the run only.
class restarter {
 public:
  // The parts of the transactor that restart an actor.
  struct parts {
    lane_front& front;
    router& sends;
    reclaimer& frees;
    lifecycle& ends;
    late_sends& leaving;
  };
  restarter(run_state& r, const parts& p, const engine_options& options, reports& reports, timers& timed) noexcept
      : run_(r),
        front_(p.front),
        router_(p.sends),
        reclaimer_(p.frees),
        lifecycle_(p.ends),
        leaving_(p.leaving),
        options_(options),
        reports_(reports),
        timed_(timed) {}

  // What becomes of the actor by its rule, and by what it was made of: an actor that cannot be restarted ends, and then
  // the report says why.
  [[nodiscard]] failure_verdict decide(port self, const behavior_type& type, failure_report& report) noexcept;
  // The handler of `e` has failed, and the run is aborted. The actor is restarted, or rests, as the verdict says, and
  // `e` is handled again if it says so; else `e` is the caller's. REQUIRES: the actor does not end.
  void recover(mailbox::envelope& e, cell& c, port self, const failure_verdict& v) noexcept;

  // -- an actor that ends by itself
  // True: it does so only if its rule says so. REQUIRES: it has not ended yet.
  [[nodiscard]] static bool is_permanent(const cell& c, port self, ending how) noexcept;
  // Ends it or restarts it. REQUIRES: is_permanent, and what the run has staged is committed.
  void end_or_restart(cell& c, port self, ending how) noexcept;

  // -- orders
  // Carries out an order to restart an actor that does not rest.
  [[nodiscard]] run_outcome take_order(mailbox::envelope& e, cell& c, cell::word_value seen) noexcept;
  // Handles what comes for an actor that rests. REQUIRES: its home shard is held here.
  void take_at_rest(mailbox::envelope& e, cell& c, resting& r) noexcept;
  // Orders a restart behind all that this worker has sent. False: no lane is run, and the caller has to send the order.
  [[nodiscard]] bool order_later(port to, std::int64_t after_ns) noexcept;
  void send_orders() noexcept {
    if (!orders_.empty()) [[unlikely]]
      send_all_orders();
  }

 private:
  struct later {
    port to;
    std::int64_t after_ns;
  };

  void send_all_orders() noexcept;
  void restart(cell& c, port self, const failure_verdict& v) noexcept;
  [[nodiscard]] bool begin_rest(cell& c, port self, cell::word_value was, const failure_verdict& v) noexcept;
  [[nodiscard]] bool set_alarm(port self, std::int64_t after_ns, std::uint64_t rest) noexcept;
  void end_rest(cell& c, port self, resting& r) noexcept;
  void end_at_rest(mailbox::envelope& pill, cell& c, resting& r) noexcept;
  void put_back(resting& r) noexcept;
  void make_anew(cell& c, port self, cell::word_value was) noexcept;
  void replace_parallel(cell& c, port self) noexcept;
  // Null: that failed, and the actor is tried once more later, or ends.
  [[nodiscard]] closure* make_or_give_up(cell& c, port self) noexcept;
  // Counts and records the restart.
  void has_restarted(const cell& c, port self) noexcept;
  void send_home(cell& c, port self) noexcept;
  // Null: it failed, and `thrown` says how.
  [[nodiscard]] closure* make(port self, caught& thrown) noexcept;
  [[nodiscard]] failure_verdict fail_to_make(port self, const behavior_type& type, const caught& thrown) noexcept;
  void keep_in(mailbox::copy_queue& queue, mailbox::envelope& e) noexcept;
  void put_in_front(mailbox::envelope& e) noexcept;

  run_state& run_;
  lane_front& front_;
  router& router_;
  reclaimer& reclaimer_;
  lifecycle& lifecycle_;
  late_sends& leaving_;
  const engine_options& options_;
  reports& reports_;
  timers& timed_;
  base::block_queue<later> orders_;
  std::uint64_t rests_ = 0;  // that were begun here
};

}  // namespace tact::actors
