// Names of what happens in a program of the model. They do not depend on addresses, so a run and a message can be found
// again in what other threads saw.
#pragma once

#include <cstdint>
#include <string>

namespace tact::model {

// A run of a handler: the log of its thread << 32 | its number there, from 1. Number 0 is the thread itself, when it
// sends from outside; log 0 that of the thread that founds and probes.
using run_name = std::uint64_t;

constexpr run_name outside(unsigned log) noexcept { return run_name{log} << 32; }
constexpr bool is_outside(run_name r) noexcept { return (r & 0xFFFF'FFFF) == 0; }
constexpr unsigned log_of(run_name r) noexcept { return static_cast<unsigned>(r >> 32); }

// What a run made: a message, an actor, a customer, something for after the commit; numbered within the run.
struct item {
  std::uint64_t bits = none;

  static constexpr std::uint64_t none = ~std::uint64_t{0};

  static constexpr item of(run_name by, unsigned index) noexcept { return {by << 16 | index}; }
  [[nodiscard]] constexpr run_name by() const noexcept { return bits >> 16; }
  [[nodiscard]] constexpr unsigned index() const noexcept { return static_cast<unsigned>(bits & 0xFFFF); }
  [[nodiscard]] constexpr bool is_somebody() const noexcept { return bits != none; }
  friend constexpr auto operator<=>(item, item) noexcept = default;
};

// Actors that exist before anybody sends.
constexpr item founder(unsigned number) noexcept { return item::of(outside(0), number); }

// What a thread outside sends, and itself as the customer of what it asks. The program's threads have logs 1, 2, ...
constexpr item sent_outside(unsigned log, unsigned act) noexcept { return item::of(outside(log), act); }
constexpr item asker_outside(unsigned log, unsigned act) noexcept { return item::of(outside(log), act | 0x8000); }
constexpr bool is_asker(item customer) noexcept {
  return customer.is_somebody() && is_outside(customer.by()) && customer.by() != outside(0);
}

// The address of an actor, as a run knows it. The model reads `who` alone.
struct address {
  item who;
  std::uint64_t port = 0;

  friend constexpr bool operator==(const address& a, const address& b) noexcept { return a.who == b.who; }
};

// "3.17": the 17th run of log 3; "thread 2".
inline std::string text_of(run_name r) {
  if (is_outside(r)) return "thread " + std::to_string(log_of(r));
  return std::to_string(log_of(r)) + "." + std::to_string(r & 0xFFFF'FFFF);
}
// "3.17/2": what it made second; "founder 4".
inline std::string text_of(item i) {
  if (!i.is_somebody()) return "nobody";
  if (i.by() == outside(0)) return "founder " + std::to_string(i.index());
  return text_of(i.by()) + "/" + std::to_string(i.index());
}

}  // namespace tact::model
