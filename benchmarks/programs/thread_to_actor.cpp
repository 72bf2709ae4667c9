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
  const auto limit =
      p.choice("limit", {"none", "mailbox", "engine"}, "what may wait: any number, or as many as the room");
  const auto room = p.number("room", 1000, 10, "messages that the limit lets wait before the thread is held back");
  auto options = read_engine_options(p);
  const tact::mailbox_limit most{.messages = room, .when_full = tact::when_full::hold_back};
  if (limit == "engine") options.outside_limit = most;
  p.ready();

  sink classic;
  tally heard;
  tact::engine engine(options);
  const auto own = limit == "mailbox" ? most : tact::mailbox_limit{};
  const tact::ref<item> to =
      variant == "classic" ? tact::ref<item>(engine.attach(classic, own)) : engine.create(count_items(&heard), own);

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
