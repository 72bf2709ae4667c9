// A handler that waits, on a thread of its own: the engine's only worker goes on meanwhile.
#include <future>
#include <tact/future.hpp>
#include <tact/tact.hpp>

struct result_of {
  using reply = int;
  std::shared_future<int> job;
};
struct twice {
  using reply = int;
  int number;
};

int main() {
  tact::engine engine({.workers = 1});
  const auto reader =
      engine.create(tact::behavior<tact::request<result_of>>{[](auto& self, const tact::request<result_of>& m) {
                      self.reply(m, m.body.job.get());
                    }},
                    tact::blocking);
  const auto quick = engine.create(tact::behavior<tact::request<twice>>{
      [](auto& self, const tact::request<twice>& m) { self.reply(m, 2 * m.body.number); }});
  std::promise<int> job;
  auto waits = engine.ask_future(reader, result_of{job.get_future().share()});
  job.set_value(engine.ask(quick, twice{21}));
  return waits.get() == 42 ? 0 : 1;
}
