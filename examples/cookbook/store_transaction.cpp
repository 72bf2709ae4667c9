// Transfers in a store: what a transaction has read and changed is one step, however many are made at a time.
#include <filesystem>
#include <random>
#include <string>
#include <tact/future.hpp>
#include <tact/store/store.hpp>
#include <tact/store/transacting.hpp>
#include <tact/tact.hpp>
#include <vector>

struct transfer {
  using reply = bool;
  std::string from, to;
  long cents;
};

static bool work(const std::filesystem::path& path) {
  tact::engine engine;
  const tact::store_file file(engine, path);
  const tact::store<std::string, long> accounts(file, "accounts");
  file.transact([&](tact::store_view& view) {
    view.put(accounts, "Ada", 100);
    view.put(accounts, "Alan", 100);
  });
  const auto transfers = engine.create(
      tact::transacting<transfer>(file,
                                  [=](tact::store_view& view, const transfer& t) {
                                    const long has = view.find(accounts, t.from).value_or(0);
                                    if (has < t.cents) return false;
                                    view.put(accounts, t.from, has - t.cents);
                                    view.put(accounts, t.to, view.find(accounts, t.to).value_or(0) + t.cents);
                                    return true;
                                  }),
      tact::parallel);
  std::vector<std::future<bool>> answers;
  for (int n = 0; n < 8; ++n) answers.push_back(engine.ask_future(transfers, transfer{"Ada", "Alan", 30}));
  int done = 0;
  for (auto& a : answers) done += a.get() ? 1 : 0;
  return done == 3 && accounts.find("Ada") == 10 && accounts.find("Alan") == 190;
}

int main() {
  const auto folder =
      std::filesystem::temp_directory_path() / ("tact-transaction-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  const bool is_right = work(folder / "accounts");
  std::filesystem::remove_all(folder);
  return is_right ? 0 : 1;
}
