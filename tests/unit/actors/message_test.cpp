// Messages of every shape arrive whole and are destroyed exactly once, handled or not.
#include <memory>
#include <stdexcept>
#include <string>

#include "support/engine_fixture.hpp"

namespace message_test {

namespace {

using namespace tact::support;
using tact::allocation;

struct big {
  std::array<char, 200> load{};
  tracked kept{};
};
struct throws_on_move {
  throws_on_move() = default;
  throws_on_move(const throws_on_move&) = default;
  throws_on_move(throws_on_move&& other) noexcept(false) : kept(other.kept) {}  // NOLINT: that is the point
  tracked kept{};
};
struct alignas(64) aligned {
  int number = 5;
  tracked kept{};
};
struct moves_only {
  std::unique_ptr<int> number = std::make_unique<int>(4);
  tracked kept{};
};
struct words {
  std::string text;
  tracked kept{};
};
struct post : tact::protocol<big, throws_on_move, aligned, moves_only, words, std::string> {};

struct tray {
  std::atomic<int> whole{0};
};

tact::behavior<post> open_reader(tray& t) {
  return {
      [&t](auto&, const big& m) { t.whole += m.load[199] == 'x'; },
      [&t](auto&, const throws_on_move&) { ++t.whole; },
      [&t](auto&, const aligned& m) {
        t.whole += m.number == 5 && reinterpret_cast<std::uintptr_t>(&m) % alignof(aligned) == 0;
      },
      [&t](auto&, const moves_only& m) { t.whole += *m.number == 4; },
      [&t](auto&, const words& m) { t.whole += m.text.size() == 100; },
      [&t](auto&, const std::string& m) { t.whole += m == "short" || m.size() == 100; },
  };
}

// One of each, by value and from an lvalue.
void send_all(tact::ref<post> to) {
  big b;
  b.load[199] = 'x';
  const throws_on_move t;
  const words w{std::string(100, 'w')};
  to | b | big(b) | t | throws_on_move() | aligned() | moves_only() | w | words(w);
  to | std::string("short") | std::string(100, 's');
}
constexpr int kinds = 10;

struct go {
  bool fail;
};
tact::behavior<go> open_sender(tact::ref<post> to) {
  return {[to](auto&, const go& m) {
    send_all(to);
    if (m.fail) throw std::runtime_error("no");
  }};
}

// Sent by reference.
struct parcel : tact::message {
  explicit parcel(int n = 0) : number(n) {}
  int number;
  tracked kept{};
};
struct depot : tact::protocol<parcel> {};

class porter : public tact::actor<porter, depot> {
 public:
  explicit porter(std::atomic<int>& seen) : seen_(&seen) {}
  void receive(tact::self<porter>&, parcel& m) { *seen_ += m.number; }

 private:
  std::atomic<int>* seen_;
};

}  // namespace

TEST_CASE("message: any movable type arrives whole and is destroyed once", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tray t;
  tact::engine engine(quiet_options(workers));
  const auto parallel = engine.create(open_reader(t), tact::parallel);
  const auto ordered = engine.create(open_reader(t));
  send_all(parallel);
  send_all(ordered);
  const auto sender = engine.create(open_sender(parallel), tact::parallel);
  const auto other = engine.create(open_sender(ordered), tact::parallel);
  for (const auto s : {sender, other}) {
    engine.send(s, go{false});
    engine.send(s, go{true});
  }
  require_idle(engine);
  CHECK(t.whole == 4 * kinds);
  CHECK(tracked::alive == 0);
}

TEST_CASE("message: what is not delivered is destroyed once", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tray t;
  tact::engine engine(quiet_options(workers));
  send_all({});
  const auto reader = engine.create(open_reader(t), tact::parallel);
  send_all(reader);
  engine.cancel();
  CHECK(tracked::alive == 0);
  send_all(reader);
  CHECK(tracked::alive == 0);
}

TEST_CASE("message: sent by reference it is not copied, may be in several queues at once, and reused", "[actor]") {
  const nothing_left left;
  std::atomic<int> seen{0};
  parcel p(1);
  tact::engine engine(quiet_options(2));
  const auto a = engine.spawn<porter>(seen);
  const auto b = engine.spawn<porter>(seen);
  for (int i = 0; i < 100; ++i) a | p;
  for (int i = 0; i < 100; ++i) b | p;
  engine.wait_idle();
  CHECK(seen == 200);
  p.number = 3;
  p.set_allocation(allocation::finished);
  a | p;
  engine.wait_idle();
  CHECK(seen == 203);
  CHECK(tracked::alive == 1);
}

TEST_CASE("message: its state decides what becomes of it once it was handled, or is a dead letter", "[actor]") {
  const bool handled = GENERATE(true, false);
  const nothing_left left;
  std::atomic<int> seen{0};
  tact::engine engine(quiet_options(2));
  const auto a = handled ? engine.spawn<porter>(seen) : tact::ref<porter>{};
  auto* deleted = new parcel(1);
  deleted->set_allocation(allocation::delete_);
  engine.send(a, *deleted);
  alignas(parcel) std::byte storage[sizeof(parcel)];
  auto* destroyed = new (storage) parcel(2);
  destroyed->set_allocation(allocation::destroy);
  engine.send(a, *destroyed);
  parcel kept(4);
  engine.send(a, kept);
  engine.wait_idle();
  CHECK(seen == (handled ? 7 : 0));
  CHECK(tracked::alive == 1);
}

TEST_CASE("message: a run that did not commit leaves a message sent by reference alone", "[actor]") {
  const nothing_left left;
  std::atomic<int> seen{0};
  tact::engine engine(quiet_options(2));
  const auto a = engine.spawn<porter>(seen);
  parcel p(1);
  p.set_allocation(allocation::delete_);
  const auto thrower = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go&) {
                                       self.send(a, p);
                                       throw std::runtime_error("no");
                                     }},
                                     tact::parallel);
  engine.send(thrower, go{true});
  engine.wait_idle();
  CHECK(seen == 0);
  CHECK(tracked::alive == 1);
}

}  // namespace message_test
