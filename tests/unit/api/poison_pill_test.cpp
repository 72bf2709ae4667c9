// Poison pills: which refs take them, and what is told of the reason.
#include <thread>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"
#include "tact/patterns.hpp"

namespace poison_pill_test {

namespace {

using namespace tact;
using namespace tact::support;

struct note {
  int number;
};
struct noted {
  using reply = long;
};
struct reader : protocol<note, request<noted>> {};
// An actor that may be ended from outside, and one that includes its protocol.
struct pad : protocol<reader, poison_pill> {};
struct shelf : protocol<pad, failure> {};

template <class P = pad>
behavior<P> open_pad(std::vector<int>& read, tracked kept = {}) {
  return {[&read, kept](auto&, const note& m) { read.push_back(m.number); },
          [&read, kept](auto& self, const request<noted>& m) { self.reply(m, static_cast<long>(read.size())); }};
}
// The same with one handler for all messages: it is not called for a pill, nor even compiled for one.
template <class P = pad>
behavior<P> open_general_pad(std::vector<int>& read) {
  return {[&read](auto& self, const auto& m) {
    if constexpr (requires { m.number; }) {
      read.push_back(m.number);
    } else {
      self.reply(m, static_cast<long>(read.size()));
    }
  }};
}

class classic_pad : public actor<classic_pad, reader> {
 public:
  explicit classic_pad(std::vector<int>& read) : read_(&read) {}
  void receive(self<classic_pad>&, const note& m) { read_->push_back(m.number); }
  void receive(self<classic_pad>& s, const request<noted>& m) { s.reply(m, static_cast<long>(read_->size())); }

 private:
  std::vector<int>* read_;
  tracked kept_;
};
// Its class lists the pill, and so its ref narrows to a ref that can only end it.
class endable_pad : public actor<endable_pad, pad> {
 public:
  void receive(self<endable_pad>&, const note&) {}
  void receive(self<endable_pad>& s, const request<noted>& m) { s.reply(m, 0); }
};

struct heard : protocol<ended, note> {};
behavior<heard> listen(std::vector<ended>& ends) {
  return {[&ends](auto&, const ended& e) { ends.push_back(e); }, [](auto&, const note&) {}};
}

template <class P, class M>
concept can_send = requires(engine& e, ref<P> r, M m) { e.send(r, m); };

}  // namespace

TEST_CASE("poison pill: the right to send it goes with the ref, and is lost by narrowing", "[api]") {
  STATIC_REQUIRE(can_send<pad, poison_pill>);
  STATIC_REQUIRE(can_send<shelf, poison_pill>);
  STATIC_REQUIRE(can_send<poison_pill, poison_pill>);
  STATIC_REQUIRE(can_send<classic_pad, poison_pill>);
  STATIC_REQUIRE(can_send<endable_pad, poison_pill>);
  STATIC_REQUIRE_FALSE(can_send<reader, poison_pill>);
  STATIC_REQUIRE_FALSE(can_send<note, poison_pill>);
  STATIC_REQUIRE(std::is_convertible_v<ref<shelf>, ref<poison_pill>>);
  STATIC_REQUIRE(std::is_convertible_v<ref<pad>, ref<reader>>);
  STATIC_REQUIRE(std::is_convertible_v<ref<endable_pad>, ref<poison_pill>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<ref<reader>, ref<poison_pill>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<ref<reader>, ref<pad>>);
}

TEST_CASE("poison pill: what queues before it is handled, and what queues behind it is a dead letter", "[api][law5]") {
  const nothing_left left;
  std::vector<int> read;
  tact::engine engine(quiet_options(2));
  const auto play = [&](auto a) {
    read.clear();
    const auto dead = engine.statistics().dead_letters;
    a | note{1} | note{2} | finished_msg | note{3};
    require_idle(engine);
    CHECK(read == std::vector<int>{1, 2});
    CHECK(engine.statistics().dead_letters == dead + 1);
    CHECK(engine.statistics().actors_alive == 0);
  };
  play(engine.create(open_pad(read)));
  play(engine.create(open_general_pad(read)));
  play(engine.create(open_pad(read), heavy));
  play(engine.create(open_pad(read), blocking));
  play(engine.create(open_pad(read), owned).ref());
  play(engine.spawn<classic_pad>(read));
}

TEST_CASE("poison pill: a ref that takes nothing else ends its actor", "[api]") {
  std::vector<int> read;
  tact::engine engine(quiet_options(2));
  std::vector<ref<poison_pill>> all{engine.create(open_pad(read)), engine.create(open_pad(read), parallel),
                                    engine.spawn<endable_pad>(),
                                    engine.create(behavior<shelf>{[](auto&, const auto&) {}})};
  engine.send_all(all, finished_msg);
  engine.wait_finished();
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("poison pill: monitors hear the reason, also those that come too late", "[api]") {
  std::vector<int> read;
  std::vector<ended> ends;
  tact::engine engine(quiet_options(1));
  const auto watcher = engine.create(listen(ends));
  const auto play = [&](auto a) {
    ends.clear();
    static_cast<void>(engine.monitor(a, watcher));
    engine.send(a, finished_msg.because("the shop has closed"));
    require_idle(engine);
    static_cast<void>(engine.monitor(a, watcher));
    require_idle(engine);
    REQUIRE(ends.size() == 2);
    for (const ended& e : ends) {
      CHECK(e.was(a));
      CHECK(e.reason == end_reason::stopped);
      CHECK(e.what == "the shop has closed");
    }
    CHECK_FALSE(ends[0].earlier);
    CHECK(ends[1].earlier);
  };
  play(engine.create(open_pad(read)));
  play(engine.create(open_pad(read), parallel));
  play(engine.create(open_pad(read), named("till 3"), blocking));
  play(engine.spawn<classic_pad>(read));
}

TEST_CASE("poison pill: the reason of one actor is not told of another", "[api]") {
  std::vector<int> read;
  std::vector<ended> ends;
  struct leave {};
  struct leaver : protocol<leave, poison_pill> {};
  tact::engine engine(quiet_options(1));
  const auto watcher = engine.create(listen(ends));
  const auto pilled = engine.create(open_pad(read));
  const auto plain = engine.create(open_pad(read));
  const auto self_ended = engine.create(behavior<leaver>{[](tact::self<leaver>& self, const leave&) { self.stop(); }});
  for (const ref<poison_pill> a : {ref<poison_pill>(plain), ref<poison_pill>(self_ended)})
    static_cast<void>(engine.monitor(a, watcher));
  pilled | poison_pill{}.because("only this one");
  plain | poison_pill{};
  self_ended | leave{};
  require_idle(engine);
  REQUIRE(ends.size() == 2);
  for (const ended& e : ends) CHECK(e.what.empty());
}

TEST_CASE("poison pill: who asks or sends behind it hears the reason", "[api][law8]") {
  std::vector<int> read;
  tact::engine engine(quiet_options(1));
  for (const bool has_name : {false, true}) {
    const auto a = has_name ? engine.create(open_pad(read), named("till")) : engine.create(open_pad(read));
    a | finished_msg.because("the shop has closed");
    try {
      static_cast<void>(engine.ask(a, noted{}));
      FAIL("an actor that has ended has answered");
    } catch (const ask_error& e) {
      CHECK(e.reason() == failure_reason::target_ended);
      CHECK(std::string(e.what()) == "ask: target ended: the shop has closed");
    }
    const auto letters = engine.dead_letters();
    REQUIRE_FALSE(letters.empty());
    CHECK(letters.back().what == "the shop has closed");
    CHECK(letters.back().reason == failure_reason::target_ended);
  }
}

TEST_CASE("poison pill: timers, monitors and handlers send it like a message", "[api][law1]") {
  using namespace std::chrono_literals;
  struct nudge {};
  std::vector<int> read;
  tact::engine engine(quiet_options(1));
  const auto by_timer = engine.create(open_pad(read));
  engine.send_after(1ms, by_timer, finished_msg.because("its time is over"));
  REQUIRE(engine.wait_finished(generous));
  const auto first = engine.create(open_pad(read));
  const auto second = engine.create(open_pad(read));
  static_cast<void>(engine.monitor(first, ref<poison_pill>(second), finished_msg.because("the first has ended")));
  first | finished_msg;
  REQUIRE(engine.wait_finished(generous));
  const auto kept = engine.create(open_pad(read));
  const auto taken = engine.create(open_pad(read));
  const auto sender = engine.create(behavior<nudge>{[=](auto& self, const nudge&) {
    self.send(kept, finished_msg);
    self.discard();
    self.send(taken, finished_msg);
    self.send(taken, note{1});
  }});
  sender | nudge{};
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 2);  // kept, and the one that sends
  CHECK(engine.ask(kept, noted{}) == 0);
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("poison pill: one that comes while the actor waits for an answer ends it behind that handler", "[api]") {
  struct slow {
    using reply = long;
  };
  struct waiter : protocol<request<slow>, note, poison_pill> {};
  std::vector<int> read;
  tact::engine engine(quiet_options(2));
  std::optional<request<noted>> asked;
  std::atomic<bool> waits{false};
  const auto source = engine.create(behavior<request<noted>>{[&](auto& self, const request<noted>& m) {
    self.defer(m);
    asked = m;
    waits = true;
    waits.notify_all();
  }});
  const auto play = [&](const auto&... where) {
    read.clear();
    waits = false;
    const auto a = engine.create(
        behavior<waiter>{[&, source](auto& self, const request<slow>& m) { self.reply(m, self.ask(source, noted{})); },
                         [&](auto&, const note& m) { read.push_back(m.number); }},
        where...);
    auto answer = engine.ask_future(a, slow{});
    waits.wait(false);
    a | note{1} | finished_msg | note{2};
    engine.send(asked->customer, 7l);
    CHECK(answer.get() == 7);
    require_idle(engine);
    CHECK(read == std::vector<int>{1});
    CHECK(engine.statistics().actors_alive == 1);
  };
  play();
  play(heavy);
  play(blocking);
}

TEST_CASE("poison pill: of a parallel actor whose handler waits ends it at once, and the handler goes on", "[api]") {
  struct waiter : protocol<request<noted>, poison_pill> {};
  tact::engine engine(quiet_options(2));
  std::optional<request<noted>> asked;
  std::atomic<bool> waits{false};
  const auto source = engine.create(behavior<request<noted>>{[&](auto& self, const request<noted>& m) {
    self.defer(m);
    asked = m;
    waits = true;
    waits.notify_all();
  }});
  const auto a = engine.create(
      behavior<waiter>{[source](auto& self, const request<noted>& m) { self.reply(m, self.ask(source, noted{})); }},
      parallel);
  auto answer = engine.ask_future(a, noted{});
  waits.wait(false);
  a | finished_msg;
  // A parallel actor may get what comes next before the pill, and that ask would have no answer.
  while (engine.statistics().actors_alive != 1) std::this_thread::yield();
  CHECK_THROWS_AS(engine.ask(a, noted{}), ask_error);
  engine.send(asked->customer, 7l);
  CHECK(answer.get() == 7);
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 1);
}

TEST_CASE("poison pill: an actor that rests before its restart ends at once", "[api][law8]") {
  struct trips : protocol<note, poison_pill> {};
  tact::engine engine(quiet_options(1));
  const restarting makes([] { return behavior<trips>{[](auto&, const note&) { throw std::runtime_error("no"); }}; });
  const auto a = engine.create(makes, failure_rule([](const failure_report&) {
                                 return failure_verdict{failure_policy::restart, std::chrono::hours(1)};
                               }));
  a | note{1} | note{2} | finished_msg;
  REQUIRE(engine.wait_finished(generous));
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("poison pill: what stands before an actor is ended itself, and not the actor", "[api][patterns]") {
  std::vector<int> read;
  tact::engine engine(quiet_options(1));
  const auto behind = engine.create(open_pad(read));
  const auto play = [&](auto front, std::uint64_t alive_behind) {
    const auto before = read.size();
    front | note{1} | finished_msg | note{2};
    require_idle(engine);
    CHECK(read.size() == before + 1);
    CHECK(engine.statistics().actors_alive == alive_behind);
  };
  play(engine.create(forwarder<pad>(behind)), 1);
  play(ref<pad>(engine.create(router<pad>({behind}, round_robin()))), 1);
  play(engine.create(behavior<pad>{delegate(behind)}), 1);
}

TEST_CASE("poison pill: a copy of one with a reason is whole, and one without needs no memory", "[api]") {
  const poison_pill one = destroy_msg.because("first");
  poison_pill other = one;
  CHECK(*other.reason.get() == "first");
  CHECK(other.how == allocation::destroy);
  other = other.because("second");
  CHECK(*one.reason.get() == "first");
  CHECK(*other.reason.get() == "second");
  other = poison_pill{};
  CHECK(other.reason.get() == nullptr);
  CHECK(poison_pill{}.because("").reason.get() == nullptr);
  constexpr poison_pill known = finished_msg;
  CHECK(known.how == allocation::finished);
}

}  // namespace poison_pill_test
