// Whether a thread holds several shards together, and where the messages of a lane go when it does so no more.
#include "dispatch/holding/lane_sharing.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "actors/cells/cell_store.hpp"
#include "dispatch/dispatcher.hpp"
#include "mailbox/envelope.hpp"
#include "support/catch.hpp"
#include "support/still_machine.hpp"
#include "tact/detail/message_type.hpp"
#include "topology/plan.hpp"

namespace lane_sharing_test {

namespace {

using namespace tact;
using route = mailbox::route;

struct numbered {
  unsigned number;
};

// Two workers without threads, four shards, and an exclusive actor in each shard; the fifth actor is parallel. A
// message takes as long as the test says.
struct fixture {
  static constexpr unsigned shards = 4;
  static constexpr unsigned parallel = shards;

  explicit fixture(unsigned nanoseconds = 10) : ns_per_message(nanoseconds) {
    store.take(cells);
    for (unsigned i = 0; i <= shards; ++i) {
      cells[i]->set_where(
          {i % shards, identity.number(), i == parallel ? route::kind::parallel : route::kind::exclusive});
    }
  }
  ~fixture() {
    let_go();
    store.give(cells);
  }
  // All messages, and all shards that are held.
  void let_go() {
    for (unsigned s = 0; s < shards; ++s) numbers_in(s);
    worker.held().separate();
    if (worker.held().is_any()) worker.held().end();
  }

  dispatch::lane_sharing sharing(bool joins) { return {worker, {meter, none_asleep, handled, joins}}; }
  // Beside the second worker, which is idle unless `sleeping` says something else.
  dispatch::lane_sharing sharing_beside_idle() { return {worker, {meter, asleep, handled, true}}; }
  mailbox::shard& shard(unsigned i) { return d.mail().shard_at(i); }
  void put(mailbox::copy_queue& queue, unsigned actor, unsigned number) {
    const auto& type = detail::message_type_of<numbered>;
    const auto to = actors::port_of(*cells[actor]);
    auto* const e = new (queue.reserve(type.slot_count(), worker.chunks())) mailbox::envelope(type, to);
    new (e->plain_payload()) numbered{number};
  }
  // The numbers of the messages in the lane of a shard, which is empty afterwards.
  std::vector<unsigned> numbers_in(unsigned i) { return numbers_in(shard(i).lane); }
  std::vector<unsigned> numbers_in(mailbox::copy_queue& queue) {
    std::vector<unsigned> all;
    while (!queue.empty()) {
      mailbox::envelope& e = queue.front();
      all.push_back(static_cast<const numbered*>(e.message())->number);
      queue.pop(e.slots(), worker.chunks());
    }
    return all;
  }
  // Holds the first shard and the third, with so many messages for the one behind so many for the other.
  mailbox::shard& hold_two(unsigned for_first, unsigned for_third) {
    worker.held().begin(shard(0));
    worker.held().add(shard(2));
    for (unsigned n = 0; n < for_first; ++n) put(shard(0).lane, 0, n);
    for (unsigned n = 0; n < for_third; ++n) put(shard(0).lane, 2, n);
    return shard(0);
  }
  // How many messages take so long.
  [[nodiscard]] std::uint64_t messages_in(std::uint64_t ns) const { return (ns + ns_per_message - 1) / ns_per_message; }
  // How many take as long as it takes to wake a worker, and to move to it what waits in the lane.
  [[nodiscard]] std::uint64_t worth_a_move(const mailbox::shard& held) const {
    return messages_in(20'000 + 150 * held.lane.slots_waiting());
  }
  // More messages than it takes to make them worth the while of another worker.
  [[nodiscard]] unsigned many() const { return 2 * (20'000 / ns_per_message + 1); }

  // Handlers that do nothing, until the meter takes them for quick, and knows how long they take.
  void run_quick_ones() {
    run_until([this] { return meter.is_quick() && meter.ns_per_message() == ns_per_message; });
  }
  void run_brief_ones() {
    run_until([this] { return meter.is_brief() && meter.ns_per_message() == ns_per_message; });
    REQUIRE_FALSE(meter.is_quick());
  }
  template <class Knows>
  void run_until(Knows knows) {
    for (int hold = 0; hold < 1'000 && !knows(); ++hold) {
      meter.begin_hold(0, {.is_measured = true});
      for (bool more = true; more;) {
        do machine.pass(std::chrono::nanoseconds(ns_per_message));
        while (!meter.step());
        if (meter.only_glances()) continue;
        meter.end_stretch(0);
        more = meter.next_stretch(0);
      }
      meter.end_hold(0);
    }
    REQUIRE(knows());
  }

  support::still_machine machine;
  const unsigned ns_per_message;
  actors::engine_identity identity;
  actors::cell_store store{identity.gate()};
  std::vector<actors::cell*> cells = std::vector<actors::cell*>(shards + 1);
  dispatch::dispatcher d{topology::plan(2), {shards}, &longest_victim};
  dispatch::worker_context& worker = *d.workers().front();
  dispatch::idle_set none{0};
  dispatch::cost_meter meter;
  dispatch::sleepers none_asleep{none, 0};
  dispatch::idle_set sleeping{2};
  dispatch::sleepers asleep{sleeping, 0};
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

TEST_CASE("lane sharing: an office's chunk for one actor is dealt out as it is, behind what came before",
          "[dispatch][law5]") {
  fixture f;
  f.worker.held().begin(f.shard(0));
  auto sharing = f.sharing(true);
  mailbox::office& from = f.d.mail().office_at(0);
  for (unsigned n = 0; n < 10; ++n) f.put(from.waiting, n % 2 * 2, n);  // for the first shard and the third
  mailbox::copy_queue more;
  for (unsigned n = 10; n < 100; ++n) f.put(more, 0, n);
  mailbox::chunk& whole = mailbox::chunk_of(more.write);
  const mailbox::copy_queue::chain published = more.take();
  whole.find_only_target();
  from.waiting.append(published.oldest, f.worker.chunks());
  mailbox::copy_queue& lane = f.shard(0).lane;
  sharing.deal_out(from, &f.shard(0));
  CHECK(from.waiting.empty());
  CHECK(&mailbox::chunk_of(lane.write) == &whole);
  const auto numbers = f.numbers_in(0);  // the third shard is held with the first one now
  CHECK(numbers.size() == 100);
  CHECK(std::is_sorted(numbers.begin(), numbers.end()));
}

TEST_CASE("lane sharing: what may run anywhere is not dealt out to a shard that is held while another one is not",
          "[dispatch][law7]") {
  fixture f;
  auto sharing = f.sharing(true);
  mailbox::office& from = f.d.mail().office_at(0);  // of the first shard and the third
  const auto deal_out_twelve = [&] {
    for (unsigned n = 0; n < 12; ++n) f.put(from.waiting, f.parallel, n);
    sharing.deal_out(from, nullptr);
    std::array<std::size_t, fixture::shards> came{};
    for (unsigned s = 0; s < fixture::shards; ++s) came[s] = f.numbers_in(f.worker.outboxes().open(s).queue).size();
    return came;
  };
  const auto of = [](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    return std::array<std::size_t, fixture::shards>{a, b, c, d};
  };
  CHECK(deal_out_twelve() == of(6, 0, 6, 0));
  REQUIRE(f.shard(2).word.try_hold());
  CHECK(deal_out_twelve() == of(12, 0, 0, 0));
  REQUIRE(f.shard(0).word.try_hold());
  CHECK(deal_out_twelve() == of(0, 6, 0, 6));
  REQUIRE(f.shard(1).word.try_hold());
  CHECK(deal_out_twelve() == of(0, 0, 0, 12));
  REQUIRE(f.shard(3).word.try_hold());
  CHECK(deal_out_twelve() == of(6, 0, 6, 0));
  for (unsigned s = 0; s < f.shards; ++s) static_cast<void>(f.shard(s).word.release());
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

TEST_CASE("lane sharing: shards are held together whether or not another worker is idle", "[dispatch]") {
  fixture f;
  f.worker.held().begin(f.shard(0));
  f.run_quick_ones();
  CHECK(f.sharing_beside_idle().may_join(f.shard(0)));
}

TEST_CASE("lane sharing: a lane is divided once it has gone on beside an idle worker for as long as that costs",
          "[dispatch]") {
  fixture f;
  f.run_quick_ones();
  const mailbox::shard& held = f.hold_two(f.many(), f.many());
  auto sharing = f.sharing_beside_idle();
  CHECK(sharing.may_stay_joined(held));
  f.handled += f.worth_a_move(held) - 1;
  CHECK(sharing.may_stay_joined(held));
  f.handled += 1;
  CHECK_FALSE(sharing.may_stay_joined(held));
}

TEST_CASE("lane sharing: while no worker is idle a lane is not divided, and that time does not count", "[dispatch]") {
  fixture f;
  f.run_quick_ones();
  const mailbox::shard& held = f.hold_two(f.many(), f.many());
  auto sharing = f.sharing_beside_idle();
  const auto no_worker_is_idle_for = [&](std::uint64_t messages) {
    for (unsigned w = 0; w < 2; ++w) f.sleeping.remove(w);
    f.handled += messages;
    CHECK(sharing.may_stay_joined(held));
    f.sleeping.add(1);
  };
  no_worker_is_idle_for(100 * f.worth_a_move(held));
  f.handled += f.worth_a_move(held) - 1;
  CHECK(sharing.may_stay_joined(held));
  f.handled += 1;
  CHECK_FALSE(sharing.may_stay_joined(held));
}

TEST_CASE("lane sharing: that a worker is idle now and then adds up", "[dispatch]") {
  fixture f;
  f.run_quick_ones();
  const mailbox::shard& held = f.hold_two(f.many(), f.many());
  auto sharing = f.sharing_beside_idle();
  bool stays = true;
  for (std::uint64_t beside = 2; beside < f.worth_a_move(held); ++beside) {
    ++f.handled;
    stays = stays && sharing.may_stay_joined(held);
    f.sleeping.remove(0);
    f.sleeping.remove(1);
    f.handled += 10;
    stays = stays && sharing.may_stay_joined(held);
    f.sleeping.add(1);
  }
  CHECK(stays);
  f.handled += 2;
  CHECK_FALSE(sharing.may_stay_joined(held));
}

TEST_CASE("lane sharing: a lane is short while to run it takes less time than to wake a worker", "[dispatch]") {
  fixture f;
  f.worker.held().begin(f.shard(0));
  f.run_quick_ones();
  const auto sharing = f.sharing(true);
  mailbox::copy_queue& lane = f.shard(0).lane;
  CHECK(sharing.is_short(lane));
  while (lane.slots_waiting() < 20'000 / f.ns_per_message) f.put(lane, 0, 0);
  CHECK(sharing.is_short(lane));
  f.put(lane, 0, 0);
  CHECK_FALSE(sharing.is_short(lane));
}

TEST_CASE("lane sharing: a lane with little for others is divided when it has gone on long, later each time",
          "[dispatch]") {
  fixture f(GENERATE(1u, 10u, 33u, 57u, 60u));
  f.run_quick_ones();
  constexpr unsigned few = mailbox::chunk::capacity_slots / 2;
  auto sharing = f.sharing_beside_idle();
  const auto goes_on_for = [&](unsigned times) {  // as long as a division costs
    mailbox::shard& held = f.hold_two(few, few);
    const auto patience_ns = times * dispatch::sharing_policy::price_of_division(held.lane.slots_waiting());
    REQUIRE_FALSE(f.meter.worth_sharing(held.lane.slots_waiting()));
    REQUIRE(f.worth_a_move(held) < f.messages_in(patience_ns));
    f.handled += f.messages_in(patience_ns) - 1;
    CHECK(sharing.may_stay_joined(held));
    f.handled += 1;
    CHECK_FALSE(sharing.may_stay_joined(held));
    sharing.separate(held);
    f.let_go();
  };
  for (unsigned times = 10; times <= 640; times *= 2) goes_on_for(times);
  // From then on it takes the longest; and it is forgotten when no such lane was divided for long.
  goes_on_for(640);
  goes_on_for(640);
  for (unsigned w : {0u, 1u}) f.sleeping.remove(w);
  f.handled += f.messages_in(17 * 640 * dispatch::sharing_policy::price_of_division(2 * few));
  CHECK(sharing.may_stay_joined(f.shard(0)));
  for (unsigned w : {0u, 1u}) f.sleeping.add(w);
  goes_on_for(10);
}

TEST_CASE("lane sharing: a lane with nothing for others is never divided beside an idle worker", "[dispatch]") {
  fixture f;
  f.run_quick_ones();
  const mailbox::shard& held = f.hold_two(2 * f.many(), 0);
  auto sharing = f.sharing_beside_idle();
  f.handled += 100 * (f.worth_a_move(held) + f.messages_in(10'000'000));
  CHECK(sharing.may_stay_joined(held));
}

// With a sanitizer nothing counts as brief that is not quick.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("lane sharing: brief messages are held together while no worker is idle, and divided as soon as one is",
          "[dispatch]") {
  fixture f(1'000);
  f.run_brief_ones();
  mailbox::shard& held = f.hold_two(1, 1);
  CHECK(f.sharing(true).may_join(held));
  CHECK(f.sharing(true).may_stay_joined(held));
  CHECK_FALSE(f.sharing_beside_idle().may_join(held));
  CHECK_FALSE(f.sharing_beside_idle().may_stay_joined(held));
}

TEST_CASE(
    "lane sharing: the only worker that runs holds brief messages together, and longer ones only if no other rests",
    "[dispatch]") {
  const unsigned ns = GENERATE(1'000u, 5'000u);
  fixture f(ns);
  f.run_until([&] { return f.meter.ns_per_message() < ns + 100; });
  REQUIRE(f.d.run_only(1));
  CHECK(f.sharing_beside_idle().may_join(f.hold_two(1, 1)) == (ns == 1'000));
}
#endif

TEST_CASE("lane sharing: after a lane was divided it may go on for as long again", "[dispatch]") {
  fixture f;
  f.run_quick_ones();
  mailbox::shard& held = f.hold_two(f.many(), f.many());
  auto sharing = f.sharing_beside_idle();
  f.handled += f.worth_a_move(held);
  REQUIRE_FALSE(sharing.may_stay_joined(held));
  sharing.separate(held);
  for (unsigned n = 0; n < f.many(); ++n) f.put(held.lane, 2, n);
  CHECK(sharing.may_stay_joined(held));
  f.handled += f.worth_a_move(held);
  CHECK_FALSE(sharing.may_stay_joined(held));
}

TEST_CASE("lane sharing: a lane is divided at once when another number of workers runs, and when a handler is slow",
          "[dispatch]") {
  fixture f;
  CHECK_FALSE(f.sharing(true).may_stay_joined(f.shard(0)));  // nothing is measured, so they count as slow
  f.run_quick_ones();
  mailbox::shard& held = f.hold_two(1, 1);
  auto sharing = f.sharing(true);
  CHECK(sharing.may_stay_joined(held));
  REQUIRE(f.d.run_only(1));
  CHECK_FALSE(sharing.may_stay_joined(held));
  sharing.separate(held);
  CHECK(sharing.may_stay_joined(held));
  REQUIRE(f.d.run_only(2));
  CHECK_FALSE(sharing.may_stay_joined(held));
}

}  // namespace lane_sharing_test
