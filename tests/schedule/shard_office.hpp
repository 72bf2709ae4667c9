// Shards on simulated atomics: senders, holders and parking workers as the dispatcher combines them.
#pragma once

#include <array>
#include <string>

#include "mailbox/shard_word.hpp"
#include "schedule/linked_letter.hpp"
#include "sync/eventcount.hpp"
#include "tools/explorer/explorer.hpp"
#include "tools/explorer/simulated.hpp"

namespace tact::schedule::bare {

using explorer::check;
using explorer::simulated;
using sync::fault;

struct shard {
  mailbox::shard_word<simulated, linked_letter> word;
  simulated::mutex inbox_mutex;
  letter_list inbox;
  letter_list lane;
  int inside = 0;  // handlers that run now
  std::array<unsigned, 3> next_from{};
};

// Workers that look at every shard, run what they can hold, and sleep otherwise.
template <unsigned Shards>
class office : public explorer::scenario {
 public:
  explicit office(unsigned letters) : letters_(letters) {}
  void name(explorer::names& called) override {
    for (unsigned i = 0; i < Shards; ++i) {
      called.add(shards_[i].word, "word of shard " + std::to_string(i));
      called.add(shards_[i].inbox_mutex, "mutex of shard " + std::to_string(i));
    }
    for (const linked_letter& l : storage_) called.add(l, "letter " + std::to_string(&l - storage_.data()));
    called.add(wakeups_, "wakeups");
    called.add(handled_, "handled");
  }

 protected:
  static constexpr unsigned budget = 2;

  void send(unsigned to, linked_letter& l) {
    l.to = to;
    if (shards_.at(to).word.push(&l, &l)) wakeups_.notify();
  }
  void post(unsigned to, linked_letter& l) {
    l.to = to;
    shard& s = shards_.at(to);
    s.inbox_mutex.lock();
    s.inbox.append(l);
    s.inbox_mutex.unlock();
    if (s.word.post_mail()) wakeups_.notify();
  }

  // As dispatch::posting::put_alone, and else as post.
  void post_alone(unsigned to, linked_letter& l) {
    shard& s = shards_.at(to);
    if (!put_alone(s, l)) return post(to, l);
    if (!simulated::planted(fault::held_not_announced)) wakeups_.notify();
  }

  void work() {
    letter_list outbox;
    while (!over()) {
      bool found = false;
      for (shard& s : shards_) {
        if (!s.word.eligible()) continue;
        found = true;
        hold(s, outbox);
      }
      if (!found) park();
    }
  }

  // What the actor of the letter's shard does with it; false: it was sent on.
  virtual bool handle(linked_letter&, letter_list&) { return true; }

  linked_letter& new_letter(unsigned sender, unsigned number) {
    linked_letter& l = storage_.at(used_++);
    l.sender = sender;
    l.number = number;
    return l;
  }
  shard& at(unsigned i) { return shards_.at(i); }

 private:
  bool over() const { return handled_.load() == letters_; }
  bool anything() const {
    for (const shard& s : shards_) {
      if (s.word.eligible()) return true;
    }
    return over();
  }
  void park() {
    const auto ticket = wakeups_.prepare();
    if (anything()) return wakeups_.cancel();
    wakeups_.wait(ticket);
  }

  void hold(shard& s, letter_list& outbox) {
    mailbox::gulped<linked_letter> taken;
    if (!s.word.try_gulp(taken)) return;
    for (;;) {
      accept(s, taken);
      for (unsigned n = 0; n < budget && !s.lane.empty(); ++n) deliver(s.lane.take(), outbox);
      const bool late = simulated::planted(fault::release_before_flush);
      if (!late) flush(outbox);
      if (!s.lane.empty()) {
        s.word.release_with_rest();
        return flush(outbox);
      }
      if (s.word.release()) return flush(outbox);
      taken = s.word.gulp();
    }
  }

  static bool put_alone(shard& s, linked_letter& l) {
    const mailbox::shard_word<simulated, linked_letter>::hold_while_idle hold(s.word);
    if (!hold.holds()) return false;
    check(s.inside == 0, "a handler runs in a shard that a thread outside holds");
    s.inbox_mutex.lock();
    s.inbox.append(l);
    s.inbox_mutex.unlock();
    check(s.inside == 0, "a worker has taken up a shard that a thread outside holds");
    static_cast<void>(s.word.post_mail());
    return true;
  }

  static void accept(shard& s, const mailbox::gulped<linked_letter>& taken) {
    for (linked_letter* l = taken.oldest; l != nullptr;) {
      linked_letter* next = l->next;
      s.lane.append(*l);
      l = next;
    }
    if (!taken.mail) return;
    s.inbox_mutex.lock();
    while (!s.inbox.empty()) s.lane.append(s.inbox.take());
    s.inbox_mutex.unlock();
  }

  void deliver(linked_letter& l, letter_list& outbox) {
    shard& s = at(l.to);
    check(++s.inside == 1, "two handlers of one shard run at once");
    check(s.next_from.at(l.sender)++ == l.number, "a letter overtook an earlier one of its sender");
    static_cast<void>(handled_.load());  // others run here
    const bool kept = handle(l, outbox);
    --s.inside;
    if (kept && handled_.fetch_add(1) + 1 == letters_) wakeups_.notify();
  }

  void flush(letter_list& outbox) {
    while (!outbox.empty()) {
      linked_letter& l = outbox.take();
      send(l.to, l);
    }
  }

  const unsigned letters_;
  std::array<shard, Shards> shards_;
  std::array<linked_letter, 8> storage_;
  unsigned used_ = 0;
  sync::eventcount<simulated> wakeups_;
  simulated::atomic<std::uint32_t> handled_{0};
};

// One shard, two senders (one through the inbox), two workers.
struct one_shard : office<1> {
  static constexpr unsigned each = 3;
  one_shard() : office(2 * each) {}
  unsigned thread_count() const override { return 4; }
  std::string thread_name(unsigned index) const override {
    return std::array{"sender", "sender outside", "worker 0", "worker 1"}.at(index);
  }
  void thread(unsigned index) override {
    if (index >= 2) return work();
    for (unsigned n = 0; n < each; ++n) {
      index == 0 ? send(0, new_letter(index, n)) : post(0, new_letter(index, n));
    }
  }
};

// The same, but the sender outside holds the shard while it posts, whenever it can.
struct posted_alone : office<1> {
  static constexpr unsigned each = 2;
  posted_alone() : office(2 * each) {}
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index >= 2) return work();
    for (unsigned n = 0; n < each; ++n) {
      index == 0 ? send(0, new_letter(index, n)) : post_alone(0, new_letter(index, n));
    }
  }
};

// One sender, two workers.
struct three_letters : office<1> {
  three_letters() : office(3) {}
  unsigned thread_count() const override { return 3; }
  std::string thread_name(unsigned index) const override {
    return index == 0 ? "sender" : "worker " + std::to_string(index - 1);
  }
  void thread(unsigned index) override {
    if (index != 0) return work();
    for (unsigned n = 0; n < 3; ++n) send(0, new_letter(0, n));
  }
};

// The actor of shard 0 sends everything on to shard 1, to which another sender writes directly.
struct two_shards : office<2> {
  static constexpr unsigned relayed = 3, direct = 2, relay = 2;
  two_shards() : office(relayed + direct) {}
  unsigned thread_count() const override { return 4; }
  std::string thread_name(unsigned index) const override {
    return std::array{"sender", "direct sender", "worker 0", "worker 1"}.at(index);
  }
  void thread(unsigned index) override {
    if (index >= 2) return work();
    for (unsigned n = 0; n < (index == 0 ? relayed : direct); ++n) send(index, new_letter(index, n));
  }
  bool handle(linked_letter& l, letter_list& outbox) override {
    if (l.to == 1) return true;
    l.to = 1;
    l.sender = relay;
    (simulated::planted(fault::foreign_lane) ? at(0).lane : outbox).append(l);
    return false;
  }
};

}  // namespace tact::schedule::bare
