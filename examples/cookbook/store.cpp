// A table that lasts: a thread puts and finds, a handler asks an actor to do so, and the next engine finds all of it.
#include <filesystem>
#include <random>
#include <string>
#include <tact/store/store.hpp>
#include <tact/store/store_service.hpp>
#include <tact/tact.hpp>

using ages = tact::store<std::string, int>;
using find_age = tact::store_find<std::string, int>;
using put_age = tact::store_put<std::string, int>;

struct birthday {
  std::string name;
};

static bool work(const std::filesystem::path& path) {
  {
    tact::engine engine;
    const tact::store_file file(engine, path);
    const ages table(file, "ages");
    table.put("Ada", 35);  // returns when it is on the disk
    const auto desk = engine.create(tact::store_service(table), tact::parallel);
    const auto office = engine.create(tact::behavior<birthday>{[=](auto& self, const birthday& m) {
      const int age = self.ask(desk, find_age{m.name}).value_or(-1);  // the worker goes on with other actors
      self.ask(desk, put_age{m.name, age + 1});
    }});
    office | birthday{"Ada"} | birthday{"Grace"};
    engine.wait_idle();
  }
  tact::engine engine;
  const tact::store_file file(engine, path);
  const ages table(file, "ages");
  return table.find("Ada") == 36 && table.find("Grace") == 0 && !table.find("Alan");
}

int main() {
  const auto folder = std::filesystem::temp_directory_path() / ("tact-store-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  const bool is_right = work(folder / "ages");
  std::filesystem::remove_all(folder);
  return is_right ? 0 : 1;
}
