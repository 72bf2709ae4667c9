// Which shards actors get as their homes.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dispatch/dispatcher.hpp"
#include "support/catch.hpp"
#include "support/silent_runner.hpp"
#include "support/workers.hpp"
#include "topology/plan.hpp"

namespace homes_test {

namespace {

using namespace tact;
using support::silent_runner;

struct idle_dispatcher : dispatch::dispatcher {
  idle_dispatcher(unsigned workers, dispatch::extent size, victim_policy victims = &longest_victim)
      : dispatch::dispatcher(topology::plan(workers), size, std::move(victims)) {}
};

}  // namespace

TEST_CASE("homes: ordinary placement never picks a shard that is kept for heavy or blocking actors", "[dispatch]") {
  const unsigned workers = GENERATE(from_range(support::thread_counts().begin(), support::thread_counts().end()));
  const unsigned more = GENERATE(0u, 1u, 100u);
  const unsigned shards = workers + more;
  idle_dispatcher d(workers, {shards, 3, 5});
  CHECK(d.mail().shards().size() == shards + 8);
  std::set<std::uint32_t> by_children, outside, round;
  for (const auto& w : d.workers()) {
    for (unsigned i = 0; i < 2 * shards; ++i) {
      const std::uint32_t home = w->next_shard();
      CHECK(home % workers == w->index());
      by_children.insert(home);
    }
  }
  for (unsigned i = 0; i < 4 * shards; ++i) {
    outside.insert(d.posting().next_shard());
    round.insert(d.posting().next_shard_of_all());
  }
  for (const auto& found : {by_children, outside, round}) CHECK(*found.rbegin() < shards);
  CHECK(by_children.size() == shards);
  CHECK(round.size() == shards);
}

TEST_CASE("homes: of those that one run makes every fourth, or eighth, is not always in the same shard", "[dispatch]") {
  constexpr unsigned each = 8, rows = 8;
  for (const unsigned workers : {1u, 2u, 4u}) {
    for (const unsigned stride : {each / 2, each}) {
      idle_dispatcher d(workers, {each * workers, workers}), busy(workers, {each * workers, workers});
      for (unsigned w = 0; w < workers; ++w) busy.waker().idle().remove(w);
      std::set<std::uint32_t> by_children, outside;
      std::vector<unsigned> times(each * workers);
      for (unsigned i = 0; i < rows * stride; ++i) {
        const std::uint32_t child = busy.workers()[0]->next_shard(i), from_outside = d.posting().next_shard();
        ++times[child];
        if (i % stride == 0) by_children.insert(child);
        if (i % stride == 0) outside.insert(from_outside);
      }
      CAPTURE(workers, stride);
      CHECK(by_children.size() >= each / 2);
      CHECK(outside.size() >= each / 2);
      for (unsigned s = 0; s < each; ++s) CHECK(times[s * workers] == rows * stride / each);
    }
  }
}

TEST_CASE("homes: of many actors that threads outside make, rows share a shard, and all shards get about as many",
          "[dispatch]") {
  constexpr unsigned each = 8, longest = 32;
  const unsigned workers = GENERATE(1u, 2u, 4u);
  const bool idle = GENERATE(false, true);
  constexpr unsigned made = 1 << 17;
  idle_dispatcher d(workers, {each * workers});
  for (unsigned w = 0; w < workers && !idle; ++w) d.waker().idle().remove(w);
  std::vector<unsigned> times(each * workers);
  std::uint32_t last = 0;
  unsigned row = 0, row_longest = 0;
  for (unsigned i = 0; i < made; ++i) {
    const std::uint32_t home = d.posting().next_shard();
    row = i != 0 && home == last ? row + 1 : 1;
    row_longest = std::max(row_longest, row);
    last = home;
    ++times[home];
    if (i % 97 != 0) continue;
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    CAPTURE(workers, idle, i, *least, *most);
    CHECK(*most <= *least + 2 + *least / 8);
  }
  CHECK(row_longest == longest);
}

TEST_CASE("homes: what an actor creates does not share its shard, unless the worker has few", "[dispatch]") {
  constexpr unsigned workers = 2, rows = 5;
  for (const unsigned each : {2u, 3u, 4u, 8u}) {
    idle_dispatcher d(workers, {each * workers});
    for (unsigned w = 0; w < workers; ++w) d.waker().idle().remove(w);
    auto& w = *d.workers()[0];
    mailbox::shard& creating = d.mail().shard_at(workers);  // the worker's second one
    std::set<std::uint32_t> homes;
    w.held().begin(creating);
    for (unsigned i = 0; i < rows * each; ++i) homes.insert(w.next_shard(i));
    w.held().end();
    CAPTURE(each);
    CHECK(homes.size() == (each < 4 ? each : each - 1));
    CHECK((homes.count(creating.number) == 0) == (each >= 4));
  }
}

TEST_CASE("homes: a run that makes more than its worker has shards makes the rest for idle workers, in turn",
          "[dispatch]") {
  constexpr unsigned each = 8, workers = 4;
  const unsigned maker = GENERATE(0u, 2u);
  idle_dispatcher d(workers, {each * workers, workers});
  d.waker().idle().remove(maker);
  const auto make_row = [&](unsigned length) {
    std::vector<std::uint32_t> got;
    for (unsigned i = 0; i < length; ++i) got.push_back(d.workers()[maker]->next_shard(i));
    return got;
  };
  const auto workers_of = [&](const std::vector<std::uint32_t>& homes) {
    std::vector<unsigned> all;
    for (std::size_t i = 0; i < homes.size(); i += each) {
      const std::set<std::uint32_t> round(homes.begin() + static_cast<std::ptrdiff_t>(i),
                                          homes.begin() + static_cast<std::ptrdiff_t>(i + each));
      CHECK(round.size() == each);  // each shard once
      for (const std::uint32_t home : round) CHECK(home % workers == *round.begin() % workers);
      all.push_back(*round.begin() % workers);
    }
    return all;
  };
  const std::vector<unsigned> turns = {maker, (maker + 1) % 4, (maker + 2) % 4, (maker + 3) % 4};
  const auto row = workers_of(make_row(3 * workers * each));
  for (std::size_t i = 0; i < row.size(); ++i) CHECK(row[i] == turns[i % workers]);

  // Wherever a row ends, the next run begins at home again.
  CHECK(make_row(each + 3).back() % workers == turns[1]);
  for (const std::uint32_t home : make_row(each)) CHECK(home % workers == maker);

  d.waker().idle().remove(turns[1]);  // it has something to do now
  CHECK(workers_of(make_row(3 * each)) == std::vector{maker, turns[2], turns[3]});
}

TEST_CASE("homes: where no worker steals, what a worker makes stays with it", "[dispatch]") {
  idle_dispatcher d(2, {16, 0}, no_victim);
  for (unsigned i = 0; i < 64; ++i) CHECK(d.workers()[0]->next_shard(i) % 2 == 0);
}

TEST_CASE("homes: runs that make few go on where the one before has ended", "[dispatch]") {
  idle_dispatcher d(1, {8, 1});
  std::vector<std::uint32_t> got;
  for (unsigned i = 0; i < 64; ++i) got.push_back(d.workers()[0]->next_shard(i % 4));
  for (unsigned i = 8; i < 64; ++i) CHECK(got[i] == got[i - 8]);
}

TEST_CASE("homes: a worker that has stolen heavy shards for all of its own places nothing in them", "[dispatch]") {
  idle_dispatcher d(2, {2, 2});
  REQUIRE(d.mail().shard_at(3).word.post_mail());  // one of the two of worker 1; the other is an ordinary one
  const auto theft = d.stealing().table().steal(0, 1, 0, [](unsigned) {});
  REQUIRE(theft.outcome == dispatch::theft_outcome::stolen);
  REQUIRE(d.stealing().table().of(0)[0].load() == &d.mail().shard_at(3));
  std::set<std::uint32_t> found;
  for (std::uint32_t turn = 0; turn < 8; ++turn) {
    found.insert(d.workers()[0]->next_shard());
    found.insert(d.workers()[1]->next_shard());
    found.insert(d.posting().shard_of_worker(0, turn));
    found.insert(d.posting().shard_of_worker(1, turn));
    found.insert(d.posting().next_shard());
  }
  CHECK(found == std::set<std::uint32_t>{0, 1});
}

TEST_CASE("homes: heavy actors get the kept shards, each once, until those are used up", "[dispatch]") {
  idle_dispatcher d(2, {4, 3, 0});
  std::set<std::uint32_t> taken;
  for (int i = 0; i < 3; ++i) taken.insert(d.homes().take_heavy().value());
  CHECK(taken == std::set<std::uint32_t>{4, 5, 6});
  CHECK_FALSE(d.homes().take_heavy());
  d.homes().home_is_left(5);
  d.homes().home_is_left(1);  // an ordinary one: nothing to do
  CHECK(d.homes().take_heavy() == 5u);
  CHECK_FALSE(d.homes().take_heavy());
  d.homes().home_is_unused(6);
  CHECK(d.homes().take_heavy() == 6u);
}

TEST_CASE("homes: as many blocking actors as allowed, and the first free place again", "[dispatch]") {
  idle_dispatcher d(2, {4, 1, 2});
  d.start([](dispatch::worker_context&) { return std::make_unique<silent_runner>(); });
  CHECK(d.homes().take_blocking() == 5u);
  CHECK(d.homes().take_blocking() == 6u);
  CHECK_FALSE(d.homes().take_blocking());
  d.homes().home_is_unused(5);
  CHECK(d.homes().take_blocking() == 5u);
  unsigned made = 0;
  d.homes().for_each_blocking([&](const dispatch::blocking_thread& t) { CHECK(t.index() == 2 + made++); });
  CHECK(made == 2);
  d.stop();
  REQUIRE(d.wait_stopped({}));
  d.join();
}

TEST_CASE("homes: a worker that has nothing to do takes back a shard that was exchanged for one of a heavy actor",
          "[dispatch]") {
  constexpr std::uint32_t ordinary = 16;
  idle_dispatcher d(2, {ordinary, 4});
  auto& table = d.stealing().table();
  mailbox::shard& lost = d.mail().shard_at(0);
  mailbox::shard& given = d.mail().shard_at(ordinary + 1);
  REQUIRE(lost.owner.load() == 0);
  REQUIRE(given.owner.load() == 1);
  const bool has_messages = GENERATE(false, true);
  REQUIRE(table.exchange(1, given, lost, [](unsigned) {}));
  if (has_messages) static_cast<void>(lost.word.post_mail());
  dispatch::theft_counters counters;
  dispatch::home_shards<dispatch::dispatcher, mailbox::shard> home(d, 0);
  CHECK(home.bring_home(counters) == has_messages);
  CHECK(lost.owner.load() == 0);
  CHECK(counters.shards_returned.read() == 1);
  CHECK_FALSE(home.bring_home(counters));  // there is no other one
  CHECK(counters.shards_returned.read() == 1);
}

TEST_CASE("homes: a shard of a heavy actor that has messages is not given away for one that is lost", "[dispatch]") {
  constexpr std::uint32_t ordinary = 4;
  idle_dispatcher d(2, {ordinary, 2});
  mailbox::shard& lost = d.mail().shard_at(0);
  mailbox::shard& given = d.mail().shard_at(ordinary + 1);
  REQUIRE(d.stealing().table().exchange(1, given, lost, [](unsigned) {}));
  for (std::uint32_t n = ordinary; n < ordinary + 2; ++n) static_cast<void>(d.mail().shard_at(n).word.post_mail());
  dispatch::theft_counters counters;
  dispatch::home_shards<dispatch::dispatcher, mailbox::shard> home(d, 0);
  CHECK_FALSE(home.bring_home(counters));
  CHECK(lost.owner.load() == 1);
}

}  // namespace homes_test
