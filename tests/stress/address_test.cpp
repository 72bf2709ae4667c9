// Law 13: a ref is harmless for ever, whatever became of its actor and its engine.
#include <algorithm>
#include <atomic>
#include <sstream>
#include <thread>
#include <unordered_set>
#include <vector>

#include "support/engine_fixture.hpp"
#include "support/insides.hpp"

namespace address_test {

namespace {

using namespace tact::support;

struct note {
  int number = 0;
  tracked kept{};
};
struct end {};
struct query {
  using reply = int;
};
struct reader : tact::protocol<note, end, tact::request<query>> {};

tact::behavior<reader> open_reader(std::atomic<long>& read) {
  return {[&read](auto&, const note& m) { read += m.number; }, [](auto& self, const end&) { self.stop(); },
          [](auto& self, const tact::request<query>& m) { self.reply(m, 1); }};
}

class clerk : public tact::actor<clerk, reader> {
 public:
  explicit clerk(std::atomic<long>& read) : read_(&read) {}
  void receive(tact::self<clerk>&, const note& m) { *read_ += m.number; }
  tact::allocation receive(tact::self<clerk>&, const end&) { return tact::allocation::delete_; }
  void receive(tact::self<clerk>& self, const tact::request<query>& m) { self.reply(m, 1); }

 private:
  std::atomic<long>* read_;
};

struct use {};
struct user : tact::protocol<use> {};

// Everything that one may do with a ref.
void use_all(const std::vector<tact::ref<reader>>& refs) {
  std::unordered_set<tact::ref<reader>> set(refs.begin(), refs.end());
  std::ostringstream text;
  for (const auto r : refs) {
    r | note{1} | note{2} | end{};
    tact::ref<note>(r) | note{3};
    text << r << (r == refs.front()) << (r < refs.front()) << static_cast<bool>(r);
  }
  if (text.str().find("reader@") == std::string::npos) throw std::logic_error("a ref prints its protocol");
}

tact::behavior<user> open_user(const std::vector<tact::ref<reader>>& refs) {
  return {[&refs](tact::self<user>& self, const use&) {
    use_all(refs);
    for (const auto r : refs) self.send(r, note{4});
  }};
}

}  // namespace

TEST_CASE("address: refs to ended actors are harmless, outside and in handlers", "[law13]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<long> read{0};
  std::vector<tact::ref<reader>> refs;
  tact::engine engine(quiet_options(workers));
  for (int i = 0; i < 20; ++i) {
    refs.push_back(engine.create(open_reader(read), tact::parallel));
    refs.push_back(engine.create(open_reader(read)));
    refs.emplace_back(engine.spawn<clerk>(read));
  }
  for (const auto r : refs) engine.send(r, end{});
  engine.wait_finished();
  refs.emplace_back();
  use_all(refs);
  const auto u = engine.create(open_user(refs), tact::parallel);
  engine.send(u, use{});
  require_idle(engine);
  CHECK(read == 0);
  CHECK(engine.statistics().failures == 0);
  // Also from outside and to an empty ref: this engine is the only one.
  CHECK(engine.statistics().dead_letters == refs.size() * 9);
}

TEST_CASE("address: refs of an engine that is gone are harmless, also to engines that came after it", "[law13]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  for (int round = 0; round < scaled(20); ++round) {
    std::atomic<long> read{0};
    std::vector<tact::ref<reader>> refs;
    {
      // With more shards than those that come after it, on which its addresses must not be looked for.
      tact::engine old(quiet_options(16));
      for (int i = 0; i < 200; ++i) {
        refs.push_back(old.create(open_reader(read), tact::parallel));
        refs.push_back(old.create(open_reader(read)));
        refs.emplace_back(old.spawn<clerk>(read));
      }
    }
    use_all(refs);
    auto options = quiet_options(workers);
    options.shards = workers;
    tact::engine engine(options);
    use_all(refs);
    engine.send(engine.create(open_user(refs), tact::parallel), use{});
    require_idle(engine);
    REQUIRE(engine.statistics().failures == 0);
    for (const auto r : refs) REQUIRE_THROWS_AS(engine.ask(r, query{}), tact::ask_error);
    // New actors where the old ones were.
    for (int i = 0; i < 600; ++i) static_cast<void>(engine.create(open_reader(read), tact::parallel));
    engine.send(engine.create(open_user(refs), tact::parallel), use{});
    use_all(refs);
    require_idle(engine);
    REQUIRE(engine.statistics().actors_alive == 602);
    REQUIRE(read == 0);
  }
}

namespace {

struct next {
  unsigned left;
};
struct mayfly : tact::protocol<next> {};
struct grow_old {};

// Each actor of the chain makes the next one and ends; cells are reused as soon as they can be.
tact::behavior<mayfly> open_mayfly(std::atomic<long>& count) {
  return {[&count](tact::self<mayfly>& self, const next& m) {
    ++count;
    self.stop();
    if (m.left != 0) self.send(self.create(open_mayfly(count), tact::parallel), next{m.left - 1});
  }};
}

// So many lives in four chains, while messages go to old refs.
void live(tact::engine& engine, std::atomic<long>& lived, unsigned lives, const std::vector<tact::ref<note>>& old) {
  for (unsigned i = 0; i < 4; ++i) engine.send(engine.create(open_mayfly(lived), tact::parallel), next{lives / 4 - 1});
  while (!engine.wait_idle(std::chrono::milliseconds(sanitized ? 50 : 5))) {
    for (const auto r : old) r | note{1};
  }
  require_idle(engine);
  for (const auto r : old) r | note{1};
  require_idle(engine);
  CHECK(lived == lives);
  CHECK(engine.statistics().actors_alive == 0);
}

}  // namespace

TEST_CASE("address: a cell that is reused more often than generations fit never reaches another actor", "[law13]") {
  const nothing_left left;
  std::atomic<long> read{0};
  std::atomic<long> lived{0};
  tact::engine engine(quiet_options(1));
  std::vector<tact::ref<note>> old;
  for (int i = 0; i < 64; ++i) {
    const auto r = engine.create(open_reader(read), tact::parallel);
    engine.send(r, end{});
    old.emplace_back(r);
  }
  engine.wait_finished();
  // One worker goes round over the 64 cells that it keeps: each has more lives than its generation counts.
  const unsigned lives = sanitized ? 100'000 : 70'000 * 128;
  live(engine, lived, lives, old);
  CHECK(read == 0);
  CHECK(engine.statistics().commits == old.size() + lives);
  if (sanitized) return;
  const auto used_up = [](auto r) { return is_used_up(tact::detail::access::port_of(r)); };
  CHECK(std::count_if(old.begin(), old.end(), used_up) == std::ptrdiff_t(old.size()));
}

TEST_CASE("address: a cell in its last lives is given up, and no ref of its first one reaches anybody", "[law13]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<long> lived{0};
  tact::engine engine(quiet_options(workers));
  std::vector<tact::detail::port> aged;
  const unsigned cells = sanitized ? 500 : 2'000;
  const unsigned lives = sanitized ? 5'000 : 20'000;
  // Which of its free cells a worker takes is the worker's affair. So the worker that has aged cells begins to use them
  // in the same handler, and in each round others are aged, until some have been used up.
  const auto some_are_used_up = [&] { return std::any_of(aged.begin(), aged.end(), is_used_up); };
  const auto end = std::chrono::steady_clock::now() + generous;
  std::vector<tact::ref<note>> old;
  do {
    engine.send(engine.create(tact::behavior<grow_old>{[&](tact::self<grow_old>& self, const grow_old&) {
      const auto some = age_cells(cells, 65'534);
      aged.insert(aged.end(), some.begin(), some.end());
      self.send(self.create(open_mayfly(lived), tact::parallel), next{lives - 1});
      self.stop();
    }}),
                grow_old{});
    require_idle(engine);
    old.clear();
    for (const auto p : aged) old.push_back(tact::detail::access::make_ref<note>(p));
    lived = 0;
    live(engine, lived, sanitized ? 20'000 : 100'000, old);
  } while (!some_are_used_up() && std::chrono::steady_clock::now() < end);
  CHECK(some_are_used_up());
}

namespace {

struct probe {
  std::uint64_t whose = 0;
};
struct probed : tact::protocol<probe, end> {};
struct mark {
  std::uint64_t whose;
  tact::ref<probed> at;
};

// Each actor of a burst knows its number, and counts messages that are meant for another one.
class bursts {
 public:
  explicit bursts(tact::engine& engine) : engine_(&engine) {}

  // Creates actors, asks each whether it is itself, and ends them. Some are remembered, as stale from `turn` on.
  // Returns how many bytes the cells took while all were alive.
  std::uint64_t live(unsigned count) {
    std::vector<mark> now;
    for (unsigned i = 0; i < count; ++i) now.push_back({++last_, make(last_, i % 3 == 0)});
    for (const mark& m : now) engine_->send(m.at, probe{m.whose});
    CHECK(engine_->wait_idle(generous));  // a parallel actor handles its messages in any order
    const std::uint64_t held = bytes_of_cells(*engine_);
    for (const mark& m : now) engine_->send(m.at, end{});
    CHECK(engine_->wait_idle(generous));
    for (unsigned i = 0; i < count; i += 1 + count / 500) ended_.push_back(now[i]);
    return held;
  }
  // REQUIRES: no thread sends to stale ones.
  void turn() {
    stale_.insert(stale_.end(), ended_.begin(), ended_.end());
    ended_.clear();
  }
  // Sends to actors that have ended. Thread safety: any number of threads.
  void send_to_stale(std::uint64_t seed, unsigned count) {
    dice d(seed);
    for (; count != 0 && !stale_.empty(); --count) {
      const mark& m = stale_[d.below(static_cast<unsigned>(stale_.size()))];
      engine_->send(m.at, probe{m.whose});
      ++sent_to_stale;
    }
  }

  std::atomic<std::uint64_t> heard{0};
  std::atomic<std::uint64_t> misled{0};
  std::atomic<std::uint64_t> sent_to_stale{0};

 private:
  tact::ref<probed> make(std::uint64_t number, bool is_parallel) {
    tact::behavior<probed> b{[this, number](auto&, const probe& m) {
                               ++heard;
                               misled += m.whose != number;
                             },
                             [](auto& self, const end&) { self.stop(); }};
    return is_parallel ? engine_->create(std::move(b), tact::parallel) : engine_->create(std::move(b));
  }

  tact::engine* engine_;
  std::uint64_t last_ = 0;
  std::vector<mark> ended_;
  std::vector<mark> stale_;
};

// Waits until cells take less than `held` bytes: this thread gives back what it can, and so do workers that are idle,
// when they have put down the free cells that each of them keeps.
void require_given_back(tact::engine& engine, std::uint64_t held) {
  const auto end = std::chrono::steady_clock::now() + generous;
  while (bytes_of_cells(engine) >= held) {
    INFO("cells still take " << bytes_of_cells(engine) << " bytes");
    REQUIRE(std::chrono::steady_clock::now() < end);
    if (!trim_cells(engine)) std::this_thread::yield();
  }
}

}  // namespace

TEST_CASE("address: actors in memory that the system has had get no message of those that were there before",
          "[law13]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  bursts all(engine);
  dice d(seed());
  const int rounds = std::max(2, scaled(6));
  for (int round = 0; round < rounds; ++round) {
    // While a burst lives, threads send to the actors of those before, and the memory of these is given back.
    std::atomic<bool> is_over{false};
    const std::uint64_t dice_seed = d.next();
    std::vector<std::thread> others;
    for (unsigned t = 0; t < 2; ++t) others.emplace_back([&, t] { all.send_to_stale(dice_seed + t, 2000); });
    others.emplace_back([&] {
      for (; !is_over.load(); std::this_thread::yield()) trim_cells(engine);
    });
    const std::uint64_t held = all.live(20'000 + d.below(20'000));
    is_over.store(true);
    for (auto& t : others) t.join();
    all.turn();
    require_idle(engine);
    require_given_back(engine, held);
  }
  INFO("seed=" << seed());
  CHECK(all.misled == 0);
  const tact::statistics s = engine.statistics();
  CHECK(s.dead_letters == all.sent_to_stale);
  CHECK(all.heard * 2 + all.sent_to_stale == s.messages_sent);
}

}  // namespace address_test
