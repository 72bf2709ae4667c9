// Engines in a model whose pages lie where their options say it.
#include <vector>

#include "modelled/json.hpp"
#include "modelled/programs.hpp"
#include "tact/tact.hpp"

namespace interleaved_test {

namespace {

using namespace tact::modelled_tests;
using Catch::Matchers::Contains;

struct step {
  unsigned left;
};
class walker : public tact::actor<walker, step> {
 public:
  walker(const std::vector<tact::ref<walker>>& all, std::size_t number) : all_(&all), number_(number) {}
  void receive(tact::self<walker>& self, const step& m) {
    if (m.left != 0) self.send((*all_)[(number_ * 31 + m.left * 7919) % all_->size()], step{m.left - 1});
  }

 private:
  const std::vector<tact::ref<walker>>* all_;
  std::size_t number_;
};

// Many actors and messages, all made by the thread of the program, whose core is in the first package. Each message is
// sent so many times.
tact::model_result walk(tact::memory_placement memory, const char* machine = "package:2 l3:1 core:2 pu:1",
                        unsigned* nodes = nullptr, int messages = 4) {
  return tact::model::run({.machine = machine}, [&] {
    tact::engine e({.pin_workers = tact::pinning::on, .memory = memory});
    if (nodes != nullptr) *nodes = e.statistics().memory_nodes;
    std::vector<tact::ref<walker>> all;
    for (std::size_t i = 0; i < 50'000; ++i) all.push_back(e.spawn<walker>(all, i));
    for (int n = 0; n < messages; ++n) {
      for (const auto to : all) e.send(to, step{1});
    }
    e.wait_idle();
  });
}

// The part of all touched pages that lies on the second memory.
double part_of_second(const tact::model_result& r) {
  REQUIRE(r.pages_by_node.size() == 2);
  CHECK(r.pages_by_node[0] + r.pages_by_node[1] == r.pages_touched);
  return static_cast<double>(r.pages_by_node[1]) / static_cast<double>(r.pages_touched);
}

}  // namespace

TEST_CASE("memory: an engine in a model whose pages are interleaved uses the memories of all packages", "[modelled]") {
  // Without messages, because the workers of the second package touch the pages of those that they handle first, and
  // how many these are is up to them.
  unsigned nodes = 1;
  const auto local = walk(tact::memory_placement::local, "package:2 l3:1 core:2 pu:1", &nodes, 0);
  CHECK(nodes == 0);
  CHECK(local.engines.memory_nodes == 0);
  const auto interleaved = walk(tact::memory_placement::interleaved, "package:2 l3:1 core:2 pu:1", &nodes, 0);
  CHECK(nodes == 2);
  CHECK(interleaved.engines.memory_nodes == 2);
  CHECK(part_of_second(interleaved) > part_of_second(local) + 0.1);
  CHECK(part_of_second(interleaved) < 0.5);  // what comes from malloc is local
}

TEST_CASE("memory: on a modelled machine with one memory an engine interleaves nothing", "[modelled]") {
  unsigned nodes = 1;
  const auto r = walk(tact::memory_placement::interleaved, "l3:2 core:2 pu:1", &nodes);
  CHECK(nodes == 0);
  CHECK(r.pages_by_node == std::vector<std::uint64_t>{r.pages_touched});
  CHECK(r.lines_from_far() == 0);
  CHECK(r.lines_from_near() > 0);
}

TEST_CASE("memory: a result tells per message how many lines came from near and far, and where the pages lie",
          "[modelled]") {
  const auto r = walk(tact::memory_placement::interleaved);
  const auto messages = static_cast<double>(r.engines.commits);
  REQUIRE(r.lines_from_near() > 0);
  REQUIRE(r.lines_from_far() > 0);
  const json parsed(r.json());
  CHECK(parsed.number("transfers.memory.lines") == static_cast<double>(r.lines_from_near()));
  CHECK(parsed.number("transfers.other_memory.lines") == static_cast<double>(r.lines_from_far()));
  CHECK(parsed.number("near_lines_per_message") == Approx(static_cast<double>(r.lines_from_near()) / messages));
  CHECK(parsed.number("far_lines_per_message") == Approx(static_cast<double>(r.lines_from_far()) / messages));
  CHECK(parsed.number("memory_nodes") == 2);
  CHECK(parsed.number("pages_by_node.0") == static_cast<double>(r.pages_by_node[0]));
  CHECK(parsed.number("pages_by_node.1") == static_cast<double>(r.pages_by_node[1]));
  CHECK(parsed.number("lines_by_node.0") == static_cast<double>(r.lines_by_node[0]));
  CHECK(r.lines_by_node[0] + r.lines_by_node[1] == r.lines_from_near() + r.lines_from_far());
  CHECK_THAT(r.text(),
             Contains("from near memory") && Contains("pages on each: " + std::to_string(r.pages_by_node[0])));
}

}  // namespace interleaved_test
