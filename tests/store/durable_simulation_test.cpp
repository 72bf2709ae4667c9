// Durable actors in every order, ended at any moment: the files that a killed process leaves are opened again.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/store_folder.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/engine_fixture.hpp"
#include "support/seed.hpp"
#include "tact/data/set.hpp"
#include "tact/simulation.hpp"
#include "tact/store/durable.hpp"
#include "tact/tact.hpp"

namespace durable_simulation_test {

namespace {

using tact::support::dice;
using tact::support::store_folder;

constexpr long opened_with = 100;
constexpr int accounts = 3;

struct deposit {
  long cents = 0;
};
// Answers whether it was done.
struct transfer {
  using reply = bool;
  long number = 0;
  std::string to;
  long cents = 0;
};
struct state_of {
  using reply = std::vector<long>;  // the cents, and the numbers of all transfers that were done
};
struct account_protocol : tact::protocol<deposit, tact::request<transfer>, tact::request<state_of>> {};

struct account {
  long cents = opened_with;
  tact::set<long> done{};
};

tact::ref<account_protocol> open_account(tact::engine& engine, const tact::store_file& file, const std::string& name) {
  return tact::create_durable<account_protocol>(
      engine, file, name, account{},
      [](auto& self, account now, const deposit& m) {
        now.cents += m.cents;
        self.become(now);
      },
      [](auto& self, account now, const tact::request<transfer>& m) {
        const transfer& t = m.body;
        if (now.cents < t.cents) return self.reply(m, false);
        now.cents -= t.cents;
        now.done = now.done.insert(t.number);
        self.send(tact::durable_ref<account_protocol>{t.to}, deposit{t.cents});
        self.become(now);
        self.reply(m, true);
      },
      [](auto& self, const account& now, const tact::request<state_of>& m) {
        std::vector<long> all{now.cents};
        all.insert(all.end(), now.done.begin(), now.done.end());
        self.reply(m, all);
      });
}

std::string name_of(int account) { return "account " + std::to_string(account); }

// The program goes so many steps, and what it leaves in its file is copied then. Returns the transfers that were
// answered by then.
std::set<long> run_and_die(dice& chance, const std::filesystem::path& file_path, const std::filesystem::path& left) {
  std::set<long> answered;
  std::set<long> answered_then;
  std::vector<tact::ref<account_protocol>> all;
  tact::simulation sim(chance.next());
  tact::engine_options options = tact::support::quiet_options(2);
  tact::engine& engine = sim.engine(options);
  const auto early = std::chrono::milliseconds(chance.below(2) * 10);
  auto file = std::make_optional<tact::store_file>(engine, file_path, tact::store_options{.durable_within = early});
  for (int n = 0; n < accounts; ++n) all.push_back(open_account(engine, *file, name_of(n)));
  for (int client = 0; client < 2; ++client) {
    sim.start_thread([&, client, own = chance.next()] {
      dice mine(own);
      for (long n = 0; n < 4; ++n) {
        const long number = static_cast<long>(own % 1'000'000) * 10 + n * 2 + client;
        const auto from = static_cast<std::size_t>(mine.below(accounts));
        const int to = static_cast<int>(mine.below(accounts));
        const long cents = static_cast<long>(mine.below(60));
        try {
          if (engine.ask(all[from], transfer{number, name_of(to), cents})) answered.insert(number);
        } catch (const tact::ask_error&) {
        }
      }
    });
  }
  const std::uint64_t steps = chance.below(400);
  for (std::uint64_t n = 0; n < steps; ++n) {
    if (!sim.step()) sim.advance(std::chrono::milliseconds(1));
  }
  answered_then = answered;
  std::filesystem::copy_file(file_path, left, std::filesystem::copy_options::overwrite_existing);
  sim.run();
  file.reset();
  return answered_then;
}

TEST_CASE("durable: whenever the program stops, no cent is lost, and each answered transfer is there", "[law14]") {
  TACT_SEEDED(seed);
  dice chance(seed);
  for (int round = 0; round < tact::support::scaled(60); ++round) {
    const store_folder folder;
    std::set<long> answered;
    std::filesystem::path path = folder / "0";
    for (int life = 0; life < 3; ++life) {
      const auto left = folder / std::to_string(life + 1);
      answered.merge(run_and_die(chance, path, left));
      path = left;
    }
    tact::simulation sim(chance.next());
    tact::engine& engine = sim.engine(tact::support::quiet_options(2));
    const tact::store_file file(engine, path);
    std::vector<tact::ref<account_protocol>> all;
    for (int n = 0; n < accounts; ++n) all.push_back(open_account(engine, file, name_of(n)));
    sim.run();
    long sum = 0;
    for (const auto& a : all) {
      const auto state = engine.ask(a, state_of{});
      sum += state.front();
      for (std::size_t n = 1; n < state.size(); ++n) answered.erase(state[n]);
    }
    INFO("round " << round);
    REQUIRE(sum == accounts * opened_with);
    REQUIRE(answered.empty());
  }
}

}  // namespace

}  // namespace durable_simulation_test
