// The running transaction of one worker: takes messages from a lane, runs their handlers, commits or aborts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actor/cell.hpp"
#include "actor/cell_store.hpp"
#include "actor/core.hpp"
#include "actor/pace.hpp"
#include "actor/tally.hpp"
#include "dispatch/desk.hpp"
#include "dispatch/worker.hpp"
#include "mailbox/envelope.hpp"
#include "tact/failure.hpp"
#include "transaction/journal.hpp"

namespace tact::detail {

// Thread safety: the worker's own thread, except counters() and running_now().
class run final : public dispatch::runner {
 public:
  run(core& engine, dispatch::desk& d);
  ~run() override;

  // -- dispatch::runner
  void run_lane(mailbox::shard& held) override;
  void publish_counters(bool exact) noexcept override;
  void on_start() noexcept override;
  void trim() noexcept override;

  // -- for handlers, by way of tact/detail/core.hpp
  [[nodiscard]] void* stage(port to, const message_type& type);
  [[nodiscard]] void* stage_round(port to, const message_type& type);
  void stage_become(closure& next) noexcept;
  void stage_stop(allocation how) noexcept { journal_.stop(how); }
  void discard() noexcept {
    abort();
    if (owed_in_run_ == journal_.run()) debt_ = owed_;
  }
  // relaxed: owner-only write, read back by its owner.
  [[nodiscard]] port self() const noexcept { return running_actor_.load(std::memory_order_relaxed) & ~index_mask; }
  [[nodiscard]] port reserve(actor::route::kind kind, placement where);
  void install(port at, closure& first);
  void owe(port customer) noexcept {
    debt_ = customer;
    owed_ = customer;
    owed_in_run_ = journal_.run();
  }
  void settle_debt(port customer) noexcept {
    if (same_actor(customer, debt_)) debt_ = 0;
  }
  [[nodiscard]] core& engine() noexcept { return *engine_; }
  [[nodiscard]] actor::cell_cache& cells() noexcept { return cells_; }

  // -- from any thread
  [[nodiscard]] const actor::published_tally& counters() const noexcept { return published_; }
  // What runs at this moment, as far as can be told: empty or "account handling tact::request<balance>".
  [[nodiscard]] std::string running_now() const;
  // For people: "worker 3" or "the thread of a blocking actor".
  [[nodiscard]] std::string name() const;

 private:
  enum class outcome : unsigned char { done, again, forward };

  void dispatch(mailbox::envelope& e);
  // Calls the handler. False: it threw, and the failure was dealt with.
  [[nodiscard]] bool call(mailbox::envelope& e, actor::cell& c, closure& b, entry handler);
  // The same for a failure notice or a pill. False: nothing more is to be done.
  [[nodiscard]] bool call_special(mailbox::envelope& e, actor::cell& c, closure& b);
  // A message that is not simply run where it is: one-shots, and those that belong home.
  [[nodiscard]] outcome divert(mailbox::envelope& e, actor::cell& c, actor::cell::word_value seen);
  void run_once(mailbox::envelope& e, actor::cell& c, closure& b);
  // Carries out what was staged beside sends.
  [[nodiscard]] outcome settle(mailbox::envelope& e, actor::cell& c, actor::cell::word_value seen);
  [[nodiscard]] outcome collided(mailbox::envelope& e, actor::cell& c);
  [[nodiscard]] bool is_home(const actor::cell& c) const noexcept { return c.where().shard() == shard_->number; }

  void failed(mailbox::envelope& e, actor::cell& c, const behavior_type& t);
  void end_from_elsewhere(actor::cell& c, port at);
  void end_actor(actor::cell& c, closure& last, allocation how) noexcept;
  void replaced(actor::cell& c, closure& old) noexcept;
  void retire(closure& old) noexcept;
  void retire(actor::cell& c) noexcept;
  void retire(void* object, dispatch::epochs::finalizer fin, void* context) noexcept;
  void give_up(actor::cell& c) noexcept;

  [[nodiscard]] std::uint32_t home(placement where);  // the shard for a new actor
  [[nodiscard]] void* stage_spread(unsigned slots);
  [[nodiscard]] void* stage_elsewhere(port to, actor::route r, unsigned slots);
  void send_abroad();
  void end_message(mailbox::envelope& e) noexcept;
  void install_created() noexcept;
  void commit_rest();  // creations, debt, messages to other engines
  void abort(bool installed = false) noexcept;
  void end_installed(actor::cell& c, port at) noexcept;
  void pay_debt();
  void tell(port customer, failure&& f);
  void drop(mailbox::envelope& e, failure_reason reason) noexcept;
  void forward(mailbox::envelope& e, const actor::cell& c);
  void finish(mailbox::envelope& e) noexcept {
    if (e.needs_end()) end_message(e);
    ++tally_.committed;
  }

  [[nodiscard]] bool housekeep();  // false: the hold is over
  void share();
  void flush();
  [[nodiscard]] std::uint32_t shard_of(unsigned helper) noexcept;  // the next of that worker's shards
  void adopt_withdrawn() noexcept;

  core* const engine_;
  dispatch::desk* const worker_;
  transaction::journal journal_;
  actor::cell_cache cells_;
  const dispatch::idle_set* const idle_;
  unsigned last_helper_ = 0;         // the sleeping worker that was given a message last
  unsigned helped_ = 0;              // messages given so
  std::uint32_t sent_round_ = 0;     // messages sent to the next shard, round over all
  bool flush_soon_ = false;          // a sleeping worker was given one that is not published yet
  mailbox::shard* shard_ = nullptr;  // held now
  std::uint64_t home_route_ = 0;     // route of an exclusive actor that lives in it
  std::uint64_t parallel_key_ = 0;   // what the route of a parallel actor of this engine begins with
  port debt_ = 0;                    // the customer to whom the run that goes on owes an answer; 0 between runs
  port owed_ = 0;                    // the last debt, also when it was settled since
  std::uint64_t owed_in_run_ = 0;    // the run that it belongs to
  std::uint64_t installed_ = 0;      // actors that this run created, without one-shots
  std::vector<std::uint32_t> blocking_homes_;  // taken in this run
  actor::pace pace_;
  actor::tally tally_;

  // Written per message by the worker, read by reports. relaxed throughout: hint.
  alignas(64) sync::atomic<const message_type*> running_message_{nullptr};
  sync::atomic<port> running_actor_{0};
  alignas(64) actor::published_tally published_;
};

}  // namespace tact::detail
