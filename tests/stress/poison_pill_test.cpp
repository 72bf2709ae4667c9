// Poison pills for actors of every placement, with every limit and order of their mailboxes.
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/loop.hpp"

namespace poison_pill_test {

namespace {

using namespace tact;
using namespace tact::support;

constexpr int senders = 3;

struct note {
  int sender;
  int number;
};
struct wait_at {
  door* where;
  std::atomic<bool>* here;
};
struct desk : protocol<wait_at, note, poison_pill> {};

// What a desk has handled.
struct books {
  std::array<std::atomic<int>, senders> last{};  // of each sender
  std::atomic<int> all{0};
  std::atomic<bool> in_order{true};

  void handled(const note& m) {
    if (last[static_cast<std::size_t>(m.sender)].exchange(m.number) >= m.number) in_order = false;
    ++all;
  }
};

behavior<desk> open_desk(books& b, tracked kept = {}) {
  return {[](auto&, const wait_at& m) {
            *m.here = true;
            m.here->notify_all();
            m.where->pass();
          },
          [&b, kept](auto&, const note& m) { b.handled(m); }};
}

// A desk that becomes with each note.
behavior<desk> open_changing_desk(books& b, tracked kept = {}) {
  return {[](auto&, const wait_at&) {},
          [&b, kept](tact::self<desk>& self, const note& m) {
            self.on_commit([&b, m] { b.handled(m); });
            self.become(open_changing_desk(b, kept));
          }};
}

class classic_desk : public actor<classic_desk, desk> {
 public:
  explicit classic_desk(books& b) : books_(&b) {}
  void receive(tact::self<classic_desk>&, const wait_at& m) {
    *m.here = true;
    m.here->notify_all();
    m.where->pass();
  }
  void receive(tact::self<classic_desk>&, const note& m) { books_->handled(m); }

 private:
  books* books_;
  tracked kept_;
};

// Sends ten notes, the pill, and ten more notes, all in one run.
struct go {};
behavior<go> send_around_pill(ref<desk> to, std::atomic<bool>& sent) {
  return {[to, &sent](auto& self, const go&) {
    for (int i = 1; i <= 10; ++i) self.send(to, note{0, i});
    self.send(to, finished_msg.because("closing time"));
    for (int i = 11; i <= 20; ++i) self.send(to, note{0, i});
    self.on_commit([&sent] {
      sent = true;
      sent.notify_all();
    });
  }};
}

const mailbox_limit limits[] = {{},
                                {.messages = 3, .when_full = when_full::reject},
                                {.messages = 3, .when_full = when_full::drop_newest},
                                {.messages = 3, .when_full = when_full::drop_oldest},
                                {.messages = 3, .when_full = when_full::hold_back}};

// How many of the ten notes before the pill are handled, if the mailbox was empty at first: those behind it push out
// none of them.
int handled_with(const mailbox_limit& limit) {
  return limit.messages == 0 || limit.when_full == when_full::hold_back ? 10 : 3;
}

// A later note is more urgent, and so are those behind the pill.
const auto by_number = by_priority([](const note& m) { return m.number; });

// While the desk waits, one run sends all notes and the pill. It runs on a thread of its own, because its shard might
// be that of the desk.
template <class Make>
void play_full(unsigned workers, const mailbox_limit& limit, Make make) {
  door opens;
  std::atomic<bool> here{false};
  std::atomic<bool> sent{false};
  books b;
  tact::engine engine(quiet_options(workers));
  const ref<desk> a = make(engine, b);
  a | wait_at{&opens, &here};
  here.wait(false);
  engine.send(engine.create(send_around_pill(a, sent), blocking), go{});
  sent.wait(false);
  opens.open();
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 1);
  CHECK(b.last[0] <= 10);
  CHECK(b.all == handled_with(limit));
}

}  // namespace

TEST_CASE("poison pill: a full mailbox takes it, and it keeps its place there", "[law5][pressure]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  for (const mailbox_limit& limit : limits) {
    INFO(static_cast<int>(limit.when_full));
    play_full(workers, limit, [&](auto& e, books& b) { return e.create(open_desk(b), limit); });
    play_full(workers, limit, [&](auto& e, books& b) { return e.create(open_desk(b), limit, heavy); });
    play_full(workers, limit, [&](auto& e, books& b) { return e.create(open_desk(b), limit, blocking); });
    play_full(workers, limit, [&](auto& e, books& b) { return e.template spawn<classic_desk>(limit, b); });
    play_full(workers, limit, [&](auto& e, books& b) { return e.create(open_desk(b), limit, by_number); });
    play_full(workers, limit, [&](auto& e, books& b) { return e.create(open_desk(b), limit, by_number, heavy); });
    play_full(workers, limit,
              [&](auto& e, books& b) { return e.template spawn<classic_desk>(limit, by_number, blocking, b); });
  }
}

TEST_CASE("poison pill: with threads and handlers that send, what its sender sent before it is handled",
          "[law4][law5][law6]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  const int each = scaled(300);
  const auto play = [&](auto make, bool is_parallel) {
    books b;
    auto options = quiet_options(workers);
    options.dead_letters_kept = 0;
    tact::engine engine(options);
    const ref<desk> a = make(engine, b);
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t != senders; ++t) {
        threads.emplace_back([&, t] {
          for (int i = 1; i <= each; ++i) {
            engine.send(a, note{t, i});
            if (t == 0 && i == each / 2) engine.send(a, finished_msg);
          }
        });
      }
    }
    require_idle(engine);
    CHECK(engine.statistics().actors_alive == 0);
    const auto s = engine.statistics();
    CHECK(static_cast<std::uint64_t>(b.all) + s.dead_letters == static_cast<std::uint64_t>(senders * each));
    if (is_parallel) return;
    CHECK(b.in_order);
    CHECK(b.last[0] == each / 2);
  };
  play([](auto& e, books& b) { return e.create(open_desk(b)); }, false);
  play([](auto& e, books& b) { return e.create(open_changing_desk(b)); }, false);
  play([](auto& e, books& b) { return e.create(open_desk(b), heavy); }, false);
  play([](auto& e, books& b) { return e.create(open_desk(b), blocking); }, false);
  play([](auto& e, books& b) { return e.template spawn<classic_desk>(b); }, false);
  play([](auto& e, books& b) { return e.create(open_desk(b), parallel); }, true);
  play([](auto& e, books& b) { return e.create(open_changing_desk(b), parallel); }, true);
}

TEST_CASE("poison pill: ends an actor on a loop, on the thread of that", "[law5]") {
  const nothing_left left;
  books b;
  tact::engine engine(quiet_options(2));
  tact::loop here(engine, [] {});
  const auto a = engine.create(open_desk(b), on_loop(here));
  std::jthread outside([&] { a | note{0, 1} | finished_msg | note{0, 2}; });
  outside.join();
  CHECK(engine.statistics().actors_alive == 1);
  while (here.pump().more) {
  }
  CHECK(b.all == 1);
  CHECK(engine.statistics().actors_alive == 0);
}

TEST_CASE("poison pill: of a thousand actors each ends once, by whichever of many pills is first", "[law4]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  books b;
  auto options = quiet_options(workers);
  options.dead_letters_kept = 0;
  tact::engine engine(options);
  std::vector<ref<poison_pill>> all;
  for (int i = 0; i < scaled(1'000); ++i)
    all.push_back(i % 2 == 0 ? engine.create(open_desk(b)) : engine.create(open_desk(b), parallel));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t != senders; ++t)
      threads.emplace_back([&] { engine.send_all(all, finished_msg.because("over")); });
  }
  REQUIRE(engine.wait_finished(generous));
  require_accounted(engine);
  CHECK(engine.statistics().dead_letters == (senders - 1) * all.size());
}

}  // namespace poison_pill_test
