#include "actors/engine/process_engines.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "actors/cells/cell_store.hpp"
#include "actors/common/visit.hpp"
#include "actors/engine/shutdown.hpp"
#include "actors/time/timer_store.hpp"
#include "base/blocks.hpp"
#include "mailbox/chunk_memory.hpp"
#include "sync/thread.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {
namespace {

// A thread that ends an engine, because the thread that destroyed it could not.
struct end_left {
  sync::thread thread{};
  sync::atomic<bool> is_over{false};
};

struct noted {
  const engine_identity* engine;
  shutdown* its;
};

// The script for gdb finds the engines by the first two members: src/gdb/engines.py.
struct engines {
  std::mutex mutex;
  std::vector<noted> alive;
  std::vector<std::pair<const engine_identity*, const engine_identity*>>
      waits;  // the end of each first engine waits for that of the second
  std::list<end_left> left;
};

// All engines of the process. Never destroyed, because it is needed when the process ends.
engines& all() noexcept {
  static auto* only = new engines;
  return *only;
}

// Does the end of the first engine wait for that of the second, directly or through others? REQUIRES: the caller holds
// the mutex.
bool waits_for(const engine_identity* first, const engine_identity* second) noexcept {
  if (first == second) return true;
  return std::any_of(all().waits.begin(), all().waits.end(),
                     [=](const auto& w) { return w.first == first && waits_for(w.second, second); });
}

enum class which : bool { over, any };

// Joins the thread of one end that is over, or of any end. False: there is no such thread.
bool join_one(which end) noexcept {
  std::list<end_left> taken;
  {
    const std::lock_guard lock(all().mutex);
    const auto found = std::find_if(all().left.begin(), all().left.end(),
                                    [=](const end_left& e) { return end == which::any || e.is_over.load(); });
    if (found == all().left.end()) return false;
    taken.splice(taken.begin(), all().left, found);
  }
  taken.front().thread.join();
  return true;
}

// Its destructor runs when the process ends: it joins the threads that end engines, and reports the engines that are
// left. A thread that ends the process from inside of an engine does neither: it would wait for itself, and its program
// knows that the engine still runs.
struct process_end {
  process_end() = default;
  process_end(const process_end&) = delete;
  process_end& operator=(const process_end&) = delete;
  ~process_end() {
    if (visit::is_inside_any()) return;
    while (join_one(which::any)) {
    }
    std::vector<noted> alive;
    {
      const std::lock_guard lock(all().mutex);
      alive = all().alive;
    }
    for (const noted& e : alive) e.its->tell_of_process_end();
  }
};

// A forked child has only the thread that forked, which may be inside of an engine. During the fork that thread holds
// the locks of all that engines share, so that the child finds it in a good state.
void before_fork() {
  all().mutex.lock();
  hold_spare_cells();
  hold_spare_timers();
  mailbox::hold_chunks();
  base::hold_blocks();
}
void in_parent() {
  base::release_blocks();
  mailbox::release_chunks();
  release_spare_timers();
  release_spare_cells();
  all().mutex.unlock();
}
void in_child() {
  sync::thread_state::of_this_thread().number_in_system = 0;  // the child's thread has another one
  for (const noted& e : all().alive) e.its->leave_behind();
  in_parent();
}

void watch_process() {
  static const bool is_watched = ::pthread_atfork(&before_fork, &in_parent, &in_child) == 0;
  static const process_end end;
  static_cast<void>(is_watched);
}

}  // namespace

void note_engine(const engine_identity& engine, shutdown& its) {
  watch_process();
  const std::lock_guard lock(all().mutex);
  all().alive.push_back({&engine, &its});
}

void forget_engine(const engine_identity& engine) noexcept {
  const std::lock_guard lock(all().mutex);
  std::erase_if(all().alive, [&](const noted& n) { return n.engine == &engine; });
}

detail::core* enter_first_engine() noexcept {
  const std::lock_guard lock(all().mutex);
  for (const noted& e : all().alive) {
    if (detail::core* const entered = e.engine->gate().enter()) return entered;
  }
  return nullptr;
}

ending_engine::ending_engine(const engine_identity& engine) noexcept : engine_(&engine) {
  const std::lock_guard lock(all().mutex);
  visit::for_each([&](const engine_identity& around) { is_in_circle_ = is_in_circle_ || waits_for(&engine, &around); });
  if (is_in_circle_) return;
  try {
    visit::for_each([&](const engine_identity& around) { all().waits.emplace_back(&around, &engine); });
  } catch (const std::bad_alloc&) {
    // Without memory this wait is not noted, and a circle that it closes is not found.
  }
}

ending_engine::~ending_engine() {
  if (is_in_circle_) return;
  const std::lock_guard lock(all().mutex);
  visit::for_each([&](const engine_identity& around) {
    const auto found = std::find(all().waits.begin(), all().waits.end(),
                                 std::pair<const engine_identity*, const engine_identity*>(&around, engine_));
    if (found != all().waits.end()) all().waits.erase(found);
  });
}

void end_elsewhere(std::function<void()> end) noexcept {
  try {
    sync::system* const in = sync::system::current();
    if (in != nullptr) {  // it joins the thread itself
      sync::thread simulated;
      return simulated.start("end of an engine", std::move(end));
    }
    while (join_one(which::over)) {
    }
    std::list<end_left> one(1);
    end_left& e = one.front();
    // Under the lock, so that no other thread joins this one before it has begun.
    const std::lock_guard lock(all().mutex);
    e.thread.start("end of an engine", [end = std::move(end), &e] {
      end();
      e.is_over.exchange(true);
    });
    all().left.splice(all().left.end(), one);
  } catch (...) {
    std::fputs(
        "tact: an engine is destroyed on one of its own threads, and the system gives no other thread to end it; let "
        "the last owner of an engine go outside of its handlers\n",
        stderr);
    std::abort();
  }
}

}  // namespace tact::actors
