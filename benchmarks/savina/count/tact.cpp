// Counting: a producer sends a million increments to a counter, and asks for the sum. Savina 02. The counter is
// classic, or transactional: then each increment becomes.
#include "savina/tact.hpp"

namespace bench {
namespace {

struct increment {};
struct retrieve {
  using reply = std::uint64_t;
};
struct counting : tact::protocol<increment, tact::request<retrieve>> {};

class counter : public tact::actor<counter, counting> {
 public:
  void receive(tact::self<counter>&, const increment&) { ++count_; }
  tact::allocation receive(tact::self<counter>& self, const tact::request<retrieve>& m) {
    self.reply(m, count_);
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t count_ = 0;
};

tact::behavior<counting> open_counter(std::uint64_t count) {
  return {
      [count](tact::self<counting>& self, const increment&) { self.become(open_counter(count + 1)); },
      [count](tact::self<counting>& self, const tact::request<retrieve>& m) {
        self.reply(m, count);
        self.stop();
      },
  };
}

struct start {};

tact::behavior<start> open_producer(tact::ref<counting> to, std::uint64_t messages, std::uint64_t* result) {
  return {[=](tact::self<start>& self, const start&) {
    for (std::uint64_t i = 0; i < messages; ++i) self.send(to, increment{});
    self.ask(to, retrieve{}, [result](tact::transaction&, std::uint64_t count) { *result = count; });
    self.stop();
  }};
}

struct count {
  explicit count(savina_parameters& p)
      : classic(p.of().choice("variant", {"classic", "transactional"}, "the counter") == "classic"),
        messages(p.number("messages", {1'000'000, 10'000'000, 1'000}, "increments")) {}

  std::uint64_t run(tact::engine& engine) {
    const tact::ref<counting> to =
        classic ? tact::ref<counting>(engine.spawn<counter>()) : engine.create(open_counter(0));
    engine.send(engine.create(open_producer(to, messages, &result)), start{});
    engine.wait_finished();
    return messages + 3;
  }
  void check(program& p, const tact::statistics& s) const {
    p.check_equal(result, messages, "increments counted");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bool classic;
  std::uint64_t messages;
  std::uint64_t result = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::count>(argc, argv, "Counting: one actor sends increments to another (Savina 02).");
}
