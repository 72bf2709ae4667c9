// How late timers are: beside a thread that sleeps until a time, and one that sleeps and notifies another, in one run.
// lateness [--busy N] [--nice N] [--engines N] [--seconds S] [--workers W]...
// --busy: so many processes do nothing but take processor time; --nice: those are preferred to this program. --engines:
// so many one after the other, each for so many seconds.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "tact/tact.hpp"

namespace tact::bench {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto period = 30ms;

struct wishes {
  unsigned busy = 0;
  int nice = 0;
  unsigned engines = 1;
  std::chrono::seconds time{10};
  std::vector<unsigned> workers;
};

// How late something was, each time. Thread safety: one thread at a time.
class lateness {
 public:
  void add(clock::time_point due) {
    late_ms_.push_back(std::chrono::duration<double, std::milli>(clock::now() - due).count());
  }
  void print(unsigned workers, const char* what) {
    std::sort(late_ms_.begin(), late_ms_.end());
    const auto at = [this](double part) {
      return late_ms_.empty() ? -1
                              : late_ms_[static_cast<std::size_t>(part * static_cast<double>(late_ms_.size() - 1))];
    };
    std::printf("| %u | %s | %zu | %.2f | %.2f | %.2f | %.2f |\n", workers, what, late_ms_.size(), at(0.5), at(0.9),
                at(0.99), at(1));
  }

 private:
  std::vector<double> late_ms_;
};

// -- threads without tact

void sleep_again_and_again(const std::atomic<bool>& over, lateness& late) {
  for (auto due = clock::now() + period; !over; due = std::max(due + period, clock::now())) {
    std::this_thread::sleep_until(due);
    late.add(due);
  }
}

// One thread sleeps until a time, and notifies a second one.
class relay {
 public:
  explicit relay(const std::atomic<bool>& over, lateness& late)
      : second_([this, &late] { run_second(late); }), first_([this, &over] { run_first(over); }) {}

 private:
  void run_first(const std::atomic<bool>& over) {
    for (auto due = clock::now() + period; !over; due = std::max(due + period, clock::now())) {
      std::this_thread::sleep_until(due);
      bring(due);
    }
    bring(clock::time_point::max());
  }
  void bring(clock::time_point due) {
    {
      const std::lock_guard lock(mutex_);
      due_.push_back(due);
    }
    came_.notify_one();
  }
  void run_second(lateness& late) {
    for (;;) {
      std::unique_lock lock(mutex_);
      came_.wait(lock, [this] { return !due_.empty(); });
      const auto due = due_.front();
      due_.pop_front();
      if (due == clock::time_point::max()) return;
      late.add(due);
    }
  }

  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<clock::time_point> due_;
  std::jthread second_, first_;
};

// -- timers

struct ring {
  clock::time_point due;
};
struct ring_and_set_next {
  clock::time_point due;
};
struct bell : protocol<ring, ring_and_set_next> {};

behavior<bell> open_bell(lateness& before, lateness& by_handler) {
  return {[&before](self<bell>&, const ring& m) { before.add(m.due); },
          [&by_handler](self<bell>& self, const ring_and_set_next& m) {
            by_handler.add(m.due);
            const auto due = clock::now() + period;
            self.send_at(due, self.ref(), ring_and_set_next{due});
          }};
}

struct figures {
  lateness before, by_handler, relayed, slept;
};

// The four have their times one after the other within each period.
void run_engine(unsigned workers, std::chrono::seconds time, figures& f) {
  std::atomic<bool> over{false};
  engine_options options;
  options.workers = workers;
  engine e(options);
  const auto at = e.create(open_bell(f.before, f.by_handler));
  const auto began = clock::now();
  for (auto due = began + period; due < began + time; due += period) e.send_at(due, at, ring{due});
  std::this_thread::sleep_for(period / 4);
  const auto first = clock::now() + period;
  e.send_at(first, at, ring_and_set_next{first});
  std::this_thread::sleep_for(period / 4);
  relay two(over, f.relayed);
  std::this_thread::sleep_for(period / 4);
  std::jthread one([&] { sleep_again_and_again(over, f.slept); });
  std::this_thread::sleep_until(began + time);
  over = true;
  e.drain();
}

void measure(unsigned workers, const wishes& w) {
  figures f;
  for (unsigned n = 0; n < w.engines; ++n) run_engine(workers, w.time, f);
  f.before.print(workers, "timers that were set before");
  f.by_handler.print(workers, "timers, each set by the handler of the one before");
  f.relayed.print(workers, "a thread that sleeps and notifies a second one");
  f.slept.print(workers, "a thread that sleeps");
}

// They end with this program.
void be_busy(unsigned processes) {
  for (; processes != 0; --processes) {
    if (::fork() != 0) continue;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (volatile unsigned n = 0;;) n = n + 1;
  }
}

}  // namespace
}  // namespace tact::bench

int main(int argc, char** argv) {
  using namespace tact::bench;
  wishes w;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const int value = std::atoi(argv[i + 1]);
    if (name == "--busy") w.busy = static_cast<unsigned>(value);
    if (name == "--nice") w.nice = value;
    if (name == "--engines") w.engines = static_cast<unsigned>(value);
    if (name == "--seconds") w.time = std::chrono::seconds(value);
    if (name == "--workers") w.workers.push_back(static_cast<unsigned>(value));
  }
  if (w.workers.empty()) w.workers = {1, 2, 4};
  be_busy(w.busy);
  if (::setpriority(PRIO_PROCESS, 0, w.nice) != 0) return 1;
  std::printf("| workers | what | times | median ms | p90 | p99 | most |\n|---|---|---|---|---|---|---|\n");
  for (const unsigned workers : w.workers) measure(workers, w);
}
