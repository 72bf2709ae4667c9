// What the runtimes of banking share: which transfers the teller orders, and what they come to.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "programs/program.hpp"
#include "savina/random.hpp"

namespace bench {

struct transfer {
  std::uint64_t from;
  std::uint64_t to;  // always greater: accounts that wait for each other's answers never do so in a circle
  double amount;
};

// REQUIRES: accounts >= 10
class transfers {
 public:
  explicit transfers(std::uint64_t accounts) : accounts_(accounts) {}
  transfer next() {
    const std::uint64_t from = dice_.below(accounts_ / 10 * 8);
    const std::uint64_t further = std::max<std::uint64_t>(dice_.below(accounts_ - from), 1);
    return {from, from + further, dice_.real() * 1000};
  }

 private:
  std::uint64_t accounts_;
  savina_random dice_{123'456};
};

// What became of one account. The suite begins with so much money that every amount is rounded away; here with none.
struct account_record {
  std::uint64_t payments = 0;
  std::uint64_t receipts = 0;
  double change = 0;

  [[nodiscard]] account_record less(double amount) const { return {payments + 1, receipts, change - amount}; }
  [[nodiscard]] account_record plus(double amount) const { return {payments, receipts + 1, change + amount}; }
};

inline std::vector<account_record> replay(std::uint64_t accounts, std::uint64_t count) {
  std::vector<account_record> all(accounts);
  transfers orders(accounts);
  for (std::uint64_t i = 0; i < count; ++i) {
    const transfer t = orders.next();
    all[t.from] = all[t.from].less(t.amount);
    all[t.to] = all[t.to].plus(t.amount);
  }
  return all;
}

// What another program has computed: sums of places times payments and receipts, and of all amounts.
struct known_sums {
  std::uint64_t accounts;
  std::uint64_t count;
  std::uint64_t payments;
  std::uint64_t receipts;
  double amounts;
};
inline constexpr known_sums known_transfers[] = {
    {1'000, 50'000, 19'946'712, 34'817'366, 9'384.0817495257},
    {16'000, 800'000, 5'014'017'408, 8'791'307'588, 142'152.171216905},
};

inline void check_banking(program& p, const std::vector<account_record>& found, std::uint64_t count,
                          std::uint64_t replies) {
  // Receipts add up in any order; the least amount is 0.015.
  const auto is_close = [](double a, double b) { return std::abs(a - b) < 1e-6; };
  const auto expected = replay(found.size(), count);
  std::uint64_t payments = 0, receipts = 0;
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    p.check_equal(found[i].payments, expected[i].payments, "payments of one account");
    p.check_equal(found[i].receipts, expected[i].receipts, "receipts of one account");
    p.check(is_close(found[i].change, expected[i].change), "an account has another amount than in turn");
    payments += i * found[i].payments;
    receipts += i * found[i].receipts;
    sum += found[i].change;
  }
  p.check(is_close(sum, 0), "money was made or lost");
  p.check_equal(replies, count, "replies to the teller");
  for (const auto& k : known_transfers) {
    if (k.accounts != found.size() || k.count != count) continue;
    transfers orders(k.accounts);
    double amounts = 0;
    for (std::uint64_t i = 0; i < count; ++i) amounts += orders.next().amount;
    p.check(is_close(amounts, k.amounts), "all amounts");
    p.check_equal(payments, k.payments, "payments, by place");
    p.check_equal(receipts, k.receipts, "receipts, by place");
  }
}

}  // namespace bench
