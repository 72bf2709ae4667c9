// Cells and records of timers: handed out, worn out, given back to the system, and passed on to engines yet to come.
#include "actors/cell_store.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "actors/timer_store.hpp"
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
  if (cache.empty()) cache.refill();
  return cache.take();
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
    cell_cache cache(store);
    worn = &take(cache);
    unsigned lives = 1;
    while (!worn->is_worn_out()) {
      last = port_of(*worn);
      REQUIRE(is_current(last));
      worn->next_generation(lives % 2 == 0);
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
        c->next_generation(n % 2 == 0);
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
  while (!worn->is_worn_out()) worn->next_generation(false);
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
    REQUIRE(index_of(port_of(c)) == 0);
    REQUIRE(&cell_of(port_of(c)) == &c);
    for (std::uint16_t ago = 1; ago <= lives; ++ago) {
      const auto generation = static_cast<std::uint16_t>(c.generation() - ago);
      REQUIRE(c.was_served(generation) == (ago <= cell::remembered_max && served[lives - ago]));
    }
    served.push_back(lives * lives % 7 < 3);
    const auto port = port_of(c);
    c.next_generation(served.back());
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

}  // namespace cell_store_test
