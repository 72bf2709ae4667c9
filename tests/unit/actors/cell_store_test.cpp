// Cells and records of timers: handed out, worn out, given back to the system, and passed on to engines yet to come.
#include "actors/cells/cell_store.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "actors/time/timer_store.hpp"
#include "support/catch.hpp"

namespace cell_store_test {

namespace {

using namespace tact::actors;
using tact::detail::timer_record;

std::vector<cell*> take(cell_store& store, unsigned count) {
  std::vector<cell*> all(count);
  store.take(all);
  return all;
}

cell& take(cell_cache& cache) {
  if (cache.single.empty()) cache.single.refill();
  return cache.single.take();
}

}  // namespace

TEST_CASE("cell store: gives each cell to one taker, and takes it back", "[actor]") {
  const engine_identity identity;
  engine_gate& gate = identity.gate();
  {
    cell_store store(gate);
    const auto all = take(store, 3000);
    REQUIRE(all.size() == 3000);
    CHECK(std::set<cell*>(all.begin(), all.end()).size() == 3000);
    for (cell* c : all) {
      CHECK(reinterpret_cast<std::uintptr_t>(c) % 64 == 0);
      CHECK(cell_region::of(*c).gate.load() == &gate);
      CHECK(c->word.load().is_ended());
      CHECK(is_current(port_of(*c)));
    }
    const auto held = store.bytes_held();
    CHECK(held >= 3000 * sizeof(cell));
    store.give(all);
    const auto again = take(store, 3000);
    CHECK(std::set<cell*>(again.begin(), again.end()) == std::set<cell*>(all.begin(), all.end()));
    CHECK(store.bytes_held() == held);
  }
}

TEST_CASE("cell store: a cell at its last generation is never given out again", "[actor]") {
  const engine_identity identity;
  engine_gate& gate = identity.gate();
  cell* worn = nullptr;
  tact::detail::port last = 0;
  {
    cell_store store(gate);
    cell_cache cache(store, 8);
    worn = &take(cache);
    unsigned lives = 1;
    while (!worn->is_worn_out()) {
      last = port_of(*worn);
      REQUIRE(is_current(last));
      lives % 2 == 0 ? worn->next_generation_served() : worn->next_generation();
      REQUIRE_FALSE(is_current(last));
      cache.give(*worn);
      if (worn->is_worn_out()) break;
      cell* next = &take(cache);
      for (; next != worn; next = &take(cache)) cache.give(*next);  // it comes back behind all others
      ++lives;
    }
    CHECK(lives > 60'000);
    for (int i = 0; i < 5000; ++i) REQUIRE(&take(cache) != worn);
    for (cell* c : take(store, 100)) REQUIRE(c != worn);
  }
  // Nor by the engines that use its region later.
  for (int engine = 0; engine < 3; ++engine) {
    cell_store store(gate);
    for (cell* c : take(store, 6000)) REQUIRE(c != worn);
    CHECK_FALSE(is_current(last));
  }
}

TEST_CASE("cell store: pages of which all cells are free go back, and no old address fits a cell of theirs",
          "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  std::set<tact::detail::port> old;
  std::uint64_t held = 0;
  for (int round = 0; round < 3; ++round) {
    const auto all = take(store, 100'000);
    held = store.bytes_held();
    CHECK(held >= all.size() * sizeof(cell));
    std::uint16_t lives = 0;
    unsigned repeated = 0;
    for (cell* c : all) {
      for (unsigned n = 1 + ++lives % 3; n != 0; --n) {
        repeated += !old.insert(port_of(*c)).second;
        n % 2 == 0 ? c->next_generation_served() : c->next_generation();
      }
    }
    cell* const kept = all[all.size() / 2];
    const auto of_kept = port_of(*kept);
    for (cell* c : all) {
      if (c != kept) store.give({&c, 1});
    }
    unsigned pieces = 0;
    while (store.rest()) ++pieces;
    CHECK(pieces >= 40);  // each of them is short
    CHECK(store.bytes_held() <= held / 4);
    CHECK(repeated == 0);
    CHECK(is_current(of_kept));
    CHECK(std::none_of(old.begin(), old.end(), [](auto p) { return is_current(p); }));
    store.give({&kept, 1});
  }
  unsigned found = 0;
  store.for_each([&](const cell& c) { found += !c.word.load().is_ended(); });
  CHECK(found == 0);
}

TEST_CASE("cell store: a page with a worn-out cell is not used again once it has gone back", "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  auto all = take(store, 60'000);
  cell* const worn = all[30'000];
  while (!worn->is_worn_out()) worn->next_generation();
  store.give(all);
  while (store.rest()) {
  }
  for (cell* c : take(store, 60'000)) {
    REQUIRE(reinterpret_cast<std::uintptr_t>(c) / region_page_bytes !=
            reinterpret_cast<std::uintptr_t>(worn) / region_page_bytes);
  }
  CHECK(worn->generation() == 0);  // a cell of zeros: no port equals its name
}

TEST_CASE("timer store: records of pages that have gone back bear keys that no handle has", "[actor]") {
  const engine_identity identity;
  timer_store store(identity.gate());
  timer_cache cache(store);
  std::vector<std::pair<timer_record*, std::uint64_t>> old;
  for (int round = 0; round < 4; ++round) {
    std::vector<timer_record*> all;
    for (int i = 0; i < 50'000; ++i) all.push_back(&cache.take());
    const std::uint64_t held = store.bytes_held();
    unsigned wrong = 0;
    CHECK(held >= all.size() * sizeof(timer_record));
    for (timer_record* r : all) {
      const auto key = r->word.begin();
      wrong += !r->word.arm(key);
      old.emplace_back(r, key);
    }
    for (std::size_t i = 0; i < old.size(); ++i)
      wrong += old[i].first->word.may_fire(old[i].second) != (i >= old.size() - all.size());
    for (timer_record* r : all) {
      r->word.end(r->word.key_of_held());
      cache.give(*r);
    }
    cache.trim();
    while (store.rest()) {
    }
    CHECK(store.bytes_held() <= held / 3);
    for (const auto& [r, key] : old) wrong += r->word.cancel(key) != timer_record::word_type::cancelling::too_late;
    CHECK(wrong == 0);
  }
}

TEST_CASE("cell store: regions go to the next engine, where no address of the last one is current", "[actor]") {
  const engine_identity identity;
  engine_gate& gate = identity.gate();
  std::vector<tact::detail::port> old;
  std::set<cell_region*> regions;
  {
    cell_store store(gate);
    for (cell* c : take(store, 2000)) {
      old.push_back(port_of(*c));
      regions.insert(&cell_region::of(*c));
    }
  }
  for (cell_region* s : regions) CHECK(s->gate.load() == nullptr);
  for (const auto p : old) REQUIRE_FALSE(is_current(p));
  {
    cell_store store(gate);
    std::set<cell_region*> next;
    for (cell* c : take(store, 2000)) next.insert(&cell_region::of(*c));
    CHECK(std::includes(next.begin(), next.end(), regions.begin(), regions.end()));
    CHECK(store.allocations() == 0);
    for (const auto p : old) REQUIRE_FALSE(is_current(p));
  }
}

TEST_CASE("engine identity: numbers and gates are distinct while they are in use, and used again", "[actor]") {
  std::optional<engine_identity> first(std::in_place);
  const engine_identity second;
  CHECK(first->number() != 0);
  CHECK(first->number() != second.number());
  CHECK(&first->gate() != &second.gate());
  const auto number = first->number();
  first.reset();
  const engine_identity third;
  CHECK(third.number() == number);
}

TEST_CASE("cell: nobody's cell is nobody's for ever", "[actor]") {
  CHECK(&cell_of(or_nobody(0)) == &nobody());
  CHECK(&cell_of(or_nobody(5)) == &nobody());
  CHECK_FALSE(is_current(or_nobody(0)));
  CHECK(nobody().word.load().is_ended());
}

TEST_CASE("cell: remembers of the last six that were in it who was served", "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  cell& c = *take(store, 1)[0];
  std::vector<bool> served;
  for (std::uint16_t lives = 0; lives < 100; ++lives) {
    REQUIRE(is_current(port_of(c)));
    REQUIRE(tact::actors::index_of(port_of(c)) == 0);
    REQUIRE(&cell_of(port_of(c)) == &c);
    for (std::uint16_t ago = 1; ago <= lives; ++ago) {
      const auto generation = static_cast<std::uint16_t>(c.generation() - ago);
      REQUIRE(c.was_served(generation) == (ago <= cell::remembered_max && served[lives - ago]));
    }
    served.push_back(lives * lives % 7 < 3);
    const auto port = port_of(c);
    served.back() ? c.next_generation_served() : c.next_generation();
    REQUIRE_FALSE(is_current(port));
    REQUIRE(last_port_of(c) == port);
  }
}

TEST_CASE("cell: senders find its route in the slab, and no other cell's", "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  const auto cells = take(store, cell_region::slab_cells + 1);  // so of two slabs
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    cells[i]->set_where({i, identity.number(),
                         i % 2 == 0 ? tact::mailbox::route::kind::parallel : tact::mailbox::route::kind::exclusive});
  }
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    CHECK(tact::mailbox::route_of(port_of(*cells[i])).shard() == i);
    CHECK(tact::mailbox::route_of(port_of(*cells[i]) | 5).bits() == cells[i]->where().bits());
  }
  CHECK(cell_region::of(*cells[0]).gate.load() == &identity.gate());
}

namespace {

using tact::mailbox::route;

route in_shard(std::uint32_t shard, const engine_identity& of) { return {shard, of.number(), route::kind::exclusive}; }
// Takes one cell for an actor of that shard, whose office is the shard modulo two.
cell& take_in(cell_store& store, std::uint32_t shard, const engine_identity& of) {
  cell* one;
  store.take_in(in_shard(shard, of), shard % 2, {&one, 1});
  one->set_where_in_run(in_shard(shard, of));
  return *one;
}
std::uintptr_t run_of(const cell& c) {
  return reinterpret_cast<std::uintptr_t>(&c) / tact::detail::route_words::run_bytes;
}

}  // namespace

TEST_CASE("cell store: exclusive actors of a shard lie in runs, whose route is that of the shard", "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  std::map<std::uintptr_t, std::uint32_t> shard_of;  // by run
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const std::uint32_t shard = i * i % 7;
    cell& c = take_in(store, shard, identity);
    REQUIRE(c.is_in_run());
    REQUIRE(c.shard_of_run() == shard);
    REQUIRE(tact::mailbox::route_of(port_of(c) | 3).bits() == in_shard(shard, identity).bits());
    REQUIRE(shard_of.emplace(run_of(c), shard).first->second == shard);
    for (const cell* single : take(store, 1)) REQUIRE_FALSE(single->is_in_run());
  }
  std::map<std::uintptr_t, std::set<std::uint32_t>> offices;  // by page
  for (const auto& [run, shard] : shard_of) offices[run / cell_region::page_runs].insert(shard % 2);
  for (const auto& [page, of_page] : offices) CHECK(of_page.size() == 1);
}

TEST_CASE("cell store: ten thousand actors in a thousand shards take 2 MiB more than in sixteen at most", "[actor]") {
  const engine_identity identity;
  std::uint64_t few = 0;
  for (const std::uint32_t shards : {16U, 1024U}) {
    cell_store store(identity.gate());
    for (std::uint32_t i = 0; i < 10'000; ++i) static_cast<void>(take_in(store, i % shards, identity));
    if (shards == 16) few = store.bytes_held();
    if (shards == 1024) CHECK(store.bytes_held() < few + 2 * 1024 * 1024);
  }
}

TEST_CASE("cell store: a cell goes back to its shard, and a run of which all cells are free to any", "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  std::vector<cell*> all;
  std::set<tact::detail::port> old;
  for (std::uint32_t round = 0; round < 3; ++round) {
    all.clear();
    for (std::uint32_t i = 0; i < 60'000; ++i) all.push_back(&take_in(store, i % 3 + 3 * (round % 2), identity));
    unsigned repeated = 0;
    for (cell* c : all) {
      repeated += !old.insert(port_of(*c)).second;
      c->next_generation();
    }
    CHECK(repeated == 0);
    cell* const kept = all[all.size() / 2];
    const std::uint32_t shard = kept->shard_of_run();
    for (cell* c : all) {
      if (c != kept) store.give({&c, 1});
    }
    std::set<cell*> again;
    for (int i = 0; i < 100; ++i) again.insert(&take_in(store, shard, identity));
    for (cell* c : again) {
      CHECK(std::find(all.begin(), all.end(), c) != all.end());
      store.give({&c, 1});
    }
    const auto held = store.bytes_held();
    while (store.rest()) {
    }
    CHECK(store.bytes_held() <= held / 2);
    CHECK(kept->is_in_run());  // it is in use
    CHECK(kept->shard_of_run() == shard);
    store.give({&kept, 1});
  }
}

TEST_CASE("cell cache: gives back to the store what is too much, and what is in a run to its shard", "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  {
    cell_cache cache(store, 8);
    std::vector<cell*> all;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
      const std::uint32_t shard = i % 8;
      if (!cache.in_runs.has(shard)) cache.in_runs.refill(in_shard(shard, identity), shard % 2);
      all.push_back(&cache.in_runs.take(shard));
      REQUIRE(all.back()->shard_of_run() == shard);
    }
    CHECK(std::set<cell*>(all.begin(), all.end()).size() == all.size());
    for (cell* c : all) cache.give(*c);
  }
  std::set<cell*> free;
  const auto held = store.bytes_held();
  for (std::uint32_t i = 0; i < 10'000; ++i) free.insert(&take_in(store, i % 8, identity));
  CHECK(free.size() == 10'000);
  CHECK(store.bytes_held() == held);
}

TEST_CASE("cell store: a worn-out cell of a run is never given out again", "[actor]") {
  const engine_identity identity;
  cell_store store(identity.gate());
  cell_cache cache(store, 1);
  cache.in_runs.refill(in_shard(0, identity), 0);
  cell* const worn = &cache.in_runs.take(0);
  while (!worn->is_worn_out()) worn->next_generation();
  cache.give(*worn);
  for (int i = 0; i < 1000; ++i) {
    if (!cache.in_runs.has(0)) cache.in_runs.refill(in_shard(0, identity), 0);
    REQUIRE(&cache.in_runs.take(0) != worn);
  }
}

TEST_CASE("cell store: the next engine finds no route of the last one", "[actor]") {
  tact::detail::port old = 0;
  {
    const engine_identity identity;
    cell_store store(identity.gate());
    old = port_of(take_in(store, 5, identity));
    CHECK(tact::mailbox::route_of(old).shard() == 5);
  }
  CHECK(tact::mailbox::route_of(old).bits() == route().bits());
}

}  // namespace cell_store_test
