// Thread to actor on threads.
#include <latch>

#include "peers/threads/pool.hpp"
#include "programs/tally.hpp"

namespace bench {
namespace {

using items = pool<std::uint64_t>;

class sink : public items::actor {
 public:
  sink(std::uint64_t messages, std::latch& done) : messages_(messages), done_(done) {}
  void receive(items&, const std::uint64_t& number) override {
    heard.hear(number);
    if (heard.handled == messages_) done_.count_down();
  }
  tally heard;

 private:
  std::uint64_t messages_;
  std::latch& done_;
};

int run(program& p) {
  const auto messages = p.number("messages", 5'000'000, 10'000, "messages sent");
  p.ready();

  std::latch done(1);
  sink hears(messages, done);
  items threads(p.threads());
  threads.place(hears);

  stopwatch watch;
  for (std::uint64_t i = 0; i < messages; ++i) threads.send(hears, i);
  done.wait();
  watch.stop();

  check_tally(p, hears.heard, messages);
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread to actor: a thread outside sends to one actor.", bench::pool_runtime);
  return bench::run(p);
}
