// An actor is told each change of some keys, in the order of the commits.
#include <filesystem>
#include <random>
#include <string>
#include <tact/store/store.hpp>
#include <tact/tact.hpp>

using price_changed = tact::store_changed<std::string, long>;

struct heard_so_far {
  using reply = std::string;
};

class display : public tact::actor<display, price_changed, tact::request<heard_so_far>> {
 public:
  void receive(tact::self<display>&, const price_changed& m) {
    heard_ += m.key + (m.value ? "=" + std::to_string(*m.value) : " is gone") + ";";
  }
  void receive(tact::self<display>& self, const tact::request<heard_so_far>& m) { self.reply(m, heard_); }

 private:
  std::string heard_;
};

static bool work(const std::filesystem::path& path) {
  tact::engine engine;
  const tact::store_file file(engine, path);
  const tact::store<std::string, long> prices(file, "prices");
  const auto wall = engine.spawn<display>();
  prices.watch(wall, "a", "c");  // apples and bread, no cheese
  prices.put("apple", 30);
  prices.put("cheese", 500);
  prices.put("bread", 250);
  prices.erase("apple");
  engine.wait_idle();
  return engine.ask(wall, heard_so_far{}) == "apple=30;bread=250;apple is gone;";
}

int main() {
  const auto folder = std::filesystem::temp_directory_path() / ("tact-watch-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  const bool is_right = work(folder / "prices");
  std::filesystem::remove_all(folder);
  return is_right ? 0 : 1;
}
