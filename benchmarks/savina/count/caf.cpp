// Counting on CAF.
#include "savina/caf.hpp"

namespace bench {
namespace {

using increment = caf::atom_constant<caf::atom("inc")>;
using retrieve = caf::atom_constant<caf::atom("get")>;
using start = caf::atom_constant<caf::atom("start")>;

class counter : public caf::event_based_actor {
 public:
  using event_based_actor::event_based_actor;
  caf::behavior make_behavior() override {
    return {
        [this](increment) { ++count_; },
        [this](retrieve) {
          quit();
          return count_;
        },
    };
  }

 private:
  std::uint64_t count_ = 0;
};

class producer : public caf::event_based_actor {
 public:
  producer(caf::actor_config& config, caf::actor to, std::uint64_t messages, std::uint64_t* result)
      : event_based_actor(config), to_(std::move(to)), messages_(messages), result_(result) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) {
          for (std::uint64_t i = 0; i < messages_; ++i) send(to_, increment::value);
          send(to_, retrieve::value);
        },
        [this](std::uint64_t count) {
          *result_ = count;
          quit();
        },
    };
  }

 private:
  caf::actor to_;
  std::uint64_t messages_;
  std::uint64_t* result_;
};

struct count {
  explicit count(savina_parameters& p) : messages(p.number("messages", {1'000'000, 10'000'000, 1'000}, "increments")) {}

  std::uint64_t run(caf::actor_system& system) {
    const auto to = system.spawn<counter>();
    caf::anon_send(system.spawn<producer>(to, messages, &result), start::value);
    system.await_all_actors_done();
    return messages + 3;
  }
  void check(program& p) const { p.check_equal(result, messages, "increments counted"); }

  std::uint64_t messages;
  std::uint64_t result = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::count>(argc, argv, "Counting: one actor sends increments to another (Savina 02).");
}
