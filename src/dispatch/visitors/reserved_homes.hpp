// The shards that are reserved: one for each heavy actor, one for each blocking actor, and one for the actors of each
// loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dispatch/exchange/exchange.hpp"
#include "dispatch/visitors/blocking_thread.hpp"
#include "dispatch/visitors/shard_reserve.hpp"
#include "sync/eventcount.hpp"
#include "sync/policy.hpp"

namespace tact::dispatch {

// Thread safety: any thread. Invariant: a place is made once and stays; the thread of a blocking actor that has ended
// serves the next one that takes its place. Protocol pages: docs/protocols/blocking.md, docs/protocols/loop.md.
class reserved_homes {
 public:
  // `make_runner` makes the runner of each place; it is called later, and lives for as long as this object.
  reserved_homes(exchange& between, extent size,
                 const std::function<std::unique_ptr<runner>(worker_context&)>& make_runner);
  reserved_homes(const reserved_homes&) = delete;
  reserved_homes& operator=(const reserved_homes&) = delete;

  // The next two functions take a shard for an actor that is created. Nothing: all are in use. When take_blocking
  // returns, the thread of the blocking actor runs. It throws std::system_error when the system gives no thread.
  [[nodiscard]] std::optional<std::uint32_t> take_heavy() { return heavy_.take(); }
  [[nodiscard]] std::optional<std::uint32_t> take_blocking();
  // True: an actor that is created in this shard runs nothing before its creator has committed.
  [[nodiscard]] bool waits_for_commit(std::uint32_t shard) const noexcept {
    return shard >= first_blocking_ && !is_of_loop(shard);
  }
  // The next three functions are told what becomes of a shard in which an actor was created; for ordinary shards they
  // do nothing. home_is_used: the creator's run has committed. home_is_unused: it will not commit. home_is_left: the
  // actor has ended; the thread that holds the shard calls it.
  void home_is_used(std::uint32_t shard) noexcept {
    if (waits_for_commit(shard)) thread_of(shard)->slot().serve();
  }
  void home_is_unused(std::uint32_t shard) noexcept {
    if (shard < first_heavy_ || is_loop(shard)) return;
    shard >= first_blocking_ ? thread_of(shard)->slot().give_back() : heavy_.give(shard);
  }
  void home_is_left(std::uint32_t shard) noexcept {
    if (shard >= first_heavy_) [[unlikely]]
      give_home_back(shard);
  }
  // Wakes the thread of the blocking actor, or calls the loop, whose shard this is.
  void wake(std::uint32_t shard) noexcept { thread_of(shard)->wake(); }

  // -- places of actors that live on the thread of an event loop
  // None: all places are in use.
  [[nodiscard]] std::optional<std::uint32_t> open_loop(std::function<void()> call);
  [[nodiscard]] blocking_thread& loop_at(std::uint32_t place) noexcept { return *thread_of(place); }
  // Is this shard, of whatever kind, the place of a loop?
  [[nodiscard]] bool is_loop(std::uint32_t shard) const noexcept {
    return shard >= first_blocking_ && is_of_loop(shard);
  }
  // Starts a thread that buries messages which still come. If the system gives no thread, those messages wait for the
  // end of the engine; nothing is thrown.
  void close_loop(std::uint32_t place) noexcept;

  // -- for the dispatcher
  // REQUIRES: the caller has locked the mutex of the dispatcher's threads.
  void wake_all() noexcept;
  void wait_for_ends() noexcept;
  // Calls f(const blocking_thread&) for each blocking_thread made so far.
  template <class F>
  void for_each_blocking(F f) const;

 private:
  // Is this shard the place of a loop? REQUIRES: is_blocking.
  [[nodiscard]] bool is_of_loop(std::uint32_t shard) const noexcept { return thread_of(shard)->is_of_loop(); }
  void give_home_back(std::uint32_t shard) noexcept;
  // The result is not null for a shard that was taken at any time. Before that no thread knows the address of an actor
  // there.
  [[nodiscard]] blocking_thread* thread_of(std::uint32_t shard) const noexcept {
    return blocking_[shard - first_blocking_].load();
  }
  [[nodiscard]] std::optional<std::uint32_t> take_made() noexcept;
  [[nodiscard]] std::optional<std::uint32_t> make_blocking();
  // Makes a place without starting its thread. Null: all places that there may be are made. REQUIRES: the caller has
  // locked the mutex of the dispatcher's threads, also for the next two.
  [[nodiscard]] std::unique_ptr<blocking_thread> new_place(std::function<void()> call_loop);
  void start_place(blocking_thread& made);
  std::uint32_t add_place(std::unique_ptr<blocking_thread> made) noexcept;
  [[nodiscard]] bool any_ending() const noexcept;

  exchange& exchange_;
  const std::function<std::unique_ptr<runner>(worker_context&)>& make_runner_;
  const std::uint32_t first_heavy_;  // the shards before it are ordinary ones
  const std::uint32_t first_blocking_;
  const unsigned blocking_max_;
  shard_reserve heavy_;
  std::vector<std::unique_ptr<blocking_thread>> made_;  // in the order of their places; guarded by the threads' mutex
  std::unique_ptr<sync::atomic<blocking_thread*>[]> blocking_;  // those of made_, for any thread; then null pointers
  sync::eventcount<sync::real> places_;                         // notified when a place that was ending is free
};

template <class F>
void reserved_homes::for_each_blocking(F f) const {
  for (unsigned i = 0; i < blocking_max_; ++i) {
    const blocking_thread* t = blocking_[i].load();
    if (t == nullptr) return;
    f(*t);
  }
}

}  // namespace tact::dispatch
