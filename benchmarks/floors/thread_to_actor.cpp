// Floor of thread to actor: one thread appends to an array under a spin lock, another one takes it.
#include <thread>

#include "micro/floor_locked_queue.hpp"
#include "programs/tally.hpp"

namespace bench {
namespace {

struct alignas(32) envelope {
  void (*handler)(tally&, const envelope&);
  tally* to;
  std::uint64_t number;
  std::uint64_t spare;
};

int run(program& p) {
  const auto messages = p.number("messages", 10'000'000, 10'000, "messages sent");
  p.ready();
  p.require(p.threads() == 1, "--threads is 1: there is one thread that receives");

  tally heard;
  tact::bench::locked_queue<envelope> queue;
  std::thread receiver([&] {
    std::vector<envelope> taken;
    for (std::uint64_t received = 0; received < messages; received += taken.size()) {
      taken.clear();
      queue.take(taken);
      if (taken.empty()) std::this_thread::yield();
      for (const envelope& e : taken) e.handler(*e.to, e);
    }
  });
  stopwatch watch;
  const auto hear = [](tally& to, const envelope& e) { to.hear(e.number); };
  for (std::uint64_t i = 0; i < messages; ++i) queue.push({hear, &heard, i, 0});
  receiver.join();
  watch.stop();

  check_tally(p, heard, messages);
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread to actor: a thread outside sends to one actor.", "two threads, no runtime");
  return bench::run(p);
}
