// Fork-join, throughput: a thread sends to many actors in turn. Savina 03.
#include <vector>

#include "savina/tact.hpp"
#include "savina/work.hpp"

namespace bench {
namespace {

struct job {};

class worker : public tact::actor<worker, job> {
 public:
  worker(std::uint64_t messages, std::uint64_t* handled) : left_(messages), handled_(handled) {}
  tact::allocation receive(tact::self<worker>&, const job&) {
    savina_sine();
    ++*handled_;
    return --left_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  std::uint64_t left_;
  std::uint64_t* handled_;
};

struct fork_join_throughput {
  explicit fork_join_throughput(savina_parameters& p)
      : messages(p.number("messages", {10'000, 60'000, 20}, "messages to each actor")),
        handled(p.number("actors", {60, 360, 6}, "actors")) {}

  std::uint64_t run(tact::engine& engine) {
    std::vector<tact::ref<job>> workers;
    for (auto& count : handled) workers.push_back(engine.spawn<worker>(messages, &count));
    for (std::uint64_t i = 0; i < messages; ++i) {
      for (const auto w : workers) engine.send(w, job{});
    }
    engine.wait_finished();
    return messages * handled.size();
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
                                                          "Fork-join: a thread sends to many actors (Savina 03).");
}
