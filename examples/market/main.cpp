// A day on a market: README.md says what is on it, and how its parts work together.
#include <chrono>
#include <exception>
#include <iostream>
#include <optional>
#include <span>
#include <string>

#include "inspected.hpp"
#include "market.hpp"
#include "options.hpp"
#include "plain_day.hpp"
#include "report.hpp"

namespace {

int run_on_threads(const market::options& o) {
  const auto day = std::make_shared<const market::session>(market::make_session(o.by, o.session));
  auto engine_options = market::market_options();
  if (o.workers != 0) engine_options.workers = o.workers;
  tact::engine engine(engine_options);
  std::optional<examples::inspected> page;
  if (o.inspect) page.emplace(engine);
  const auto f = market::run_day(engine, day);
  market::write_report(std::cout, *day, f);
  const auto begin = std::chrono::steady_clock::now();
  const bool is_same = market::plain_day(*day) == f.day;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  std::cout << "a loop without actors, topics and audits: "
            << static_cast<std::uint64_t>(static_cast<double>(o.session.orders) / time.count())
            << " orders a second, and " << (is_same ? "the same figures\n" : "OTHER FIGURES\n");
  const auto fault = market::find_fault(*day, f);
  if (!fault.empty()) std::cout << "WRONG: " << fault << '\n';
  return is_same && fault.empty() ? 0 : 1;
}

tact::exploration simulate(const market::options& o, market::taking how) {
  const auto day = std::make_shared<const market::session>(market::make_session(o.by, o.session));
  const auto plain = std::make_shared<const market::day_figures>(market::plain_day(*day));
  const auto program = [=](tact::simulation& sim) {
    auto engine_options = market::market_options();
    if (o.workers != 0) engine_options.workers = o.workers;
    const auto f = market::run_day(sim.engine(engine_options), day, how);
    const auto fault = market::find_fault(*day, f);
    sim.check(fault.empty(), fault);
    sim.check(f.day == *plain, "the figures are not those of the loop without actors");
  };
  const std::uint64_t points = 1'000'000 + o.session.orders * 1'000;
  return tact::explore(o.simulate, program, {.shrinking_runs = 0, .points_max = points, .prints = false});
}

int run_in_simulations(market::options o) {
  o.session.packet_size = 6;  // small packets, so that there are many rounds; and many crashes
  o.session.malformed_one_in = 60;
  o.by.audit_every = 4;
  const auto in_order = simulate(o, market::taking::in_order);
  std::cout << "Books that take orders in the order of the feeds:\n" << in_order.text() << '\n';
  const auto as_they_come = simulate(o, market::taking::as_they_come);
  std::cout << "Books that take orders as they come: "
            << (as_they_come.failed ? as_they_come.what + ", with seed " + std::to_string(as_they_come.seed)
                                    : "NO SEED FOUND WITH WHICH THAT IS WRONG")
            << '\n';
  return !in_order.failed && as_they_come.failed ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto o = market::parse_options(std::span<const char* const>(argv, static_cast<std::size_t>(argc)).subspan(1));
    if (o.help) {
      std::cout << market::help_text();
      return 0;
    }
    return o.simulate != 0 ? run_in_simulations(o) : run_on_threads(o);
  } catch (const std::exception& e) {
    std::cerr << "market: " << e.what() << '\n';
    return 2;
  }
}
