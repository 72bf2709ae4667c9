#include "store/crash/bank.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace tact::store_tests {

namespace {

using detail::byte_change;

constexpr unsigned accounts = 8;
constexpr long begins_with = 1000;
constexpr unsigned balances_table = 0;
constexpr unsigned transfers_table = 1;
using balances = std::array<long, accounts>;

struct books {
  balances all{};
  std::uint64_t transfers = 0;
};

std::string account_key(unsigned n) { return "account " + std::to_string(n); }
std::string transfer_key(std::uint64_t n) { return "transfer " + std::to_string(n); }
store_options bank_options() { return {.map_bytes = std::size_t{1} << 20, .readers_max = 16, .tables_max = 8}; }

const std::string* find(const contents& in, unsigned table, const std::string& key) {
  const auto at = in.find(static_cast<char>(table) + key);
  return at == in.end() ? nullptr : &at->second;
}

// What the transfers come to.
books replay(const contents& in) {
  books b;
  b.all.fill(begins_with);
  while (const std::string* told = find(in, transfers_table, transfer_key(b.transfers + 1))) {
    std::istringstream words(*told);
    unsigned from = 0;
    unsigned to = 0;
    long amount = 0;
    words >> from >> to >> amount;
    b.all.at(from) -= amount;
    b.all.at(to) += amount;
    ++b.transfers;
  }
  return b;
}

std::vector<byte_change> random_transfers(books& b, base::random& luck) {
  std::vector<byte_change> group;
  for (unsigned n = luck.below(4) + 1; n != 0; --n) {
    const unsigned from = luck.below(accounts);
    const unsigned to = (from + 1 + luck.below(accounts - 1)) % accounts;
    const long amount = static_cast<long>(luck.below(100)) + 1;
    b.all.at(from) -= amount;
    b.all.at(to) += amount;
    ++b.transfers;
    std::ostringstream told;
    told << from << ' ' << to << ' ' << amount;
    group.push_back({balances_table, account_key(from), std::to_string(b.all.at(from))});
    group.push_back({transfers_table, transfer_key(b.transfers), told.str()});
    group.push_back({balances_table, account_key(to), std::to_string(b.all.at(to))});
  }
  return group;
}

void found(subject& store) {
  std::vector<byte_change> group;
  for (unsigned n = 0; n < accounts; ++n)
    group.push_back({balances_table, account_key(n), std::to_string(begins_with)});
  if (store.commit(group).what != detail::commit_result::fate::durable) throw std::runtime_error("no bank");
}

}  // namespace

void keep_bank(const std::filesystem::path& file, mistake wrong, base::random luck, int tells) {
  subject store(file, bank_options(), wrong);
  if (store.read().empty()) found(store);
  books b = replay(store.read());
  for (;;) {
    const std::vector<byte_change> group = random_transfers(b, luck);
    if (store.commit(group).what != detail::commit_result::fate::durable) return;
    if (::write(tells, &b.transfers, sizeof b.transfers) != sizeof b.transfers) return;
  }
}

bank_audit audit_bank(const std::filesystem::path& file) {
  subject store(file, bank_options());
  const contents all = store.read();
  const books b = replay(all);
  bank_audit result{.transfers = b.transfers};
  if (all.empty()) return result;  // killed before it was founded
  if (all.size() != accounts + b.transfers) result.problem = "a transfer is missing";
  long sum = 0;
  for (unsigned n = 0; n < accounts; ++n) {
    const std::string* balance = find(all, balances_table, account_key(n));
    if (balance == nullptr || std::strtol(balance->c_str(), nullptr, 10) != b.all.at(n))
      result.problem = account_key(n) + " is not what the transfers come to";
    if (balance != nullptr) sum += std::strtol(balance->c_str(), nullptr, 10);
  }
  if (sum != begins_with * accounts) result.problem = "money is lost, or made: " + std::to_string(sum);
  return result;
}

}  // namespace tact::store_tests
