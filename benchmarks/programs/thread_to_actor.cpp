// Thread to actor: a thread outside sends to one actor; each message is in the queue when the send returns.
#include "programs/engine.hpp"

namespace bench {
namespace {

struct item {
  std::uint64_t number;
};

// What arrived; `in_order` counts those that came right after their predecessor.
struct tally {
  std::uint64_t handled = 0;
  std::uint64_t sum = 0;
  std::uint64_t in_order = 0;
  std::uint64_t expected = 0;

  void hear(std::uint64_t number) {
    ++handled;
    sum += number;
    in_order += number == expected;
    expected = number + 1;
  }
};

class sink : public tact::actor<sink, item> {
 public:
  void receive(tact::self<sink>&, const item& m) { heard.hear(m.number); }
  tally heard;
};

struct items : tact::protocol<item> {};

// Ordered, so only one run counts at a time.
tact::behavior<items> count_items(tally* heard) {
  return [=](tact::self<items>&, const item& m) { heard->hear(m.number); };
}

int run(program& p) {
  const auto variant = p.choice("variant", {"classic", "transactional"}, "the actor");
  const auto messages = p.number("messages", 10'000'000, 10'000, "messages sent");
  const auto options = read_engine_options(p);
  p.ready();

  sink classic;
  tally heard;
  tact::engine engine(options);
  const tact::ref<item> to =
      variant == "classic" ? tact::ref<item>(engine.attach(classic)) : engine.create(count_items(&heard), tact::ordered);

  stopwatch watch;
  for (std::uint64_t i = 0; i < messages; ++i) engine.send(to, item{i});
  engine.wait_idle();
  watch.stop();

  if (variant == "classic") heard = classic.heard;
  p.check_equal(heard.handled, messages, "messages handled");
  p.check_equal(heard.sum, messages * (messages - 1) / 2, "sum of the messages");
  p.check_equal(heard.in_order, messages, "messages in the order sent");
  check_engine(p, engine, messages);
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread to actor: a thread outside sends to one actor.", bench::tact_runtime);
  return bench::run(p);
}
