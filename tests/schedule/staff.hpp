// Workers that hold shards and offices, search, bring shards home and sleep with the real kernel, on simulated atomics,
// with actors that write letters to each other.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "dispatch/workers/home_shards.hpp"
#include "dispatch/workers/idling.hpp"
#include "schedule/house.hpp"
#include "support/explorer_checks.hpp"

namespace tact::schedule {

// Fails when two handlers of a shard overlap, when a letter overtakes an earlier one of its sender, and, by deadlock,
// when all workers sleep while a letter waits.
template <unsigned Workers, unsigned Shards>
class staff : public explorer::scenario {
 public:
  explicit staff(unsigned letters, unsigned searchers_max = Workers, unsigned running = Workers)
      : letters_(letters), house_(Workers, Shards, running) {
    house_.searching().set_max(searchers_max);
    for (unsigned w = 0; w < Workers; ++w) workers_.push_back(std::make_unique<worker>(*this, house_, w));
  }
  void name(explorer::names& called) override {
    for (shard& s : house_.shards()) {
      called.add(s.word, "shard " + std::to_string(s.number));
      called.add(s.owner, "owner of shard " + std::to_string(s.number));
    }
    for (office& o : house_.offices()) called.add(o.word, "office " + std::to_string(o.index));
    for (unsigned w = 0; w < Workers; ++w) {
      called.add(wakeups(w), "wakeups of worker " + std::to_string(w));
      for (std::size_t i = 0; i < shards().of(w).size(); ++i) {
        called.add(shards().of(w)[i], "slot " + std::to_string(w) + '.' + std::to_string(i));
      }
    }
    called.add(house_.searching(), "searchers");
    called.add(handled_, "handled");
  }
  void at_end() override {
    check(house_.searching().count() == 0, "somebody is still counted as searching");
    std::array<unsigned, Shards> found{};
    for (unsigned w = 0; w < Workers; ++w) {
      for (std::size_t i = 0; i < shards().of(w).size(); ++i) {
        const shard* s = shards().of(w)[i].load();
        check(s != nullptr, "a slot is empty and nobody swaps");
        if (s == nullptr) return;
        if (is_vacant(s)) continue;
        check(s->owner.load() == w, "a shard says that it belongs to another worker");
        ++found[s->number];
      }
    }
    for (const unsigned times : found) check(times == 1, "a shard is in two slots or in none");
  }

 protected:
  // Whom this worker steals from; and whether it holds several shards together, and keeps what it sends to sleepers.
  virtual std::optional<unsigned> victim_of(unsigned) { return {}; }
  virtual bool joins() const { return false; }
  virtual bool withholds() const { return false; }
  // Workers come and go.
  virtual bool is_told_to_go(unsigned) { return false; }
  virtual bool is_vacant(const shard*) const { return false; }
  // Workers rest; and those that have nothing to do take a shard back that is at home with them.
  virtual bool rests(unsigned) { return false; }
  virtual bool brings_home() const { return false; }
  // Workers that hold several shards exchange one with another worker that has something to do, and part from all.
  virtual bool brings_home_while_busy() const { return false; }
  // To how many shards a handler writes on, and whether it runs twice, the first time in vain.
  virtual unsigned copies() const { return 1; }
  virtual unsigned next_of(unsigned from, unsigned n) const { return (from + 1 + n) % Shards; }
  virtual bool aborts() const { return false; }
  // What a handler does; others run meanwhile.
  virtual void handle(unsigned) { static_cast<void>(handled_.load()); }

  // As a thread outside.
  void send(letter l, unsigned to) { house_.send(l, to); }
  void work(unsigned me) { workers_[me]->work(); }
  // As src/dispatch/visitors/helper.hpp: a thread without shards runs those of others, once round. False: there was
  // nothing.
  bool help(unsigned me) { return workers_[me]->help(); }
  bool over() const { return handled_.load() == letters_; }
  house& all() { return house_; }
  dispatch::shard_table<simulated, shard>& shards() { return house_.table(); }
  sync::eventcount<simulated>& wakeups(unsigned w) { return house_.status_of(w).wakeups; }
  bool sleeps(unsigned w) { return wakeups(w).has_waiters(); }
  void wake_another(unsigned me) {
    for (unsigned n = 1; n < Workers; ++n) {
      const unsigned other = (me + n) % Workers;
      if (sleeps(other)) return wakeups(other).notify();
    }
  }

 private:
  static constexpr unsigned first_actor = 3;  // as a sender
  static constexpr unsigned budget = 2;
  static constexpr unsigned turns_together = 2;

  class worker final : public dispatch::holder<worker_context>, public runner {
   public:
    worker(staff& all, house& where, unsigned index)
        : holder(where, index), all_(&all), home_shards_(where, index), wakeups_(all.wakeups(index)) {
      runner_ = this;
    }

    void work() {
      while (!is_over()) dispatch::idling::take_turn(*this);
    }
    bool help() {
      helps_ = true;  // and never holds several shards
      bool found = false;
      for (office& o : exchange_.offices()) found = deal_out_for_others(o) || found;
      for (shard& s : exchange_.shards()) {
        if (!s.word.eligible() || !gulp(s)) continue;
        found = true;
        held_.begin(s);
        run_lane(s);
        held_.end();
        flush();
        let_go(s);
      }
      return found;
    }

   private:
    // -- dispatch::idling
    friend struct dispatch::idling;
    static constexpr unsigned steals_per_search = 1;
    bool is_over() { return all_->over() || all_->is_told_to_go(index_); }
    bool rests() { return all_->rests(index_); }
    void say_idle() { exchange_.say_idle(index_, true); }
    void say_busy() { exchange_.say_idle(index_, false); }
    void after_hold(unsigned) {}
    bool spin() { return false; }
    bool bring_home() { return all_->brings_home() && home_shards_.bring_home(counters_); }
    bool steals() {
      lost_ = false;
      victim_ = all_->victim_of(index_);
      return victim_.has_value();
    }
    bool is_patient() { return true; }
    bool may_deal_out_for(unsigned, bool) { return true; }
    dispatch::theft<shard> steal(bool) {
      const auto t =
          exchange_.table().steal(index_, *victim_, 0, [this](unsigned told) { all_->wakeups(told).notify(); });
      lost_ = t.outcome == dispatch::theft_outcome::lost;
      return t;
    }
    bool victim_is_slow() { return false; }
    void wake_another() { all_->wake_another(index_); }
    void park() { static_cast<void>(dispatch::idling::sleep(*this, {})); }
    void before_sleep() {}
    bool anything_came() { return (!lost_ || !simulated::planted(fault::park_after_lost_swap)) && anything_eligible(); }
    sync::eventcount<simulated>& wakeups() { return wakeups_; }
    void count_park() {}
    void count_wake() {}

    // -- dispatch::holder
    std::size_t own_shards() const noexcept override { return exchange_.table().of(index_).size(); }
    shard* own_shard(std::size_t i) const noexcept override { return exchange_.table().of(index_)[i].load(); }
    bool anything_eligible() const noexcept override { return exchange_.anything_eligible(index_); }
    bool stops() const noexcept override { return all_->over() || all_->rests(index_); }
    bool looks_on() const noexcept override {
      return !all_->over() && !(simulated::planted(fault::kept_not_looked_at) && all_->rests(index_));
    }
    void takes_up() noexcept override {}
    void has_run() noexcept override {}
    // As src/dispatch/workers/worker.cpp.
    bool parts() noexcept override {
      if (!all_->brings_home_while_busy()) return false;
      const bool is_asked = exchange_.status_of(index_).asked_to_part.exchange(false);
      return home_shards_.bring_all_home(counters_) || is_asked;
    }
    void pause() const noexcept override {}

    // -- runner
    void run_lane(shard& held) override {
      if (all_->withholds()) held.own_ns.add(1);
      wrote_here_ = false;
      for (unsigned n = 0; n < budget && !held.lane.empty(); ++n) deliver(held);
    }
    bool may_join(const shard&) const override { return all_->joins() && !helps_; }
    bool is_short(const mailbox::copy_queue& lane) const override { return lane.slots_waiting() <= 2; }
    bool may_stay_joined(const shard&) override {
      const bool stays = turns_ < turns_together;
      turns_ = stays ? turns_ + 1 : 0;
      return stays;
    }
    void separate(shard& held) override { static_cast<void>(dispatch::separate(*this, held, shard_of)); }
    void deal_out(office& from, shard* into) override {
      check(++all_->dealers_.at(from.index) == 1, "two deal out one office at once");
      dispatch::deal_out(*this, from, into, shard_of);
      --all_->dealers_.at(from.index);
    }
    std::optional<std::uint32_t> first_in(mailbox::copy_queue& from) override { return shard_of(from.front()); }

    void deliver(shard& held) {
      const mailbox::envelope& e = held.lane.front();
      const std::uint32_t to = *shard_of(e);
      const letter l = *static_cast<const letter*>(held.lane.front().message());
      held.lane.pop(e.slots(), chunks_);
      actor& a = all_->actors_.at(to);
      check(held_.has(to), "a letter is in the lane of a shard that it is not for");
      check(++a.inside == 1, "two handlers of one shard run at once");
      check(a.next_from.at(l.sender)++ == l.number, "a letter overtook an earlier one of its sender");
      all_->handle(index_);
      --a.inside;
      if (l.hops != 0) {
        if (all_->aborts()) write_on(held, to, l.hops - 1, true);
        write_on(held, to, l.hops - 1, false);
      } else {
        all_->count_handled();
      }
    }

    // As the actor of shard `from`, to the next ones. What a run in vain stages is forgotten; a shard that it joined
    // stays, and an outbox that it opened.
    void write_on(shard& held, unsigned from, unsigned hops, bool in_vain) {
      wrote_here_ = false;
      for (unsigned n = 0; n < all_->copies(); ++n) {
        const unsigned to = all_->next_of(from, n);
        mailbox::copy_queue& queue = queue_for(held, to);
        if (in_vain) continue;
        const letter written{first_actor + from, all_->actors_.at(from).sent_on.at(to)++, hops};
        const auto& type = detail::message_type_of<letter>;
        auto* const e = new (queue.reserve(type.slot_count(), chunks_)) mailbox::envelope(type, port_of(to));
        new (e->plain_payload()) letter(written);
      }
    }
    // As detail::stage, and router::place_exclusive.
    mailbox::copy_queue& queue_for(shard& held, unsigned to) {
      auto& known = static_cast<mailbox::copy_queue&>(*held_.tails()[to]);
      if (!simulated::planted(fault::join_past_outbox) &&
          known.has_room(detail::message_type_of<letter>.slot_count())) {
        wrote_here_ = wrote_here_ || &known == &held.lane;
        return known;
      }
      const std::uint32_t number = exchange_.outbox_for(to);
      const bool waits_there = outboxes_.is_open(number) && !simulated::planted(fault::join_past_outbox);
      const bool stays = held_.has(to) || (may_join(held) && !waits_there && !wrote_here_ && join(to));
      wrote_here_ = wrote_here_ || stays;
      return stays ? held.lane : outboxes_.open(number).queue;
    }

    staff* const all_;
    dispatch::home_shards<house, shard> home_shards_;
    sync::eventcount<simulated>& wakeups_;
    std::optional<unsigned> victim_;
    bool lost_ = false;  // the last swap
    bool helps_ = false;
    bool wrote_here_ = false;
    unsigned turns_ = 0;
  };

  struct actor {
    int inside = 0;                                          // handlers that run now
    std::array<unsigned, first_actor + Shards> next_from{};  // by sender: threads first, then the actor of each shard
    std::array<unsigned, Shards> sent_on{};
  };

  void count_handled() {
    if (handled_.fetch_add(1) + 1 != letters_) return;
    for (unsigned w = 0; w < house_.worker_count(); ++w) house_.status_of(w).wake();
  }

  const unsigned letters_;
  house house_;
  std::array<actor, Shards> actors_{};
  std::array<unsigned, Workers> dealers_{};  // by office
  std::vector<std::unique_ptr<worker>> workers_;
  simulated::atomic<std::uint32_t> handled_{0};
};

}  // namespace tact::schedule
