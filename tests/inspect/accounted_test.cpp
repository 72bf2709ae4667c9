// Every step that an engine counts is recorded once, however many workers there are.
#include <map>
#include <set>
#include <stdexcept>

#include "support/engine_fixture.hpp"
#include "tact/inspect/recorder.hpp"

namespace inspect_accounted_test {

namespace {

using namespace tact::support;
using tact::inspect::event;
using tact::inspect::outcome;
using tact::inspect::step;

struct hop {
  std::uint64_t luck;
  unsigned left;
};

// Sends to two random actors of `all`, and at times throws, becomes, or creates an actor.
tact::behavior<hop> wanderer(const std::vector<tact::ref<hop>>& all) {
  return [&all](auto& self, const hop& m) {
    dice d(m.luck);
    for (int n = 0; n < 2 && m.left != 0; ++n)
      self.send(all[d.below(static_cast<unsigned>(all.size()))], hop{d.next(), m.left - 1});
    if (m.left != 0 && d.below(8) == 0) self.send(self.create(wanderer(all)), hop{d.next(), m.left - 1});
    if (d.below(4) == 0) self.become(wanderer(all));
    if (d.below(8) == 0) throw std::runtime_error("bad luck");
  };
}

struct counted_steps {
  std::map<step, std::uint64_t> steps;
  std::map<outcome, std::uint64_t> outcomes;
  std::uint64_t undone_creations = 0;
};

counted_steps count(const std::vector<event>& all) {
  counted_steps c;
  for (const event& e : all) {
    if (e.is_undone) {
      c.undone_creations += e.what == step::created ? 1U : 0U;
      continue;
    }
    ++c.steps[e.what];
    if (e.what == step::over) ++c.outcomes[e.how];
  }
  return c;
}

bool is_order(const event& e) { return !e.message_type.ends_with("hop"); }

// How many messages no handler has sent, and no thread outside.
std::uint64_t count_unsent(const std::vector<event>& all) {
  std::uint64_t orders = 0;
  for (const event& e : all) orders += e.what == step::begun && is_order(e) ? 1U : 0U;
  return orders;
}

// Each message that is handled was sent before, and is handled once more only after it was forwarded.
void require_each_sent_and_handled(const std::vector<event>& all) {
  std::set<std::uint64_t> sent;
  std::set<std::uint64_t> open;
  for (const event& e : all) {
    if (e.what == step::sent && !e.is_undone) {
      REQUIRE(sent.insert(e.message).second);
      open.insert(e.message);
    } else if (e.what == step::begun && is_order(e)) {
      open.insert(e.message);
    } else if (e.what == step::begun) {
      REQUIRE(sent.contains(e.message));
      REQUIRE(open.contains(e.message));
    } else if (e.what == step::over && e.how != outcome::forwarded) {
      REQUIRE(open.erase(e.message) == 1);
    }
  }
  REQUIRE(open.empty());
}

}  // namespace

TEST_CASE("recorder: the steps that it keeps are those that the engine counts") {
  for (const unsigned workers : worker_counts()) {
    const auto seed = tact::support::seed();
    INFO("workers " << workers << ", seed " << seed);
    tact::engine engine(quiet_options(workers));
    tact::inspect::recorder recorder(engine, {.bytes_per_thread = std::size_t{2} << 20});
    std::vector<tact::ref<hop>> all;
    for (int n = 0; n < 10; ++n) all.push_back(engine.create(wanderer(all), tact::parallel));
    for (int n = 0; n < 10; ++n) all.push_back(engine.create(wanderer(all)));
    const auto before = engine.statistics();
    dice d(seed);
    for (int n = 0; n < 20; ++n) engine.send(all[d.below(20)], hop{d.next(), 7});
    require_idle(engine);

    const auto trace = recorder.read();
    REQUIRE(trace.lost() == 0);
    const auto counted = count(trace.events());
    const tact::statistics s = engine.statistics();
    const auto of = [&](step what) { return counted.steps.contains(what) ? counted.steps.at(what) : 0; };
    const auto how = [&](outcome o) { return counted.outcomes.contains(o) ? counted.outcomes.at(o) : 0; };
    // An actor that a run has created which then collided may have been there for a moment. It gets an order to end,
    // which the engine counts, and counts it as created; but no handler has sent the one or created the other.
    const std::uint64_t orders = count_unsent(trace.events());
    CHECK(of(step::sent) + orders == s.messages_sent);
    CHECK(how(outcome::committed) == s.commits);
    CHECK(how(outcome::failed) == s.failures);
    CHECK(how(outcome::dead) == s.dead_letters);
    CHECK(how(outcome::forwarded) == s.forwarded);
    CHECK(of(step::undone) == s.collisions + s.failures);
    const std::uint64_t created = s.actors_created - before.actors_created;
    CHECK(of(step::created) <= created);
    CHECK(created <= of(step::created) + counted.undone_creations);
    require_each_sent_and_handled(trace.events());
  }
}

TEST_CASE("recorder: steps are recorded while it is switched on and off, and read, at any time") {
  for (const unsigned workers : thread_counts()) {
    INFO("workers " << workers);
    tact::engine engine(quiet_options(workers));
    std::vector<tact::ref<hop>> all;
    for (int n = 0; n < 20; ++n) all.push_back(engine.create(wanderer(all), tact::parallel));
    tact::inspect::recorder recorder(engine, {.bytes_per_thread = 64 << 10, .one_of = 3});
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0};
    std::thread reader([&] {
      while (!done) {
        recorder.stop();
        const auto trace = recorder.read();
        for (const event& e : trace.events()) wrong += e.thread < trace.threads().size() ? 0 : 1;
        recorder.start();
        static_cast<void>(recorder.read());
      }
    });
    dice d(tact::support::seed());
    for (int round = scaled(30); round != 0; --round) {
      for (int n = 0; n < 10; ++n) engine.send(all[d.below(20)], hop{d.next(), 6});
      require_idle(engine);
    }
    done = true;
    reader.join();
    CHECK(wrong == 0);
    require_accounted(engine);
  }
}

}  // namespace inspect_accounted_test
