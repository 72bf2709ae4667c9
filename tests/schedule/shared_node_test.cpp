// The count of the links of a node under every kind of schedule: threads share, let go and change what they alone have.
#include "tact/data/detail/shared_node.hpp"

#include <array>
#include <string>

#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace shared_node_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

struct simulated_links {
  template <class T>
  using atomic = simulated::atomic<T>;
  static bool takes_two_for_sole() noexcept { return simulated::planted(sync::fault::two_links_seen_as_one); }
  static bool lets_go_in_two_steps() noexcept { return simulated::planted(sync::fault::link_let_go_in_two_steps); }
};

// Each thread has a link at the beginning. What a thread writes in the node, it writes between two points at which
// others may run, so that they would see it half done.
template <unsigned Threads>
struct shared : explorer::scenario {
  struct counted_node {
    detail::link_count<simulated_links> links;
    simulated::atomic<unsigned> contents{0};
  };
  counted_node node;
  unsigned has_link = Threads;  // threads that have one, or more
  unsigned ends = 0;

  shared() {
    for (unsigned i = 1; i < Threads; ++i) node.links.share();
  }
  void name(explorer::names& called) override { called.add(node, "node"); }
  unsigned thread_count() const override { return Threads; }
  std::string thread_name(unsigned index) const override { return "table " + std::to_string(index); }

  // As a table does: reads, is copied and the copy dropped, changes the node if it is its own, and ends.
  void thread(unsigned index) override {
    const unsigned seen = node.contents.load();
    if (index % 2 == 0) {
      node.links.share();
      let_go_of_copy();
    }
    if (node.links.is_sole()) {
      check(has_link == 1, "a node was changed that another table has");
      node.contents.store(seen + 1);
    } else {
      check(ends == 0, "a node has ended of which there is a link");
    }
    --has_link;
    if (node.links.let_go()) end();
  }
  void let_go_of_copy() {
    if (node.links.let_go()) check(false, "a node has ended of which there is a link");
  }
  void end() {
    check(has_link == 0, "a node has ended that another table has");
    ++ends;
  }
  void at_end() override {
    check(ends != 0, "a node was left over");
    check(ends == 1, "a node has ended twice");
  }
};

}  // namespace

TEST_CASE("shared node: ends once, with its last link, and is changed by the thread alone that has the only one",
          "[data][schedule]") {
  support::require_holds<shared<2>>();
  support::require_holds<shared<3>>();
  support::require_holds<shared<4>>();
}

TEST_CASE("shared node: in every schedule with few preemptions it ends once, and is changed by its only user",
          "[data][schedule][exhaustive]") {
  TACT_REQUIRE_ALL_HOLD(8, 0, shared<2>);
  TACT_REQUIRE_ALL_HOLD(4, 0, shared<3>);
}

TEST_CASE("shared node: planted faults are found", "[data][schedule]") {
  TACT_REQUIRE_FOUND(link_let_go_in_two_steps, shared<2>);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, link_let_go_in_two_steps, shared<2>);
  TACT_REQUIRE_FOUND(two_links_seen_as_one, shared<2>);
  TACT_REQUIRE_FOUND_WITHIN(1, 0, two_links_seen_as_one, shared<2>);
}

}  // namespace shared_node_test
