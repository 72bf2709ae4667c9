// The threads of a modelled machine, in virtual time. docs/protocols/model.md.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "sync/system.hpp"
#include "tact/model.hpp"
#include "tools/modelled/machine.hpp"
#include "tools/modelled/memory.hpp"
#include "tools/modelled/running.hpp"
#include "tools/modelled/thread_record.hpp"
#include "tools/modelled/timeline.hpp"

namespace tact::modelled {

//   ready --sleep--> asleep --wake, deadline--> ready, or queued for its processing unit --> ready
//     |                                           ^
//     +--- its slice is over, others wait --------+
//     +--- its function returns --> ended
//
// The thread that is least far in virtual time goes on, until it is farther than the next one. Thread safety: the real
// thread. Invariants: (1) one thread runs, and it is ready; (2) a processing unit has at most one ready thread; (3) no
// thread is farther than the least far one by more than `lead` and its last step; (4) threads change only in `pass`.
class world final : public sync::system {
 public:
  explicit world(const model_options& options);
  ~world();
  [[nodiscard]] static world* current() noexcept { return current_; }

  // Runs the program to its end; throws what it throws.
  void run(const std::function<void()>& program);

  // -- by the running thread, for what it does
  void spend(picoseconds time) noexcept;
  void spend_on_allocation() noexcept { spend(of_ns(costs_.allocate)); }
  void lock(const void* mutex, std::uintptr_t place);
  [[nodiscard]] bool try_lock(const void* mutex, std::uintptr_t place);
  void unlock(const void* mutex);
  // An access that the first-level cache does not serve.
  void reach(std::uintptr_t address, modelled::use how, std::uintptr_t place);
  void fetch(std::uintptr_t address, bool to_write, std::uintptr_t place);
  // Another thread goes on, if one is less far.
  void pass() noexcept;
  [[nodiscard]] double busy_seconds() const;

  // -- sync::system
  [[nodiscard]] sync::time_point now() noexcept override;
  [[nodiscard]] sync::time_point stopwatch() noexcept override { return now(); }
  [[nodiscard]] sync::processor_use use(sync::time_point now) noexcept override;
  void give_way() noexcept override;
  [[nodiscard]] bool sleep(const void* at, sync::deadline until) noexcept override;
  [[nodiscard]] bool sleep_if(const futex_word& word, std::uint32_t expected, sync::deadline until) noexcept override;
  void wake(const void* at, int threads) noexcept override;
  void barrier_for_all() noexcept override;
  unsigned start(const std::string& name, std::function<void()> body) override;
  void join(unsigned thread) noexcept override;
  [[nodiscard]] unsigned this_thread() const noexcept override { return running_; }
  [[nodiscard]] std::string_view machine() const noexcept override { return options_.machine; }
  void seat(const unsigned* processing_unit) noexcept override;
  [[nodiscard]] unsigned memories() const noexcept override { return machine_.nodes(); }
  void interleave(const void* first, std::size_t bytes) noexcept override;
  void hear(const statistics& of_engine) noexcept override;

  // -- what is counted
  void begin_counting() noexcept;
  void end_counting() noexcept;
  [[nodiscard]] model_result result();

 private:
  // How far a thread may get ahead of another one.
  static constexpr picoseconds lead = 30'000;
  static constexpr sync::time_point beginning{std::chrono::hours(1)};
  static constexpr unsigned nobody = ~0u;

  struct unit_state {
    unsigned occupant = nobody;
    std::deque<unsigned> queue;
    picoseconds free_since = 0;
    picoseconds slice_began = 0;
  };
  struct mutex_state {
    unsigned owner = nobody;
    std::deque<unsigned> waiting;
  };
  struct count {
    picoseconds time = 0;
    picoseconds busy = 0;
    std::uint64_t accesses = 0;
    std::uint64_t sleeps = 0;
    std::uint64_t wakes = 0;
  };

  static void thread_main(void* record);
  [[nodiscard]] thread_record& running() noexcept { return *threads_[running_]; }
  [[nodiscard]] thread_record& add(const std::string& name, std::function<void()> body);
  void run_next() noexcept;
  void go_to(thread_record& next) noexcept;
  void begin_step(thread_record& t) noexcept;
  void fall_asleep(const void* at, picoseconds until) noexcept;
  void rouse(thread_record& t, picoseconds at, bool timed_out) noexcept;
  void make_ready(thread_record& t, picoseconds at) noexcept;
  void leave_unit(const thread_record& t) noexcept;
  [[nodiscard]] unsigned take_waiting(unsigned unit) noexcept;
  void occupy(unit_state& u, thread_record& t, picoseconds at) noexcept;
  void share_unit() noexcept;
  [[nodiscard]] unsigned choose_unit(const thread_record& t) const noexcept;
  [[nodiscard]] unsigned choose_first_unit() const noexcept;
  [[nodiscard]] picoseconds time_to_wake(const thread_record& t, picoseconds at) noexcept;
  [[nodiscard]] picoseconds time_of(sync::time_point t) const noexcept;
  [[nodiscard]] count counts() const;
  // The thread was busy until now, and is not any more.
  void note_busy(thread_record& t);
  [[noreturn]] void give_up(const char* why) const noexcept;

  const model_options options_;
  const modelled::machine machine_;
  const model_costs& costs_;
  const picoseconds time_max_;
  memory memory_;
  base::random chances_;
  std::vector<std::unique_ptr<thread_record>> threads_;
  unsigned running_ = 0;
  std::vector<unit_state> units_;
  std::vector<std::vector<unsigned>> units_of_core_;
  std::vector<std::pair<picoseconds, unsigned>> ready_;  // a heap; the running thread is not in it
  std::set<std::pair<picoseconds, unsigned>> deadlines_;
  std::unordered_map<const void*, mutex_state> mutexes_;
  std::uint64_t asleep_as_ = 0;
  std::uint64_t wakes_ = 0;
  fiber::fiber outside_;  // the stack on which run was called
  std::exception_ptr thrown_;

  count before_;
  std::optional<count> counted_;
  timeline timeline_;
  statistics engines_;

  static inline constinit world* current_ = nullptr;
};

}  // namespace tact::modelled
