// Floor of balance: the same amount of work, divided by bare threads.
#include "programs/balance.hpp"

#include <atomic>

#include "floors/shares.hpp"

namespace bench {
namespace {

int run(program& p) {
  const balance_setting setting(p);
  p.ready();

  std::atomic<std::uint64_t> right = 0;
  stopwatch watch;
  share(p.threads(), setting.group.messages(), [&](std::uint64_t first, std::uint64_t last) {
    std::uint64_t own = 0;
    for (; first < last; ++first) own += setting.do_work();
    right += own;
  });
  watch.stop();

  p.check_equal(right, setting.group.messages(), "pieces of work that came out right");
  return p.report(watch, setting.group.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Balance: the work of all messages, divided evenly.", "threads, no runtime");
  return bench::run(p);
}
