// Workers as src/dispatch/worker.cpp combines the kernels: rounds, thefts, adoptions and parking, on simulated atomics.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "dispatch/searchers.hpp"
#include "dispatch/shard_table.hpp"
#include "mailbox/shard_word.hpp"
#include "schedule/letter.hpp"
#include "simulation/simulated.hpp"
#include "support/explorer_checks.hpp"
#include "sync/eventcount.hpp"

namespace tact::schedule {

using simulation::check;
using simulation::simulated;
using sync::fault;

struct desk {
  mailbox::shard_word<simulated, letter> word;
  simulated::atomic<std::uint32_t> owner{0};
  letter_list lane;
  int joined_by = -1;                   // the worker that holds it beside another, in whose lane its letters are
  int inside = 0;                       // handlers that run now
  std::array<unsigned, 8> next_from{};  // by sender: threads first, then the actor of each shard
};

// Fails when two handlers of a shard overlap, when a letter overtakes an earlier one of its sender, and, by deadlock,
// when everybody sleeps while a letter waits.
template <unsigned Workers, unsigned Shards>
class staff : public simulation::scenario {
 public:
  explicit staff(unsigned letters, unsigned searchers_max = Workers, unsigned running = Workers)
      : letters_(letters), searchers_(searchers_max), table_(Workers, Shards, running) {
    for (unsigned i = 0; i < Shards; ++i) table_.deal(i, shards_[i]);
  }
  void name(simulation::names& called) override {
    for (unsigned i = 0; i < Shards; ++i) {
      called.add(shards_[i], "shard " + std::to_string(i));
      called.add(shards_[i].owner, "owner of shard " + std::to_string(i));
    }
    for (unsigned w = 0; w < Workers; ++w) {
      called.add(wakeups_[w], "wakeups of worker " + std::to_string(w));
      for (std::size_t i = 0; i < table_.of(w).size(); ++i) {
        called.add(table_.of(w)[i], "slot " + std::to_string(w) + '.' + std::to_string(i));
      }
    }
    for (const letter& l : storage_) called.add(l, "letter " + std::to_string(&l - storage_.data()));
    called.add(searchers_, "searchers");
    called.add(handled_, "handled");
  }
  void at_end() override {
    check(searchers_.count() == 0, "somebody is still counted as searching");
    std::array<unsigned, Shards> found{};
    for (unsigned w = 0; w < Workers; ++w) {
      for (std::size_t i = 0; i < table_.of(w).size(); ++i) {
        const desk* s = table_.of(w)[i].load();
        check(s != nullptr, "a slot is empty and nobody swaps");
        if (s == nullptr) return;
        if (is_vacant(s)) continue;
        check(s->owner.load() == w, "a shard says that it belongs to another worker");
        ++found[static_cast<std::size_t>(s - shards_.data())];
      }
    }
    for (const unsigned times : found) check(times == 1, "a shard is in two slots or in none");
  }

 protected:
  // Whom this worker steals from; adoption and joint holds, if wanted.
  virtual std::optional<unsigned> victim_of(unsigned) { return {}; }
  virtual bool adopts() const { return false; }
  virtual bool joins() const { return false; }
  virtual bool keeps() const { return false; }  // what it has sent to idle shards, whose holder it becomes
  // Workers come and go.
  virtual bool is_told_to_go(unsigned) { return false; }
  virtual bool is_vacant(const desk*) const { return false; }
  // To how many shards a handler writes on, and whether it runs twice, the first time in vain.
  virtual unsigned copies() const { return 1; }
  virtual bool aborts() const { return false; }
  // What a handler does; others run meanwhile.
  virtual void handle(unsigned) { static_cast<void>(handled_.load()); }

  void send(letter& l) {
    if (at(l.to).word.push(&l, &l)) announce(at(l.to));
  }
  letter& new_letter(unsigned sender, unsigned number, unsigned to, unsigned hops = 0) {
    letter& l = storage_.at(used_++);
    l.sender = sender;
    l.number = number;
    l.to = to;
    l.hops = hops;
    return l;
  }
  void work(unsigned me) {
    while (!over() && !is_told_to_go(me)) {
      if (!round(me) && !search(me)) park(me);
    }
  }
  // As src/dispatch/helper.hpp: who has no shards runs those of others, once round. False: there was nothing.
  bool help(unsigned me) {
    bool found = false;
    for (desk& s : shards_) {
      if (!s.word.eligible()) continue;
      found = true;
      hold(me, s);
    }
    return found;
  }
  bool over() const { return handled_.load() == letters_; }
  using table = dispatch::shard_table<simulated, desk>;
  table& shards() { return table_; }
  sync::eventcount<simulated>& wakeups(unsigned worker) { return wakeups_[worker]; }
  bool sleeps(unsigned worker) const { return wakeups_[worker].has_waiters(); }
  void wake_another(unsigned me) {
    for (unsigned n = 1; n < Workers; ++n) {
      const unsigned other = (me + n) % Workers;
      if (sleeps(other)) return wakeups_[other].notify();
    }
  }

 private:
  static constexpr unsigned first_actor = 3;  // as a sender
  static constexpr unsigned budget = 2;
  static constexpr unsigned gulps_per_hold = 2;
  static constexpr unsigned turns_together = 2;

  desk& at(unsigned i) { return shards_.at(i); }
  void announce(const desk& s) { wakeups_[s.owner.load()].notify(); }

  bool round(unsigned me) {
    bool found = false;
    for (std::size_t i = 0; i < table_.of(me).size(); ++i) {
      desk* s = table_.of(me)[i].load();
      if (s == nullptr || !s->word.eligible()) continue;
      found = true;
      hold(me, *s);
    }
    return found;
  }

  bool search(unsigned me) {
    lost_[me] = false;
    const auto victim = victim_of(me);
    if (!victim || !searchers_.try_enter()) return false;
    const auto t = table_.steal(me, *victim, 0, [this](unsigned told) { wakeups_[told].notify(); });
    lost_[me] = t.outcome == dispatch::theft_outcome::lost;
    const bool stolen = t.outcome == dispatch::theft_outcome::stolen;
    if (searchers_.leave() && stolen && t.more && !simulated::planted(fault::chain_broken)) wake_another(me);
    if (stolen) hold(me, *t.shard);
    return stolen;
  }

  void park(unsigned me) {
    const auto ticket = wakeups_[me].prepare();
    const bool looks = !lost_[me] || !simulated::planted(fault::park_after_lost_swap);
    if ((looks && table_.anything_eligible(me)) || over() || is_told_to_go(me)) return wakeups_[me].cancel();
    wakeups_[me].wait(ticket);
  }

  void hold(unsigned me, desk& s) {
    mailbox::gulped<letter> taken;
    if (!s.word.try_gulp(taken)) return;
    s.lane.append(taken);
    for (desk* held = &s; held != nullptr;) held = run_one(me, *held);
  }

  desk* run_one(unsigned me, desk& s) {
    unsigned turns = 0;
    for (unsigned gulps = 1;; ++gulps) {
      do {
        for (unsigned n = 0; n < budget && !s.lane.empty(); ++n) deliver(me, s, s.lane.take());
      } while (joins() && turns++ < turns_together && goes_on(me, s));
      part(me, s);
      if (!s.lane.empty()) return let_rest(me, s);
      desk* const adopted = flush_or_adopt(me, adopts() && s.word.nothing_came());
      if (s.word.release()) return adopted;
      if (adopted != nullptr) {
        adopted->word.release_with_rest();
        if (!simulated::planted(fault::rest_not_announced)) announce(*adopted);
      }
      if (gulps == gulps_per_hold) {
        s.word.hand_over();
        left_behind(me, s);
        return nullptr;
      }
      s.lane.append(s.word.gulp());
    }
  }

  // Its turn is over. A shard of a worker that sleeps is adopted all the same.
  desk* let_rest(unsigned me, desk& s) {
    const bool early = simulated::planted(fault::release_before_flush);
    if (early) s.word.release_with_rest();
    desk* const adopted = flush_or_adopt(me, adopts());
    if (!early) s.word.release_with_rest();
    left_behind(me, s);
    return adopted;
  }

  // -- joint holds
  bool holds(unsigned me, const desk& s, const desk& other) const {
    return &s == &other || other.joined_by == static_cast<int>(me);
  }

  bool join(unsigned me, const desk& s, desk& other) {
    if (!joins()) return false;
    if (is_open(me, other) && !simulated::planted(fault::join_past_outbox)) return false;
    if (!other.word.try_hold()) return false;
    if (anything_came(me, s) && !simulated::planted(fault::join_without_look)) {
      let_go(me, other);
      return false;
    }
    add(me, other);
    return true;
  }
  bool anything_came(unsigned me, const desk& s) const {
    bool came = !s.word.nothing_came();
    for (unsigned i = 0; i < joined_count_[me]; ++i) came = came || !joined_[me].at(i)->word.nothing_came();
    return came;
  }
  void add(unsigned me, desk& other) {
    other.joined_by = static_cast<int>(me);
    joined_[me].at(joined_count_[me]++) = &other;
  }
  bool is_open(unsigned me, const desk& other) {
    bool found = opened_in_vain_[me].at(static_cast<std::size_t>(&other - shards_.data()));
    outboxes_[me].for_each([&](const letter& l) { found = found || &at(l.to) == &other; });
    return found;
  }

  bool goes_on(unsigned me, desk& s) {
    if (keeps()) keep_sent(me, s);
    if (!simulated::planted(fault::join_past_outbox)) flush(me);
    if (simulated::planted(fault::gather_before_join)) gather(me, s);
    for (std::size_t i = 0; i < table_.of(me).size(); ++i) {
      desk* other = table_.of(me)[i].load();
      mailbox::gulped<letter> taken;
      if (other == nullptr || !other->word.try_gulp(taken)) continue;
      add(me, *other);
      while (!other->lane.empty()) s.lane.append(other->lane.take());
      s.lane.append(taken);
    }
    if (!simulated::planted(fault::gather_before_join)) gather(me, s);
    return !s.lane.empty();
  }
  // For each shard all that was sent there, or nothing.
  void keep_sent(unsigned me, desk& s) {
    letter_list sent = std::exchange(outboxes_[me], {});
    std::array<bool, Shards> refused{};
    while (!sent.empty()) {
      letter& l = sent.take();
      desk& to = at(l.to);
      const bool was_refused = refused.at(l.to) && !simulated::planted(fault::keep_part);
      const bool kept = !was_refused && (holds(me, s, to) || to.word.try_hold());
      if (kept && !holds(me, s, to)) add(me, to);
      refused.at(l.to) = !kept;
      (kept ? s.lane : outboxes_[me]).append(l);
    }
  }
  void gather(unsigned me, desk& s) {
    s.lane.append(s.word.gulp());
    for (unsigned i = 0; i < joined_count_[me]; ++i) s.lane.append(joined_[me].at(i)->word.gulp());
  }

  void part(unsigned me, desk& s) {
    if (joined_count_[me] == 0) return;
    letter_list all;
    while (!s.lane.empty()) all.append(s.lane.take());
    while (!all.empty()) {
      letter& l = all.take();
      if (&at(l.to) != &s && simulated::planted(fault::part_to_word)) {
        static_cast<void>(at(l.to).word.push(&l, &l));
      } else {
        at(l.to).lane.append(l);
      }
    }
    flush(me);
    for (unsigned i = 0; i < joined_count_[me]; ++i) let_go(me, *joined_[me].at(i));
    joined_count_[me] = 0;
  }

  void let_go(unsigned me, desk& other) {
    other.joined_by = -1;
    if (other.lane.empty() || simulated::planted(fault::part_forgets)) {
      if (other.word.release()) return;
      other.word.hand_over();
    } else {
      other.word.release_with_rest();
    }
    left_behind(me, other);
  }

  void left_behind(unsigned me, const desk& s) {
    if (s.owner.load() != me && !simulated::planted(fault::rest_not_announced)) announce(s);
  }

  void deliver(unsigned me, desk& s, letter& l) {
    desk& to = at(l.to);
    check(holds(me, s, to), "a letter is in the lane of a shard that it is not for");
    check(++to.inside == 1, "two handlers of one shard run at once");
    check(to.next_from.at(l.sender)++ == l.number, "a letter overtook an earlier one of its sender");
    handle(me);
    --to.inside;
    if (l.hops != 0) {
      if (aborts()) write_on(me, s, l, true);
      write_on(me, s, l, false);
    } else if (handled_.fetch_add(1) + 1 == letters_) {
      for (auto& w : wakeups_) w.notify();
    }
  }

  // As the actor of the shard that it came to, to the next ones. What a run in vain stages is forgotten; a shard that
  // it joined stays, and an outbox that it opened.
  void write_on(unsigned me, desk& s, letter& l, bool in_vain) {
    const unsigned from = l.to;
    const unsigned hops = l.hops - 1;
    bool wrote_here = false;
    for (unsigned n = 0; n < copies(); ++n) {
      const unsigned to = (from + 1 + n) % Shards;
      const bool stays = joins() && (holds(me, s, at(to)) || (!wrote_here && join(me, s, at(to))));
      wrote_here = wrote_here || stays;
      if (in_vain) {
        if (!stays) opened_in_vain_[me][to] = true;
        continue;
      }
      letter& written = n + 1 == copies() ? l : storage_.at(used_++);
      written.sender = first_actor + from;
      written.number = sent_on_.at(from).at(to)++;
      written.to = to;
      written.hops = hops;
      (stays ? s.lane : outboxes_[me]).append(written);
    }
  }

  void flush(unsigned me) {
    opened_in_vain_[me] = {};
    while (!outboxes_[me].empty()) send(outboxes_[me].take());
  }

  desk* flush_or_adopt(unsigned me, bool may) {
    desk* adopted = nullptr;
    while (!outboxes_[me].empty()) {
      letter& l = outboxes_[me].take();
      const bool last = may && outboxes_[me].empty() && !table_.anything_eligible(me);
      if (last && at(l.to).word.try_hold()) {
        adopted = &at(l.to);
        adopted->lane.append(l);
      } else if (last && simulated::planted(fault::refused_not_announced)) {
        static_cast<void>(at(l.to).word.push(&l, &l));
      } else {
        send(l);
      }
    }
    return adopted;
  }

  const unsigned letters_;
  dispatch::searchers<simulated> searchers_;
  std::array<desk, Shards> shards_;
  table table_;
  std::array<letter, 64> storage_;
  unsigned used_ = 0;
  std::array<sync::eventcount<simulated>, Workers> wakeups_;
  std::array<letter_list, Workers> outboxes_;
  std::array<bool, Workers> lost_{};  // the last swap
  std::array<std::array<desk*, Shards>, Workers> joined_{};
  std::array<unsigned, Workers> joined_count_{};
  std::array<std::array<bool, Shards>, Workers> opened_in_vain_{};
  // Numbers of letters written on from each shard to each, by whoever holds the first.
  std::array<std::array<unsigned, Shards>, Shards> sent_on_{};
  simulated::atomic<std::uint32_t> handled_{0};
};

}  // namespace tact::schedule
