// Thread to actor on CAF.
#include "programs/tally.hpp"

#include "peers/caf/system.hpp"

namespace bench {
namespace {

class sink : public caf::event_based_actor {
 public:
  sink(caf::actor_config& config, std::uint64_t messages, tally* heard)
      : event_based_actor(config), messages_(messages), heard_(heard) {}
  caf::behavior make_behavior() override {
    return {[this](std::uint64_t number) {
      heard_->hear(number);
      if (heard_->handled == messages_) quit();
    }};
  }

 private:
  std::uint64_t messages_;
  tally* heard_;
};

int run(program& p) {
  const auto messages = p.number("messages", 3'000'000, 10'000, "messages sent");
  caf_options options(p);
  p.ready();

  tally heard;
  caf::actor_system system(options);
  const auto to = system.spawn<sink>(messages, &heard);

  stopwatch watch;
  for (std::uint64_t i = 0; i < messages; ++i) caf::anon_send(to, i);
  system.await_all_actors_done();
  watch.stop();

  check_tally(p, heard, messages);
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread to actor: a thread outside sends to one actor.", bench::caf_runtime());
  return bench::run(p);
}
