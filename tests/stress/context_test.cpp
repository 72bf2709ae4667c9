// Contexts under everything that may happen to a message: each task keeps its own, and none is left behind.
#include <memory>
#include <vector>

#include "support/engine_fixture.hpp"

namespace context_test {

namespace {

using namespace tact::support;

constexpr std::uint64_t noise = ~std::uint64_t{0};

struct task {
  std::size_t number;
  tracked kept{};
};
struct step {
  std::size_t number;
  unsigned left;
  std::uint64_t luck;
};
struct parcel : step {
  std::array<char, 120> padding{};
};
struct place : tact::protocol<step, parcel> {};

// What went on with each task, and how often a handler was in the wrong context.
struct books {
  explicit books(std::size_t tasks) : over(tasks) {}
  std::vector<std::atomic<int>> over;  // at their ends, or thrown
  std::atomic<int> wrong{0};
  std::vector<tact::ref<place>> places{};

  void look(const tact::context& c, const step& m) {
    const task* t = c.find<task>();
    if (t == nullptr || t->number != m.number || c.trace() != m.number + 1) ++wrong;
  }
};

template <class M>
M next_of(const M& m, dice& d) {
  M next = m;
  next.left = m.left - 1;
  next.luck = d.next();
  return next;
}

template <class M>
void go_on(tact::transaction& tx, const M& m, books& b) {
  b.look(tx.context(), m);
  dice d(m.luck);
  if (m.left == 0) {
    tx.on_commit([&b, number = m.number] { ++b.over[number]; });
    return;
  }
  const auto to = b.places[d.below(static_cast<std::uint32_t>(b.places.size()))];
  const M next = next_of(m, d);
  switch (d.below(8)) {
    case 0:
      tx.send(to, next, tact::spread);
      break;
    case 1:
      tx.send(to, next);
      tx.discard();
      tx.send(to, next);
      break;
    case 2:  // in another context, from which a beta leads back
      tact::with_context(tact::context().with_trace(noise), [&] { tx.send(to, step{0, 0, 0}); });
      tx.send(to, next);
      break;
    case 3: {
      const auto back = tx.beta([&b, to, next](tact::transaction& then, int) {
        b.look(then.context(), next);
        then.send(to, next);
      });
      tact::with_context(tact::context(), [&] { tx.send(back, 1); });
      break;
    }
    case 4:
      tx.on_commit([to, next](tact::transaction& then) { then.send(to, next); });
      break;
    case 5:
      ++b.over[m.number];
      throw std::runtime_error("dropped");
    default:
      to | next;
  }
}

// Nothing but noise, in a context of its own.
bool is_noise(const tact::transaction& tx) { return tx.context().trace() == noise; }

tact::behavior<place> open_place(books& b) {
  const auto handle = [&b](tact::self<place>& self, const auto& m) {
    if (is_noise(self)) return;
    self.become(open_place(b));  // so that runs collide
    if (m.luck % 4 == 0) std::this_thread::yield();
    go_on(self, m, b);
  };
  return {[handle](tact::self<place>& self, const step& m) { handle(self, m); },
          [handle](tact::self<place>& self, const parcel& m) { handle(self, m); }};
}

class classic_place : public tact::actor<classic_place, place> {
 public:
  explicit classic_place(books& b) : books_(&b) {}
  void receive(tact::self<classic_place>& self, const step& m) {
    if (!is_noise(self)) go_on(self, m, *books_);
  }
  void receive(tact::self<classic_place>& self, const parcel& m) {
    if (!is_noise(self)) go_on(self, m, *books_);
  }

 private:
  books* books_;
};

}  // namespace

TEST_CASE("context: each task keeps its own through collisions, failures and every placement", "[law1][law4]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  const auto tasks = static_cast<std::size_t>(scaled(2'000));
  books b(tasks);
  auto options = quiet_options(workers);
  options.classic_failure = tact::failure_policy::go_on;
  tact::engine engine(options);
  for (int i = 0; i < 3; ++i) {
    b.places.push_back(engine.create(open_place(b), tact::parallel));
    b.places.push_back(engine.create(open_place(b)));
    b.places.push_back(engine.spawn<classic_place>(b));
  }
  b.places.push_back(engine.create(open_place(b), tact::parallel));
  b.places.push_back(engine.create(open_place(b), tact::heavy));
  b.places.push_back(engine.create(open_place(b), tact::blocking));
  dice d(seed);
  for (std::size_t n = 0; n < tasks; ++n) {
    const auto to = b.places[d.below(static_cast<std::uint32_t>(b.places.size()))];
    const step first{n, d.below(20), d.next()};
    tact::with_context(tact::context().with(task{n}).with_trace(n + 1), [&] {
      n % 3 == 0 ? engine.send(to, parcel{first, {}}) : engine.send(to, first);
    });
  }
  require_idle(engine);
  require_accounted(engine);
  CHECK(b.wrong == 0);
  // A run that throws or collides counts here each time that it runs.
  std::size_t lost = 0;
  for (const auto& times : b.over) lost += times == 0;
  CHECK(lost == 0);
}

}  // namespace context_test
