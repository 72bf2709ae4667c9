// Whether a thread holds several shards together, and where the messages of a lane go when it does so no more.
#include "dispatch/lane_sharing.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "actors/cell_store.hpp"
#include "dispatch/dispatcher.hpp"
#include "mailbox/envelope.hpp"
#include "support/catch.hpp"
#include "tact/detail/message_type.hpp"
#include "topology/plan.hpp"

namespace lane_sharing_test {

namespace {

using namespace tact;
using route = mailbox::route;

struct numbered {
  unsigned number;
};

// Two workers without threads, four shards, and an exclusive actor in each shard; the fifth actor is parallel.
struct fixture {
  static constexpr unsigned shards = 4;
  static constexpr unsigned parallel = shards;

  fixture() {
    store.take(cells);
    for (unsigned i = 0; i <= shards; ++i) {
      cells[i]->set_where(
          {i % shards, identity.number(), i == parallel ? route::kind::parallel : route::kind::exclusive});
    }
  }
  ~fixture() {
    for (unsigned s = 0; s < shards; ++s) numbers_in(s);
    worker.held().separate();
    worker.held().end();
    store.give(cells);
  }

  dispatch::lane_sharing sharing(bool joins) { return {worker, {meter, none_asleep, handled, joins}}; }
  mailbox::shard& shard(unsigned i) { return d.mail().shard_at(i); }
  void put(mailbox::copy_queue& queue, unsigned actor, unsigned number) {
    const auto& type = detail::message_type_of<numbered>;
    const auto to = actors::port_of(*cells[actor]);
    auto* const e = new (queue.reserve(type.slot_count(), worker.chunks())) mailbox::envelope(type, to);
    new (e->plain_payload()) numbered{number};
  }
  // The numbers of the messages in the lane of a shard, which is empty afterwards.
  std::vector<unsigned> numbers_in(unsigned i) {
    mailbox::copy_queue& lane = shard(i).lane;
    std::vector<unsigned> all;
    while (!lane.empty()) {
      mailbox::envelope& e = lane.front();
      all.push_back(static_cast<const numbered*>(e.message())->number);
      lane.pop(e.slots(), worker.chunks());
    }
    return all;
  }
  // Handlers that do nothing, until the meter takes them for quick.
  void run_quick_ones() {
    for (int hold = 0; hold < 10'000 && !meter.is_quick(); ++hold) {
      meter.begin_hold(0, true);
      for (bool more = true; more;) {
        while (!meter.step()) {
        }
        if (!meter.only_glances()) more = meter.next_stretch(0);
      }
      meter.end_hold(0);
    }
    REQUIRE(meter.is_quick());
  }

  actors::engine_identity identity;
  actors::cell_store store{identity.gate()};
  std::vector<actors::cell*> cells = std::vector<actors::cell*>(shards + 1);
  dispatch::dispatcher d{topology::plan(2, false), {shards}, &longest_victim};
  dispatch::worker_context& worker = *d.workers().front();
  dispatch::idle_set none{0};
  dispatch::cost_meter meter;
  dispatch::sleepers none_asleep{none, 0};
  std::uint64_t handled = 0;
};

}  // namespace

TEST_CASE(
    "lane sharing: a message is bound for the shard of its exclusive actor, and one for a parallel actor for none",
    "[dispatch]") {
  fixture f;
  f.worker.held().begin(f.shard(0));
  auto sharing = f.sharing(true);
  mailbox::copy_queue& lane = f.shard(0).lane;
  for (unsigned actor = 0; actor <= f.shards; ++actor) {
    f.put(lane, actor, 0);
    CHECK(sharing.first_in(lane) == (actor == f.parallel ? std::nullopt : std::optional<std::uint32_t>(actor)));
    f.numbers_in(0);
  }
}

TEST_CASE("lane sharing: a lane is divided in its order, and what may run anywhere stays", "[dispatch][law5]") {
  fixture f;
  f.worker.held().begin(f.shard(0));
  f.worker.held().add(f.shard(2));
  auto sharing = f.sharing(true);
  for (unsigned n = 0; n < 1000; ++n) f.put(f.shard(0).lane, std::array{0U, 2U, f.parallel}[n % 3], n);
  sharing.separate(f.shard(0));
  const auto stayed = f.numbers_in(0);
  const auto moved = f.numbers_in(2);
  CHECK(stayed.size() + moved.size() == 1000);
  for (const unsigned n : moved) CHECK(n % 3 == 1);
  CHECK(std::is_sorted(stayed.begin(), stayed.end()));
  CHECK(std::is_sorted(moved.begin(), moved.end()));
}

TEST_CASE("lane sharing: shards are held together only by a thread that may, and once its handlers are quick",
          "[dispatch]") {
  fixture f;
  f.worker.held().begin(f.shard(0));
  CHECK_FALSE(f.sharing(true).may_join(f.shard(0)));  // nothing is measured yet
  f.run_quick_ones();
  CHECK(f.sharing(true).may_join(f.shard(0)));
  CHECK_FALSE(f.sharing(false).may_join(f.shard(0)));
}

TEST_CASE("lane sharing: after a lane was divided, no shard joins before as many messages were run as lay there",
          "[dispatch]") {
  fixture f;
  f.worker.held().begin(f.shard(0));
  f.run_quick_ones();
  auto sharing = f.sharing(true);
  f.handled = 7;
  for (unsigned n = 0; n < 100; ++n) f.put(f.shard(0).lane, 0, n);
  sharing.separate(f.shard(0));
  f.handled += 99;
  CHECK_FALSE(sharing.may_join(f.shard(0)));
  f.handled += 1;
  CHECK(sharing.may_join(f.shard(0)));
}

}  // namespace lane_sharing_test
