// Fork-join, throughput: an actor sends to many others in turn. Reactors. Unlike Savina's, in which a thread does, and
// each message means some work.
#include <vector>

#include "savina/tact.hpp"

namespace bench {
namespace {

struct event {};
struct next_round {};

class worker : public tact::actor<worker, event> {
 public:
  worker(std::uint64_t events, std::uint64_t* handled) : left_(events), handled_(handled) {}
  tact::allocation receive(tact::self<worker>&, const event&) {
    ++own_;
    if (--left_ != 0) return tact::allocation::nodelete;
    *handled_ = own_;
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t left_;
  std::uint64_t own_ = 0;
  std::uint64_t* handled_;
};

// What a handler sends leaves when it returns, so each round is one message, and the workers begin with the first.
class producer : public tact::actor<producer, next_round> {
 public:
  producer(std::vector<tact::ref<worker>> workers, std::uint64_t rounds)
      : workers_(std::move(workers)), left_(rounds) {}
  tact::allocation receive(tact::self<producer>& self, const next_round&) {
    for (const auto w : workers_) self.send(w, event{});
    if (--left_ == 0) return tact::allocation::delete_;
    self.send(self.ref(), next_round{});
    return tact::allocation::nodelete;
  }

 private:
  std::vector<tact::ref<worker>> workers_;
  std::uint64_t left_;
};

struct fork_join_throughput {
  explicit fork_join_throughput(savina_parameters& p)
      : messages(p.number("messages", {25'000, 250'000, 20}, "messages to each actor")),
        handled(p.number("actors", {128, 128, 6}, "actors")) {}

  std::uint64_t run(tact::engine& engine) {
    std::vector<tact::ref<worker>> workers;
    for (auto& count : handled) workers.push_back(engine.spawn<worker>(messages, &count));
    engine.send(engine.spawn<producer>(std::move(workers), messages), next_round{});
    engine.wait_finished();
    return messages * (handled.size() + 1);
  }
  void check(program& p, const tact::statistics& s) const {
    for (const auto count : handled) p.check_equal(count, messages, "messages that one actor handled");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  std::uint64_t messages;
  std::vector<std::uint64_t> handled;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::fork_join_throughput>(argc, argv,
                                                          "Fork-join: an actor sends to many others (Reactors).");
}
