// What workers work for in the explorer's tests: shards, offices and sleeping places on simulated atomics, with the
// real queues; and the worker context that the real holder is built on there.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dispatch/exchange/publish.hpp"
#include "dispatch/exchange/searchers.hpp"
#include "dispatch/exchange/shard_table.hpp"
#include "dispatch/holding/dealing.hpp"
#include "dispatch/holding/holder.hpp"
#include "dispatch/holding/joint_hold.hpp"
#include "mailbox/depot.hpp"
#include "mailbox/office.hpp"
#include "mailbox/outbox_set.hpp"
#include "mailbox/shard.hpp"
#include "sync/eventcount.hpp"
#include "tact/detail/message_type.hpp"
#include "tools/explorer/explorer.hpp"
#include "tools/explorer/simulated.hpp"

namespace tact::schedule {

using explorer::check;
using explorer::simulated;
using sync::fault;
using shard = mailbox::basic_shard<simulated>;
using office = mailbox::basic_office<simulated>;

// A message; its target is the number of a shard, as a port. As long as an inbox wants it.
struct alignas(16) letter {
  unsigned sender = 0;
  unsigned number = 0;
  unsigned hops = 0;  // left
};

inline std::optional<std::uint32_t> shard_of(const mailbox::envelope& e) {
  return static_cast<std::uint32_t>(e.target() >> detail::index_bits);
}
inline detail::port port_of(std::uint32_t number) { return detail::port{number} << detail::index_bits; }

// Chunks of all scenarios come from here, because to get one from the system takes longer than a schedule. A schedule
// with a planted fault loses chunks: it is given up where it stands, or two threads write in one queue. So these
// schedules have chunks of their own, and those of the others all come back.
inline mailbox::depot& chunks_of_sound_schedules() {
  static mailbox::depot shared;
  return shared;
}
inline mailbox::depot& chunks_of_broken_schedules() {
  static mailbox::depot shared;
  return shared;
}

// As src/dispatch/dispatcher.hpp.
class house {
 public:
  // Of a worker what other threads use.
  struct colleague {
    sync::eventcount<simulated> wakeups;
    simulated::atomic<bool> asked_to_part{false};

    void wake() { wakeups.notify(); }
    void ask_to_part() { asked_to_part.store(true); }
    static bool is_worth_moving() { return false; }
  };

  house(unsigned workers, unsigned shards, unsigned running)
      : spare_(simulated::planted(fault::none) ? chunks_of_sound_schedules() : chunks_of_broken_schedules()),
        running_(running),
        shards_(shards),
        offices_(workers),
        outbox_for_(shards),
        idle_(workers),
        table_(workers, shards, running) {
    for (unsigned i = 0; i < workers; ++i) {
      workers_.push_back(std::make_unique<colleague>());
      offices_[i].index = i;
      offices_[i].number = shards + i;
      offices_[i].open = std::vector<office::place>(workers);
    }
    for (unsigned i = 0; i < shards; ++i) {
      shards_[i].number = i;
      shards_[i].office = i % workers;
      ++offices_[i % workers].shards;
      outbox_for_[i] = shards + i % workers;
      table_.deal(i, shards_[i]);
    }
  }
  ~house() {
    for (shard& s : shards_) spill(s.word.gulp());
    for (office& o : offices_) spill(o.word.gulp());
  }
  house(const house&) = delete;
  house& operator=(const house&) = delete;

  // -- what a holder asks
  // The parts of the exchange: here one class is all of them.
  house& mail() { return *this; }
  house& waker() { return *this; }
  const house& waker() const { return *this; }
  house& stealing() { return *this; }
  const house& stealing() const { return *this; }
  house& idle() { return *this; }
  dispatch::searchers<simulated>& searching() { return searchers_; }
  colleague& status_of(unsigned worker) const { return *workers_[worker]; }
  shard& shard_at(std::uint32_t i) { return shards_[i]; }
  office& office_at(std::uint32_t i) { return offices_[i]; }
  std::uint32_t ordinary_shards() const { return static_cast<std::uint32_t>(shards_.size()); }
  unsigned worker_count() const { return static_cast<unsigned>(offices_.size()); }
  unsigned running() const { return running_.load(); }
  static bool is_ordinary(std::uint32_t) { return true; }
  bool is_office(std::uint32_t outbox) const { return outbox >= shards_.size(); }
  office& office_of_outbox(std::uint32_t outbox) { return offices_[outbox - shards_.size()]; }
  unsigned owner_of_office(std::uint32_t i) const { return i % running(); }
  bool is_idle(unsigned worker) const { return idle_[worker].load(std::memory_order_relaxed); }
  bool has(unsigned worker) const { return is_idle(worker); }
  dispatch::published publish(std::uint32_t outbox, mailbox::copy_queue::chain messages) {
    return dispatch::push(is_office(outbox) ? office_of_outbox(outbox).word : shards_[outbox].word, messages);
  }
  void announce(const shard& s) { workers_[s.owner.load()]->wake(); }
  void announce(const office& o) { workers_[owner_of_office(o.index)]->wake(); }

  // -- what the tests ask
  mailbox::depot& spare() { return spare_; }
  std::uint32_t outbox_for(std::uint32_t i) const { return outbox_for_[i]; }
  std::span<const std::uint32_t> outbox_of_each() const { return outbox_for_; }
  void announce_outbox(std::uint32_t outbox) {
    is_office(outbox) ? announce(office_of_outbox(outbox)) : announce(shards_[outbox]);
  }
  void set_running(unsigned count) { running_.store(count); }
  void announce_offices() {
    for (const office& o : offices_) {
      if (o.word.eligible()) announce(o);
    }
  }
  bool all_idle() const { return false; }
  void say_idle(unsigned worker, bool idle) { idle_[worker].store(idle, std::memory_order_relaxed); }
  bool anything_eligible(unsigned worker) {
    const unsigned running = this->running();
    for (std::uint32_t o = worker; worker < running && o < worker_count(); o += running) {
      if (offices_[o].word.eligible()) return true;
    }
    return table_.anything_eligible(worker);
  }
  // As threads outside do.
  void send(letter l, std::uint32_t to) {
    shard& s = shards_[to];
    const auto receipt = s.outside.put(detail::message_type_of<letter>, port_of(to), &l, spare_);
    if (receipt.how == mailbox::inbox::entry::first && s.word.post_mail()) announce(s);
  }
  dispatch::shard_table<simulated, shard>& table() { return table_; }
  std::vector<shard>& shards() { return shards_; }
  std::vector<office>& offices() { return offices_; }

 private:
  void spill(const mailbox::gulped<mailbox::chunk>& left) {
    for (mailbox::chunk* c = left.oldest; c != nullptr;) spare_.give(std::exchange(c, c->next));
  }

  mailbox::depot& spare_;
  simulated::atomic<unsigned> running_;
  std::vector<shard> shards_;
  std::vector<office> offices_;
  std::vector<std::uint32_t> outbox_for_;
  std::vector<std::unique_ptr<colleague>> workers_;
  std::vector<simulated::atomic<bool>> idle_;
  dispatch::shard_table<simulated, shard> table_;
  dispatch::searchers<simulated> searchers_{1};
};

class worker_context;

// As src/dispatch/holding/runner.hpp and src/dispatch/holding/lane_sharing.hpp: here one class is both.
class runner {
 public:
  virtual void run_lane(shard& held) = 0;
  virtual bool may_join(const shard&) const = 0;
  virtual bool may_stay_joined(const shard&) = 0;
  virtual bool is_short(const mailbox::copy_queue& lane) const = 0;
  virtual void separate(shard& held) = 0;
  virtual void deal_out(office& from, shard* into) = 0;
  virtual std::optional<std::uint32_t> first_in(mailbox::copy_queue& from) = 0;
  void publish_counters() {}

 protected:
  ~runner() = default;
};

// As src/dispatch/holding/thread_context.hpp and src/dispatch/holding/worker_context.hpp.
class worker_context {
 public:
  using policy = simulated;
  using shard = schedule::shard;
  using office = schedule::office;
  using joint_hold = dispatch::basic_joint_hold<shard>;

  worker_context(house& between, unsigned index)
      : exchange_(between),
        index_(index),
        chunks_(between.spare()),
        outboxes_(between.ordinary_shards() + between.worker_count()),
        held_(between.outbox_of_each(), outboxes_, between.worker_count()) {
    if (index < between.worker_count()) outboxes_.set_sender(index);
  }
  house& exchange() { return exchange_; }
  mailbox::outbox_set& outboxes() { return outboxes_; }
  mailbox::chunk_store& chunks() { return chunks_; }
  joint_hold& held() { return held_; }
  runner& sharing() { return *runner_; }
  virtual bool join(std::uint32_t shard) noexcept = 0;
  virtual bool take_in(shard& s) noexcept = 0;
  virtual bool rather_withholds() noexcept = 0;
  void flush() {
    publish([this](std::uint32_t n) { exchange_.announce_outbox(n); });
  }

 protected:
  static constexpr unsigned gulps_per_hold = 2;
  static constexpr std::uint64_t small_gulp = 1;
  static constexpr unsigned withheld_in_a_row = 1;

  ~worker_context() = default;
  template <class Tell>
  void publish(Tell tell) {
    dispatch::publish_all(exchange_, outboxes_, chunks_, tell);
  }

  house& exchange_;
  const unsigned index_;
  runner* runner_ = nullptr;
  mailbox::chunk_store chunks_;
  mailbox::outbox_set outboxes_;
  joint_hold held_;
};

}  // namespace tact::schedule
