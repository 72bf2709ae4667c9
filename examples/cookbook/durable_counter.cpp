// A durable actor: what it has answered is in the file, and it goes on from there when its program is started again.
#include <filesystem>
#include <random>
#include <string>
#include <tact/store/durable.hpp>
#include <tact/tact.hpp>

struct count_up {
  using reply = long;
  long by;
};
struct counter : tact::protocol<tact::request<count_up>> {};

struct counter_state {
  long sum = 0;
};

static tact::ref<counter> open_counter(tact::engine& engine, const tact::store_file& file) {
  return tact::create_durable<counter>(engine, file, "visitors", counter_state{},
                                       [](auto& self, const counter_state& now, const tact::request<count_up>& m) {
                                         const long sum = now.sum + m.body.by;
                                         self.become({sum});
                                         self.reply(m, sum);  // leaves when the sum is on the disk
                                       });
}

static bool work(const std::filesystem::path& path) {
  long heard = 0;
  for (int start = 0; start < 3; ++start) {
    tact::engine engine;
    const tact::store_file file(engine, path);
    const auto visitors = open_counter(engine, file);
    for (int n = 0; n < 10; ++n) heard = engine.ask(visitors, count_up{1});
  }
  return heard == 30;
}

int main() {
  const auto folder =
      std::filesystem::temp_directory_path() / ("tact-counter-" + std::to_string(std::random_device()()));
  std::filesystem::create_directory(folder);
  const bool is_right = work(folder / "counter");
  std::filesystem::remove_all(folder);
  return is_right ? 0 : 1;
}
