// The behaviour of a tact::work_queue.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tact/context.hpp"
#include "tact/data/map.hpp"
#include "tact/data/queue.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/counted.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/pool_turn.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/value_at.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/transaction.hpp"

namespace tact {

template <class M>
class queued_work;
template <class M>
struct add_worker;
template <class M>
struct work_queue_protocol;

namespace detail {

struct work_worker_gone {
  std::uint64_t seat;
};

// A message in a work queue. If it is destroyed after it was accepted and before it was done or given up, the queue has
// ended, and it becomes a dead letter.
template <class M>
struct work_item {
  work_item(const M& m, context c) : message(m), in(std::move(c)) {}
  work_item(const work_item&) = delete;
  work_item& operator=(const work_item&) = delete;
  ~work_item() {
    if (!accepted || settled) return;
    const unfailing sure;
    try {
      with_context(in, [&] { send_anywhere(ref<M>(), message); });
    } catch (...) {
      // The message cannot be copied, or its engine is gone.
    }
  }

  const M message;
  const context in;
  std::atomic<bool> accepted{false};  // the run that put it into the queue has committed
  std::atomic<bool> settled{false};   // it was done, is at a worker for good, or was given up
};

// A message that waits, and how many workers have failed it.
template <class M>
struct work_entry {
  counted<work_item<M>> item{};
  unsigned attempts = 0;
};

// What the customer of a worker's request does: it notes how the turn has ended, and tells the queue.
template <class M>
struct work_turn {
  void end(transaction& tx, bool failed) const {
    const unfailing sure;  // what is destroyed in a run sends nothing that outlives it
    turn_end->has_failed = failed;
    item->accepted = true;
    item->settled = !failed;
    tx.send(queue, pool_turn_over(turn_end, queue, seat, turn));
  }

  counted<work_item<M>> item;
  counted<pool_turn_end> turn_end;
  ref<pool_turn_over> queue;
  std::uint64_t seat;
  std::uint64_t turn;
};
template <class M>
struct work_done : work_turn<M> {
  void operator()(transaction& tx, const done&) const { this->end(tx, false); }
};
template <class M>
struct work_failed : work_turn<M> {
  void operator()(transaction& tx, const failure&) const { this->end(tx, true); }
};

// A worker of a queue.
template <class M>
struct work_seat {
  ref<request<queued_work<M>>> worker;
  counted<pool_turn_end> at_work{};  // null: it is free
  std::uint64_t turn = 0;
  ref<done> customer{};  // of its request
  work_entry<M> given{};
  bool is_gone = false;  // it has ended, but its turn has not
};

// As in a pool, the ends of turns and of workers are told whatever fails (pooled_service).
template <class M>
class work_service {
  using self_type = self<work_queue_protocol<M>>;
  using entry = work_entry<M>;
  using seat_type = work_seat<M>;

 public:
  work_service(std::vector<ref<request<queued_work<M>>>> workers, std::size_t queue_max, unsigned attempts_max)
      : setup_(counted<setup>::make(std::move(workers), queue_max, attempts_max)) {}

  void operator()(self_type& self, const M& m) const {
    work_service next = *this;
    next.open(self);
    if (next.finds_free()) {
      next.give(self, {counted<work_item<M>>::make(m, self.context()), 0});
    } else if (next.count_ >= setup_->queue_max) {
      self.pass_on(ref<M>(), m);
    } else {
      const auto last = counted<work_item<M>>::make(m, self.context());
      next.waiting_ = waiting_.push_back({last, 0});
      ++next.count_;
      self.on_commit([last] { last->accepted = true; });
    }
    self.become(std::move(next));
  }
  void operator()(self_type& self, const add_worker<M>& m) const {
    work_service next = *this;
    next.open(self);
    next.add(self, m.worker);
    next.let_in(self);
    self.become(std::move(next));
  }
  void operator()(self_type& self, const pool_turn_over& m) const {
    const sure_run sure(self);
    m.note_arrival();
    const seat_type* const seat = value_at(seats_, m.seat);
    if (seat == nullptr || !seat->at_work || seat->turn != m.turn) return;  // it was found to be over before
    work_service next = *this;
    next.end_turn(self, m.seat, *seat);
    next.let_in(self);
    self.become(std::move(next));
  }
  void operator()(self_type& self, const work_worker_gone& m) const {
    const sure_run sure(self);
    const seat_type* const seat = value_at(seats_, m.seat);
    if (seat == nullptr || seat->is_gone) return;
    work_service next = *this;
    next.lose(self, m.seat, *seat);
    self.become(std::move(next));
  }
  // A run that should have handled the end of a turn or of a worker has failed.
  void operator()(self_type& self, const failure&) const {
    const sure_run sure(self);
    work_service next = *this;
    for (const auto& [id, seat] : seats_) {
      if (!seat.is_gone) self.monitor(seat.worker, work_worker_gone{id});
      if (seat.at_work && seat.at_work->has_come) next.end_turn(self, id, seat);
    }
    next.let_in(self);
    self.become(std::move(next));
  }

 private:
  struct setup {
    const std::vector<ref<request<queued_work<M>>>> workers;
    const std::size_t queue_max;
    const unsigned attempts_max;
  };

  // Watches the workers with which the queue begins: its first run does that.
  void open(self_type& self) {
    if (std::exchange(is_open_, true)) return;
    for (const auto& worker : setup_->workers) add(self, worker);
  }
  void add(self_type& self, ref<request<queued_work<M>>> worker) {
    const std::uint64_t id = next_++;
    self.monitor(worker, work_worker_gone{id});
    seats_ = std::move(seats_).insert_or_assign(id, {worker});
    free_ = std::move(free_).push_back(id);
  }
  // Is there a worker that is free? Then it is free_.front().
  bool finds_free() {
    while (!free_.empty() && !seats_.contains(free_.front()))
      free_ = std::move(free_).pop_front();  // it ended while it was free
    return !free_.empty();
  }
  void give(self_type& self, entry e) {
    with_context(e.item->in, [&] {
      const std::uint64_t id = free_.front();
      const auto worker = seats_.at(id).worker;
      const std::uint64_t turn = next_++;
      const auto end = counted<pool_turn_end>::make();
      const work_turn<M> then{e.item, end, self.ref(), id, turn};
      const ref<done> customer = self.beta(work_done<M>{then}, work_failed<M>{then});
      self.send(worker, request<queued_work<M>>{customer, queued_work<M>(e.item, ++e.attempts)});
      seats_ = std::move(seats_).insert_or_assign(id, {worker, end, turn, customer, e});
      free_ = std::move(free_).pop_front();
    });
  }
  // Gives the first that wait to workers that are free; what has come back is older than what has not been given yet.
  void let_in(self_type& self) {
    while (count_ != 0 && finds_free()) {
      auto& from = returned_.empty() ? waiting_ : returned_;
      const entry first = from.front();
      from = std::move(from).pop_front();
      --count_;
      give(self, first);
    }
  }
  void end_turn(self_type& self, std::uint64_t id, const seat_type& seat) {
    if (seat.at_work->has_failed) take_back(self, seat.given);
    if (seat.is_gone) {
      seats_ = std::move(seats_).erase(id);
    } else {
      seats_ = std::move(seats_).insert_or_assign(id, {seat.worker});
      free_ = std::move(free_).push_back(id);
    }
  }
  void take_back(self_type& self, const entry& e) {
    if (e.attempts < setup_->attempts_max) {
      returned_ = std::move(returned_).push_back(e);
      ++count_;
      return;
    }
    // The run that ends this turn is told of until it commits, so this may be noted before.
    e.item->settled = true;
    with_context(e.item->in, [&] {
      self.send(ref<request<queued_work<M>>>(), request<queued_work<M>>{{}, queued_work<M>(e.item, e.attempts)});
    });
  }
  // A worker that has ended may have answered, or the engine may tell that it will not; or the worker had deferred its
  // request, and no actor tells anything. So the customer of its turn is told now that the worker has ended. It counts
  // what it hears first, and tells the queue.
  void lose(self_type& self, std::uint64_t id, const seat_type& seat) {
    if (!seat.at_work) {
      seats_ = std::move(seats_).erase(id);
      return;
    }
    self.fail(seat.customer, {failure_reason::target_ended, "the worker has ended", {}});
    seats_ =
        std::move(seats_).insert_or_assign(id, {seat.worker, seat.at_work, seat.turn, seat.customer, seat.given, true});
  }

  counted<setup> setup_;
  bool is_open_ = false;
  std::size_t count_ = 0;   // of messages that wait
  std::uint64_t next_ = 1;  // number of a seat or of a turn
  map<std::uint64_t, seat_type> seats_{};
  queue<std::uint64_t> free_{};  // seats; also of workers that have ended since
  queue<entry> returned_{};      // what workers had and have not done
  queue<entry> waiting_{};
};

}  // namespace detail
}  // namespace tact
