// Bank transfers: several actors take part in one, some of them refuse, and no cent is lost or made. A serializer
// lets one order at a time through to the bank, so a count in the middle of the business is right as well.
//
// - Each account changes alone, in one transaction; a refusal, an exception, leaves it as it was.
// - What takes several messages is not one transaction. The bank undoes the first half when the second fails, and the
//   serializer keeps others out meanwhile.
// - The same program runs on real threads, and in simulations in some hundred orders; without the serializer a
// simulation
//   finds the order in which a count goes wrong.
#include <future>
#include <iostream>
#include <random>
#include <vector>

#include "bank.hpp"

namespace {

constexpr int accounts = 4;
constexpr long each = 100;

// Clerks on threads of their own order transfers at random; meanwhile an inspector counts.
class town {
 public:
  town(tact::engine& engine, bool serialized) : engine_(engine) {
    for (int i = 0; i < accounts; ++i) {
      all_.push_back(engine.create(i % 2 == 0 ? bank::open_account(each) : bank::open_fussy_account(each)));
    }
    // Parallel: it goes on with other orders while the handler of one waits for the accounts.
    const auto bank = engine.create(bank::open_bank(all_), tact::parallel);
    counter_ =
        serialized ? tact::ref<tact::request<bank::order>>(engine.create(tact::serializer<bank::order>(bank))) : bank;
  }

  void work(unsigned seed, int orders) {
    std::minstd_rand dice(seed);
    for (int i = 0; i < orders; ++i) {
      const auto from = all_[dice() % accounts];
      const auto to = all_[dice() % accounts];
      try {
        engine_.ask(counter_, bank::order{bank::transfer{from, to, static_cast<long>(dice() % 60)}});
      } catch (const tact::ask_error& e) {
        if (e.reason() != tact::failure_reason::handler_threw) throw;  // the account said no
      }
    }
  }
  bool is_complete() { return engine_.ask(counter_, bank::order{bank::count{}}) == accounts * each; }

 private:
  tact::engine& engine_;
  std::vector<tact::ref<bank::account>> all_;
  tact::ref<tact::request<bank::order>> counter_;
};

tact::engine_options silent() {
  tact::engine_options options;
  options.on_failure = [](const tact::failure_report&) {};  // refusals are part of the business
  return options;
}

// True: every count was right.
bool run_on_threads() {
  tact::engine engine(silent());
  town t(engine, true);
  std::vector<std::future<void>> clerks;
  for (unsigned i = 1; i <= 3; ++i) clerks.push_back(std::async(std::launch::async, [&, i] { t.work(i, 300); }));
  bool right = true;
  for (int i = 0; i < 100; ++i) right = t.is_complete() && right;
  for (auto& c : clerks) c.get();
  return t.is_complete() && right;
}

tact::exploration simulate(std::uint64_t seeds, bool serialized) {
  const auto program = [=](tact::simulation& sim) {
    auto& engine = sim.engine(silent());
    town t(engine, serialized);
    for (unsigned i = 1; i <= 2; ++i) sim.start_thread([&t, i] { t.work(i, 3); });
    for (int i = 0; i < 3; ++i) sim.check(t.is_complete(), "a count is wrong");
    sim.run();
    sim.check(t.is_complete(), "money was lost or made");
  };
  return tact::explore(seeds, program, {.prints = false});
}

}  // namespace

int main() {
  const bool right = run_on_threads();
  std::cout << "On real threads: 900 transfers, and " << (right ? "every count is right.\n" : "A COUNT IS WRONG.\n");
  const auto behind = simulate(300, true);
  std::cout << "Behind a serializer, in simulations:\n" << behind.text() << '\n';
  const auto bare = simulate(300, false);
  std::cout << "Without it:\n" << bare.text();
  return right && !behind.failed && bare.failed ? 0 : 1;
}
