// Which sends are written into the lane without another look, without an engine.
#include "actors/staging/staging_filter.hpp"

#include <cstdlib>
#include <cstring>

#include "support/catch.hpp"

namespace staging_filter_test {

namespace {

using tact::actors::staging_filter;
using tact::detail::port;
using tact::detail::queue_tail;
using tact::detail::route_words;
using tact::mailbox::route;
using kind = tact::mailbox::route::kind;

constexpr std::uint16_t here = 7;
constexpr std::uint16_t elsewhere = 8;
constexpr std::uint8_t held[] = {0, 1};  // of two shards the second one is held

// Memory in which the routes of cells are found.
std::uintptr_t region() {
  static void* const only = std::memset(std::aligned_alloc(route_words::region_bytes, route_words::region_bytes), 0,
                                        route_words::region_bytes);
  return reinterpret_cast<std::uintptr_t>(only);
}

struct filter : staging_filter {
  explicit filter(bool own_only = false) : staging_filter(here, own_only) {
    lane = &own_lane;
    tails = known;
    held_shards = held;
    shards = std::size(held);
    keep_all();
  }
  // Where a message for an actor with that route is written without another look.
  [[nodiscard]] const queue_tail* leads(route r) {
    route_words::of_run(actor).store(is_in_run ? r.bits() : 0);
    route_words::of_cell(actor).store(is_in_run ? 0 : r.bits());
    return &tail_for(actor);
  }
  [[nodiscard]] bool keeps_to(std::uint32_t shard, std::uint16_t engine, kind k) {
    return leads(route(shard, engine, k)) == &own_lane;
  }

  bool is_in_run = false;
  port actor = region() + 5 * route_words::slab_bytes + 700 * route_words::line_bytes;
  queue_tail own_lane;
  queue_tail outbox;
  queue_tail* known[2] = {&outbox, &own_lane};
};

}  // namespace

TEST_CASE("staging filter: it keeps what is for a shard that is held, and what any worker may run", "[actor]") {
  filter f;
  const bool expects_to_stay = GENERATE(false, true);
  if (expects_to_stay) f.expected = &f.own_lane;
  f.is_in_run = GENERATE(false, true);
  CHECK(f.keeps_to(1, here, kind::exclusive));
  CHECK(f.leads(route(0, here, kind::exclusive)) == &f.outbox);
  if (!f.is_in_run) CHECK(f.keeps_to(0, here, kind::parallel));
  // For these there is never room.
  CHECK(f.leads(route(1, elsewhere, kind::exclusive)) == &f.closed);
  CHECK(f.leads(route(1, elsewhere, kind::parallel)) == &f.closed);
  CHECK(f.leads(route(1, here, kind::exclusive).limited()) == &f.closed);  // its mailbox has a limit
  CHECK(f.leads(route(2, here, kind::exclusive)) == &f.closed);            // there is no such shard
}

TEST_CASE("staging filter: a thread that runs one shard only keeps nothing for parallel actors", "[actor]") {
  filter f(true);
  CHECK(f.keeps_to(1, here, kind::exclusive));
  CHECK_FALSE(f.keeps_to(1, here, kind::parallel));
}

TEST_CASE("staging filter: while every send is looked at none is kept, and then all are as before", "[actor][law8]") {
  filter f;
  f.look_at_all();
  CHECK(f.looks_at_all());
  CHECK_FALSE(f.keeps_to(1, here, kind::exclusive));
  f.look_at_parallel_no_more();  // no worker sleeps any more: that ends nothing while every send is looked at
  CHECK_FALSE(f.keeps_to(0, here, kind::parallel));
  CHECK_FALSE(f.keeps_to(1, here, kind::exclusive));
  f.look_at_all_no_more();
  CHECK(f.keeps_to(1, here, kind::exclusive));
  f.look_at_parallel();
  CHECK_FALSE(f.keeps_to(0, here, kind::parallel));
  CHECK(f.keeps_to(1, here, kind::exclusive));
  f.look_at_parallel_no_more();
  CHECK(f.keeps_to(0, here, kind::parallel));
}

TEST_CASE("staging filter: an exclusive actor of this engine is known by its route", "[actor]") {
  filter f;
  for (const bool looks : {false, true}) {
    if (looks) f.look_at_all();
    CHECK(f.is_exclusive_here(route(0, here, kind::exclusive)));
    CHECK_FALSE(f.is_exclusive_here(route(0, here, kind::parallel)));
    CHECK_FALSE(f.is_exclusive_here(route(0, elsewhere, kind::exclusive)));
  }
}

}  // namespace staging_filter_test
