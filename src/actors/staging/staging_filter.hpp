// Which sends of a run are written into the lane at once, and which are looked at first.
#pragma once

#include <cstdint>

#include "actors/cells/cell.hpp"
#include "actors/common/names.hpp"
#include "tact/detail/staged_send.hpp"

namespace tact::actors {

// It extends `run`, the window through which the sender's own code stages: stage() writes a send by itself where these
// words allow it, and calls the engine's stage_elsewhere for every other send.
// Invariant: while the run owes an answer or has a context of its own (looks_at_all), every send is looked at; while no
// lane is run, too. Thread safety: the thread of the run only.
class staging_filter : public run {
 public:
  // `engine`: its id. `own_only`: this thread runs only messages for actors of its own shard.
  staging_filter(std::uint16_t engine, bool own_only) noexcept
      : exclusive_base_(mailbox::route(0, engine, mailbox::route::kind::exclusive).bits()),
        parallel_here_(own_only ? nobodys : engine) {}

  // From now on sends that stay in this lane are written there without another look.
  void keep_all() noexcept {
    base = exclusive_base_;
    parallel_key = parallel_here_;
  }
  // From now on every send is looked at until look_at_all_no_more. keep_all is not called before that.
  void look_at_all() noexcept {
    looks_at_all_ = true;
    look_at_every_send();
  }
  void look_at_all_no_more() noexcept {
    looks_at_all_ = false;
    keep_all();
  }
  [[nodiscard]] bool looks_at_all() const noexcept { return looks_at_all_; }
  // What is looked at is staged out of line, because it has a context or is recorded.
  [[nodiscard]] bool sends_apart() const noexcept { return sends_apart_; }
  void send_apart(bool whether) noexcept { sends_apart_ = whether; }
  // From now on every send is looked at until keep_all.
  void look_at_every_send() noexcept {
    base = nobodys;
    parallel_key = nobodys;
  }
  // While a worker sleeps, each send to a parallel actor is looked at: that worker may be the one to run it.
  void look_at_parallel() noexcept { parallel_key = nobodys; }
  // No worker sleeps any more: sends to parallel actors stay in the lane without another look.
  void look_at_parallel_no_more() noexcept {
    if (!looks_at_all_) keep_all();
  }
  // True: it is the route of an exclusive actor of this engine, and the thread holds its home shard.
  [[nodiscard]] bool holds_route(std::uint64_t route) const noexcept {
    return route - exclusive_base_ < shards && held_shards[route - exclusive_base_] != 0;
  }
  // True: the route is that of an exclusive actor of this engine.
  [[nodiscard]] bool is_exclusive_here(mailbox::route r) const noexcept { return r.bits() - exclusive_base_ < shards; }

 private:
  const std::uint64_t exclusive_base_;  // the value of run::base while sends need no look
  const std::uint64_t parallel_here_;   // the value of run::parallel_key then
  bool looks_at_all_ = false;
  bool sends_apart_ = false;
};

}  // namespace tact::actors
