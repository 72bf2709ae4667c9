// Floor of hot: bare threads that do the work of all messages, and change one state.
#include "programs/hot.hpp"

#include <atomic>
#include <mutex>

#include "floors/shares.hpp"

namespace bench {
namespace {

// What one thread did.
struct done {
  std::uint64_t right = 0;  // pieces of work
  std::uint64_t again = 0;  // those that another thread's change made void
};

// As a parallel actor by hand: the state is read, the work done, the change made if no other was first; else all again.
class free_counter {
 public:
  void handle(const hot_setting& s, bool changes, done& d) {
    for (std::uint64_t seen = value_.load(std::memory_order_acquire);; ++d.again) {
      d.right += s.do_work();
      if (!changes) return;
      if (value_.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel)) return;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  alignas(128) std::atomic<std::uint64_t> value_ = 0;
};

// As an ordered actor by hand: one message at a time.
class locked_counter {
 public:
  void handle(const hot_setting& s, bool changes, done& d) {
    const std::lock_guard lock(mutex_);
    d.right += s.do_work();
    value_ += changes;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  alignas(128) std::mutex mutex_;
  std::uint64_t value_ = 0;
};

template <class Counter>
int run_on(program& p, const hot_setting& s) {
  Counter counter;
  std::atomic<std::uint64_t> right = 0;
  std::atomic<std::uint64_t> again = 0;
  stopwatch watch;
  share(p.threads(), s.messages(), [&](std::uint64_t first, std::uint64_t last) {
    done own;
    hot_changes changes(s.changing, first);
    for (; first < last; ++first) counter.handle(s, changes.next(), own);
    right += own.right;
    again += own.again;
  });
  watch.stop();

  p.check_equal(counter.value(), s.changes(), "changes of the state");
  p.check_equal(right, s.messages() + again, "pieces of work that came out right");
  p.say("again", std::to_string(again));
  return p.report(watch, s.messages());
}

int run(program& p) {
  const auto counter = p.choice("counter", {"atomic", "mutex"}, "compare-and-swap, or everything under a lock");
  const hot_setting s(p, 2'000'000, 200'000);
  p.ready();
  return counter == "atomic" ? run_on<free_counter>(p, s) : run_on<locked_counter>(p, s);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Hot: one state that all threads change.", "threads, no runtime");
  return bench::run(p);
}
