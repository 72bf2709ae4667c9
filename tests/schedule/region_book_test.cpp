// Pages of cells under every kind of schedule: they are given back and used again while others look at old addresses.
#include "actors/cells/region_book.hpp"

#include <array>

#include "actors/cells/cell_word.hpp"
#include "support/explorer_checks.hpp"
#include "tools/explorer/simulated.hpp"

namespace region_book_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;

struct alignas(8) body {
  unsigned whose = 0;
};
using cell_word = actors::cell_word<simulated, body>;

// As actors::cell: the name is that of the actor that is here, and a cell of zeros has none.
struct model_cell {
  cell_word word;
  simulated::atomic<std::uint64_t> name{0};
};

// Two pages, of which the first is never given back, with a cell in the second.
struct model_region {
  using record = model_cell;
  struct place {
    unsigned page;
    unsigned index;
  };
  static constexpr unsigned pages = 2;
  static constexpr unsigned group_pages = 2;
  static constexpr unsigned pages_at_front = 1;
  static constexpr std::uint64_t first_stamp = 1;
  static constexpr std::uint64_t last_stamp = 100;

  static constexpr std::uint64_t records_in(unsigned page) { return page; }
  static model_cell& at(model_region& r, unsigned, unsigned) { return r.only; }
  static place place_of(const model_cell&) { return {1, 0}; }
  static std::uint64_t stamp_of(const model_cell& c) { return c.name.load(std::memory_order_relaxed); }
  static std::uint64_t stamp_after(const model_cell& c) { return stamp_of(c) + 1; }
  static void wake(model_cell& c, std::uint64_t stamp) {
    c.word.wake();
    c.name.store(stamp, std::memory_order_relaxed);
  }
  static void wipe(model_cell& c) {
    c.name.store(0, std::memory_order_relaxed);
    c.word.wipe();
  }
  void leave_group(unsigned) {}
  bool give_back(unsigned, unsigned) {
    wipe(only);
    return true;
  }

  model_cell only;
};

// One thread makes actors in a cell, one after the other, and gives its page back in between. The others look at the
// cell by the addresses of all of them, as a worker does that has a message.
class reused : public explorer::scenario {
 public:
  explicit reused(unsigned readers = 1) : readers_(readers) {
    model_region::wipe(region_.only);
    for (unsigned i = 0; i < actors; ++i) bodies_.at(i).whose = i;
  }
  void name(explorer::names& called) override { called.add(region_.only, "cell"); }
  unsigned thread_count() const override { return readers_ + 1; }
  std::string thread_name(unsigned index) const override { return index == 0 ? "engine" : "reader"; }
  void thread(unsigned index) override {
    if (index != 0) return read();
    for (unsigned i = 0; i < actors; ++i) live(i);
  }
  void at_end() override { check(!book_.has_free(), "a cell is free twice"); }

 private:
  static constexpr unsigned actors = 3;

  void live(unsigned i) {
    model_cell* c = nullptr;
    book_.take_page([&](model_cell& free) { c = &free; });
    const std::uint64_t name = c->name.load(std::memory_order_relaxed);
    c->word.install_home(&bodies_.at(i));
    names_.at(i).store(name);
    static_cast<void>(book_.rest(0));
    check(c->name.load() == name && c->word.load().closure() == &bodies_.at(i), "an actor has lost its page");
    c->name.store(name + 1, std::memory_order_relaxed);
    c->word.end_home();
    book_.put(*c);
    check(book_.rest(0), "a page without actors stays");
  }
  void read() {
    for (unsigned i = 0; i < actors; ++i) {
      const std::uint64_t name = names_.at(i).load();
      if (name == 0) continue;
      const cell_word::value seen = region_.only.word.load();
      const bool is_dead = region_.only.name.load(std::memory_order_relaxed) != name || seen.is_ended();
      check(is_dead || seen.closure() == &bodies_.at(i), "a message for an actor that has ended came to another one");
    }
  }

  const unsigned readers_;
  model_region region_;
  actors::region_book<simulated, model_region> book_{region_};
  std::array<body, actors> bodies_;
  std::array<simulated::atomic<std::uint64_t>, actors> names_{};
};

}  // namespace

TEST_CASE("region book: an old address fits no actor in a page that was given back", "[actor][schedule][law13]") {
  support::require_holds<reused>(1u);
  support::require_holds<reused>(2u);
}

TEST_CASE("region book: planted faults are found", "[actor][schedule]") {
  TACT_REQUIRE_FOUND(stamp_forgotten, reused);
  TACT_REQUIRE_FOUND(rests_while_in_use, reused);
}

}  // namespace region_book_test
