// What a worker does turn by turn, and when it finds nothing: it searches, and sleeps. Protocol page:
// docs/protocols/idling.md.
#pragma once

#include <cstdint>

#include "dispatch/exchange/shard_table.hpp"
#include "sync/fault.hpp"
#include "sync/system.hpp"

namespace tact::dispatch {

// The functions are templates, so that the explorer's tests run the same code. `Worker` is dispatch::worker, or a
// worker over the explorer's atomics; it is the calling thread's own, and this struct is its friend. What the functions
// ask of a worker is named as in dispatch::worker.
struct idling {
  // Why a sleep has ended.
  enum class sleep_end : unsigned char { did_not_begin, woken, late };

  // Runs what there is; else looks farther and farther away for something, and then sleeps.
  template <class Worker>
  static void take_turn(Worker& w) {
    if (!look_round(w) && (w.rests() || (!w.spin() && !w.bring_home() && !search(w)))) w.park();
  }

  // Looks at each own office and shard once. False: nothing was there.
  template <class Worker>
  static bool look_round(Worker& w) {
    const unsigned found = w.look_round([&w] { w.say_busy(); }, [&w](unsigned n) { w.after_hold(n); });
    if (found == 0) w.say_idle();
    return found != 0;
  }

  // Called when the round and the spin have found nothing. Few workers search at a time. The last one to leave wakes
  // another worker, if it has stolen and there is more to steal. True: something came, or was stolen and run.
  template <class Worker>
  static bool search(Worker& w) {
    auto& searching = w.exchange_.stealing().searching();
    if (!w.steals() || !searching.try_enter()) return false;
    const bool patient = w.is_patient();
    theft<typename Worker::shard> found;
    bool own = false;
    for (unsigned n = 0; n < Worker::steals_per_search && found.outcome != theft_outcome::stolen; ++n) {
      own = n != 0 && w.spin();
      if (own) break;
      deal_out_offices_of_others(w, patient);
      found = w.steal(patient);
      if (w.exchange_.waker().all_idle()) break;  // no worker is busy, so nothing more will come to steal
    }
    const bool stolen = found.outcome == theft_outcome::stolen;
    const bool is_last = searching.leave();
    if (stolen && (w.victim_is_slow() || (is_last && found.more)) && !planted<Worker>(sync::fault::chain_broken))
      w.wake_another();
    if (stolen) {
      w.say_busy();
      w.hold_stolen(*found.shard);
    }
    return own || stolen;
  }

  // The look comes between the announcement that this worker sleeps and the sleep, so a thread that brings messages
  // either sees that it sleeps, or has brought them before the look.
  template <class Worker>
  [[nodiscard]] static sleep_end sleep(Worker& w, sync::deadline until) {
    const auto ticket = w.wakeups().prepare();
    w.before_sleep();
    if (w.anything_came() || w.is_over()) {
      w.wakeups().cancel();
      return sleep_end::did_not_begin;
    }
    w.count_park();
    const bool woken = w.wakeups().wait(ticket, until);
    w.count_wake();
    return woken ? sleep_end::woken : sleep_end::late;
  }

 private:
  template <class Worker>
  [[nodiscard]] static constexpr bool planted(sync::fault f) noexcept {
    return Worker::policy::planted(f);
  }

  // Deals out the offices of workers that have something to do, and have taken up nothing since the last attempt to
  // steal.
  template <class Worker>
  static void deal_out_offices_of_others(Worker& w, bool patient) {
    for (std::uint32_t o = 0; o < w.exchange_.worker_count(); ++o) {
      if (w.may_deal_out_for(w.exchange_.waker().owner_of_office(o), patient))
        static_cast<void>(w.deal_out_for_others(w.exchange_.mail().office_at(o)));
    }
  }
};

}  // namespace tact::dispatch
