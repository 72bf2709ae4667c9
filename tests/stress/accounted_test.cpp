// Law 4: accepted = committed + failed + dead + in flight; random programs keep their own books beside the engine's.
#include <stdexcept>

#include "support/engine_fixture.hpp"

namespace accounted_test {

namespace {

using namespace tact::support;

struct step;
struct nodes;

struct step {
  std::uint64_t luck;
  unsigned fuel;  // how deep its consequences may go
  tracked kept{};
};
struct bump {
  tracked kept{};
};
struct node : tact::protocol<step, bump> {};

// What the program itself did.
struct books {
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> threw{0};
  std::atomic<std::uint64_t> dead{0};
  std::atomic<std::uint64_t> bumped{0};
  std::vector<tact::ref<node>> everybody;  // living, dead, and nobody
};

[[nodiscard]] tact::behavior<node> open_node(books& b, long bumps, bool mortal);

// The random program of one step. Steps never become, so they do not collide, and their books are exact; a mortal actor
// is ordered, so its stop does not collide either.
void play(books& b, tact::transaction& tx, const step& m, bool& ends) {
  dice d(m.luck);
  unsigned sends = 0;
  for (unsigned n = m.fuel == 0 ? 0 : d.below(4); n != 0; --n) {
    const auto to = b.everybody[d.below(static_cast<unsigned>(b.everybody.size()))];
    if (d.below(2) == 0) {
      tx.send(to, step{d.next(), m.fuel - 1});
    } else {
      tx.send(to, bump{});
    }
    ++sends;
  }
  if (m.fuel != 0 && d.below(4) == 0) {
    const auto child = tx.create(open_node(b, 0, true));
    tx.send(child, step{d.next(), m.fuel - 1});
    tx.send(child, step{d.next(), m.fuel - 1});
    sends += 2;
  }
  switch (d.below(8)) {
    case 0:
      ++b.threw;
      throw std::runtime_error("bad luck");
    case 1:
      tx.discard();
      sends = 0;
      break;
    case 2:
      ends = true;
      break;
    default:
      break;
  }
  b.sent += sends;
}

tact::behavior<node> open_node(books& b, long bumps, bool mortal) {
  return {
      [&b, mortal](tact::self<node>& self, const step& m) {
        bool ends = false;
        play(b, self, m, ends);
        if (ends && mortal) self.stop();
      },
      [&b, bumps, mortal](tact::self<node>& self, const bump&) {
        self.become(open_node(b, bumps + 1, mortal));
        self.on_commit([&b] { ++b.bumped; });
      },
  };
}

class clerk : public tact::actor<clerk, node> {
 public:
  explicit clerk(books& b) : books_(&b) {}
  void receive(tact::self<clerk>& self, const step& m) {
    bool ends = false;
    play(*books_, self, m, ends);
  }
  tact::allocation receive(tact::self<clerk>& self, const bump&) {
    self.on_commit([b = books_] { ++b->bumped; });
    return tact::allocation::nodelete;
  }

 private:
  books* books_;
};

tact::engine_options book_options(books& b, unsigned workers) {
  auto o = quiet_options(workers);
  o.classic_failure = tact::failure_policy::go_on;
  o.on_dead_letter = [&b](const tact::dead_letter&) { ++b.dead; };
  return o;
}

void populate(tact::engine& engine, books& b) {
  for (int i = 0; i < 4; ++i) {
    b.everybody.push_back(engine.create(open_node(b, 0, false), tact::parallel));
    b.everybody.push_back(engine.create(open_node(b, 0, false)));
    b.everybody.push_back(engine.spawn<clerk>(b));
    const auto doomed = engine.spawn<clerk>(b);
    b.everybody.push_back(doomed);
    engine.send(doomed, tact::delete_msg);
    ++b.sent;
  }
  b.everybody.emplace_back();
}

}  // namespace

TEST_CASE("accounted: the engine's figures are those that a random program counted itself", "[law4]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  books b;
  tact::engine engine(book_options(b, workers));
  populate(engine, b);
  require_idle(engine);
  const auto steps = static_cast<unsigned>(scaled(4'000));
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const auto s = engine.statistics();
      if (s.commits > (std::uint64_t{1} << 40)) std::terminate();  // a difference of figures read at different times
      std::this_thread::yield();
    }
  });
  on_threads(2, [&](unsigned thread) {
    dice d(seed + thread);
    for (unsigned i = 0; i < steps; ++i) {
      const auto to = b.everybody[d.below(static_cast<unsigned>(b.everybody.size()))];
      engine.send(to, step{d.next(), 4});
    }
  });
  b.sent += 2 * steps;
  const bool idle = engine.wait_idle(generous);
  done = true;
  reader.join();
  REQUIRE(idle);
  require_accounted(engine);
  const auto s = engine.statistics();
  INFO(s);
  CHECK(s.messages_sent == b.sent + b.bumped);
  CHECK(s.failures == b.threw);
  CHECK(s.dead_letters == b.dead);
  CHECK(s.commits == b.sent + b.bumped - b.threw - b.dead);
}

TEST_CASE("accounted: what a cancelled engine did not deliver is dead, and every message is destroyed",
          "[law4][law11]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  books b;
  tact::engine engine(book_options(b, workers));
  populate(engine, b);
  const auto steps = static_cast<unsigned>(scaled(4'000));
  std::thread ender([&] { engine.cancel(); });
  on_threads(3, [&](unsigned thread) {
    dice d(seed + thread);
    for (unsigned i = 0; i < steps; ++i) {
      engine.send(b.everybody[d.below(static_cast<unsigned>(b.everybody.size()))], step{d.next(), 4});
    }
  });
  b.sent += 3 * steps;
  ender.join();
  require_accounted(engine);
  const auto s = engine.statistics();
  INFO(s);
  // on_commit actors that were cut off had been sent and not run.
  CHECK(s.messages_sent >= b.sent + b.bumped);
  CHECK(s.failures == b.threw);
  CHECK(s.dead_letters == b.dead);
}

}  // namespace accounted_test
