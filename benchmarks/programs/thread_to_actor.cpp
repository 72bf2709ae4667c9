// Thread to actor: a thread outside sends to one actor; each message is in the queue when the send returns.
#include "programs/engine.hpp"
#include "programs/tally.hpp"

namespace bench {
namespace {

struct item {
  std::uint64_t number;
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
  const tact::ref<item> to = variant == "classic" ? tact::ref<item>(engine.attach(classic))
                                                  : engine.create(count_items(&heard), tact::ordered);

  stopwatch watch;
  for (std::uint64_t i = 0; i < messages; ++i) engine.send(to, item{i});
  engine.wait_idle();
  watch.stop();

  if (variant == "classic") heard = classic.heard;
  check_tally(p, heard, messages);
  check_engine(p, engine, messages);
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread to actor: a thread outside sends to one actor.", bench::tact_runtime);
  return bench::run(p);
}
