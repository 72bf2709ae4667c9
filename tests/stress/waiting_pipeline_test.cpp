// A pipeline of two stages with limits: the first waits for the second, so the thread that sends is held back.
#include <algorithm>
#include <atomic>

#include "support/engine_fixture.hpp"

namespace waiting_pipeline_test {

namespace {

using namespace tact::support;
using tact::mailbox_limit;
using tact::request;
using tact::when_full;

struct part {
  int number;
};
struct painted {
  using reply = void;
  int number;
};
struct painting : tact::protocol<part> {};
struct packing : tact::protocol<request<painted>> {};

constexpr mailbox_limit ten{.messages = 10, .when_full = when_full::hold_back};

// What the second stage has handled.
struct packed {
  std::atomic<int> count{0};
  bool in_order = true;
};

// Takes much longer than the stage before it.
tact::behavior<packing> open_packing(packed& done) {
  return {[&done](tact::self<packing>& self, const request<painted>& m) {
    for (std::atomic<int> work{0}; work < 2'000;) ++work;
    done.in_order = done.in_order && m.body.number == done.count;
    ++done.count;
    self.reply(m);
  }};
}

// Takes the next part when the second stage has handled the last.
tact::behavior<painting> open_painting(tact::ref<packing> next) {
  return {[next](tact::self<painting>& self, const part& m) { self.ask(next, painted{m.number}); }};
}

std::uint64_t most_in_one_mailbox(const tact::engine& e) { return e.fullest_mailboxes(1).front().messages; }

}  // namespace

TEST_CASE("pressure: stages that ask the next one hold back the thread that sends to the first", "[law4][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  constexpr int parts = 1'000;
  packed done;
  tact::engine engine(quiet_options(workers));
  const auto second = engine.create(open_packing(done), ten);
  const auto first = engine.create(open_painting(second), ten);
  int most_in_pipeline = 0;
  std::uint64_t most_waiting = 0;
  for (int i = 0; i < parts; ++i) {
    engine.send(first, part{i});
    most_in_pipeline = std::max(most_in_pipeline, i + 1 - done.count);
    if (i % 10 == 0) most_waiting = std::max(most_waiting, most_in_one_mailbox(engine));
  }
  require_idle(engine);
  CHECK(most_in_pipeline <= 11);  // ten that wait, and the one that a stage handles
  CHECK(most_waiting <= 10);
  CHECK(done.count == parts);
  CHECK(done.in_order);
  CHECK(engine.statistics().refused == 0);
  CHECK(most_in_one_mailbox(engine) == 0);
}

}  // namespace waiting_pipeline_test
