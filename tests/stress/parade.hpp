// One actor on each shard of an engine, for tests of which shards go on while a worker stands still.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <deque>

#include "support/engine_fixture.hpp"
#include "support/insides.hpp"

namespace tact::stress {

using namespace tact::support;

struct drum {
  unsigned left;
};
struct pulse {};

// What all drummers have done, for the test to read.
struct drill {
  explicit drill(unsigned shards, unsigned workers) : finished(shards), thread_of(workers) {}
  std::vector<std::atomic<unsigned>> finished;  // drums, by shard
  std::vector<std::atomic<pid_t>> thread_of;    // by worker
};

class drummer : public actor<drummer, drum, pulse> {
 public:
  drummer(drill& d, const std::uint32_t* home) : drill_(&d), home_(home) {}
  void receive(tact::self<drummer>& self, const drum& m) {
    drill_->thread_of[number_of_this_worker()] = static_cast<pid_t>(::syscall(SYS_gettid));
    std::atomic<unsigned> turns{0};
    while (turns.fetch_add(1) < 500) {
    }
    if (m.left != 0) return self.send(self.ref(), drum{m.left - 1});
    ++drill_->finished[*home_];
  }
  void receive(tact::self<drummer>&, const pulse&) {}

 private:
  drill* drill_;
  const std::uint32_t* home_;
};

// Sends from outside, from one thread at a time, and only to shards that no worker holds: so it never waits for the
// lock of an inbox.
class parade {
 public:
  explicit parade(engine& e)
      : engine_(&e), inside_(&inside_of(e)), shards_(e.statistics().shards), drill_(shards_, e.statistics().workers) {
    // Where a new actor lives is the engine's choice: some will be too many on their shard.
    drummers_.resize(shards_);
    for (std::uint32_t found = 0; found < shards_;) {
      std::uint32_t& home = homes_.emplace_back();
      const ref<drummer> r = e.spawn<drummer>(drill_, &home);
      home = home_of(detail::access::port_of(r));
      if (drummers_[home]) {
        e.send(r, delete_msg);
      } else {
        drummers_[home] = r;
        ++found;
      }
    }
  }

  // Waits until no drummer plays any more, also after a failure, because drummers write into this object.
  ~parade() { (void)engine_->wait_idle(generous); }
  parade(const parade&) = delete;
  parade& operator=(const parade&) = delete;

  // All drummers play once; true when every worker has been seen.
  [[nodiscard]] bool everybody_seen() {
    play(10);
    require_idle(*engine_);
    return std::all_of(drill_.thread_of.begin(), drill_.thread_of.end(), [](const auto& t) { return t != 0; });
  }
  void play(unsigned length) {
    stock_up();
    ++played_;
    for (const auto r : drummers_) engine_->send(r, drum{length});
  }
  // A message that needs no time, to wake a worker. Not to a shard that is held, perhaps by a stopped worker.
  void pulse_to(std::uint32_t shard) {
    if (!inside_->mail().shard_at(shard).word.is_held()) engine_->send(drummers_[shard], pulse{});
  }

  [[nodiscard]] pid_t thread_of(unsigned worker) const { return drill_.thread_of[worker]; }
  [[nodiscard]] std::uint32_t size() const { return shards_; }
  [[nodiscard]] bool plays(std::uint32_t shard) const { return drill_.finished[shard] != played_; }
  [[nodiscard]] unsigned playing() const {
    unsigned count = 0;
    for (std::uint32_t i = 0; i < shards_; ++i) count += plays(i) ? 1U : 0U;
    return count;
  }
  [[nodiscard]] bool is_busy(unsigned worker) const { return !inside_->status_of(worker).has_nothing(); }
  // The number of shards whose drummers play, in the range of this worker, that no worker holds.
  [[nodiscard]] unsigned waiting_for(unsigned worker) const {
    unsigned count = 0;
    for (std::uint32_t i = 0; i < shards_; ++i) {
      const auto& s = inside_->mail().shard_at(i);
      count += plays(i) && s.owner.load() == worker && !s.word.is_held() ? 1U : 0U;
    }
    return count;
  }
  // Each drummer that still plays is on a shard that is held, or that a thief is taking.
  [[nodiscard]] bool all_players_taken() const {
    for (std::uint32_t i = 0; i < shards_; ++i) {
      if (plays(i) && !inside_->mail().shard_at(i).word.is_held() && is_in_table(i)) return false;
    }
    return true;
  }
  // All but this one sleep.
  [[nodiscard]] bool others_sleep(unsigned worker) const {
    for (unsigned w = 0; w < inside_->worker_count(); ++w) {
      if (w != worker && !(inside_->waker().idle().has(w) && inside_->status_of(w).sleeps())) return false;
    }
    return true;
  }

 private:
  // So no thread needs the lock of the chunk memory while a worker is stopped, which may hold that lock.
  void stock_up() {
    auto& depot = inside_->mail().spare_chunks();
    std::vector<mailbox::chunk*> spare(4 * shards_);
    for (auto& c : spare) c = depot.take();
    for (auto* c : spare) depot.give(c);
  }
  [[nodiscard]] bool is_in_table(std::uint32_t shard) const {
    for (unsigned w = 0; w < inside_->worker_count(); ++w) {
      const auto& slots = inside_->stealing().table().of(w);
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].load() == &inside_->mail().shard_at(shard)) return true;
      }
    }
    return false;
  }

  engine* engine_;
  dispatch::dispatcher* inside_;
  std::uint32_t shards_;
  drill drill_;
  std::vector<ref<drummer>> drummers_;
  std::deque<std::uint32_t> homes_;
  unsigned played_ = 0;
};

}  // namespace tact::stress
