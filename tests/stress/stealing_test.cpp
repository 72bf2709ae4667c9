// Stealing, adoption and idling on real threads: the laws hold whichever worker runs a shard, and the work does move.
#include <algorithm>
#include <thread>

#include "support/engine_fixture.hpp"
#include "support/insides.hpp"

namespace stealing_test {

namespace {

using namespace tact::support;
using tact::dispatch::worker_counters;

struct job {
  unsigned sender;
  unsigned number;
};
struct hop {
  unsigned left;
};
struct hire {
  using reply = std::vector<tact::ref<job>>;
  unsigned count;
};

constexpr unsigned senders = 2;

struct book {
  std::atomic<bool> inside{false};
  std::atomic<unsigned> broken{0};
  std::array<unsigned, senders> next{};  // not atomic on purpose
  bool is_quick = false;
};

// A few microseconds.
void toil() {
  std::atomic<unsigned> turns{0};
  while (turns.fetch_add(1) < 500) {
  }
}

struct clerk : tact::protocol<job> {};
tact::behavior<clerk> open_clerk(book& b) {
  return {[&b](tact::self<clerk>& self, const job& m) {
    if (b.inside.exchange(true) || b.next[m.sender]++ != m.number) ++b.broken;
    if (!b.is_quick) toil();
    self.become(open_clerk(b));
    b.inside = false;
  }};
}

// Makes clerks in one run: all of them on the shards of the worker that runs it.
struct office : tact::protocol<tact::request<hire>> {};
tact::behavior<office> open_office(std::vector<book>& books) {
  return {[&books](auto& self, const tact::request<hire>& m) {
    std::vector<tact::ref<job>> all;
    for (unsigned i = 0; i < m.body.count; ++i) all.emplace_back(self.create(open_clerk(books[i])));
    self.reply(m, std::move(all));
  }};
}

tact::engine_options stealing_options(unsigned workers, tact::victim_policy victims) {
  auto o = quiet_options(workers);
  o.victims = std::move(victims);
  return o;
}

// Gives jobs to the clerks of one worker, round after round, until `enough` or for so many rounds; the laws hold.
template <class Enough>
void keep_busy(tact::engine& engine, unsigned rounds, Enough enough, bool is_quick = false) {
  constexpr unsigned clerks = 16;
  std::vector<book> books(clerks);
  for (book& b : books) b.is_quick = is_quick;
  const auto clerk = engine.ask(engine.create(open_office(books), tact::parallel), hire{clerks});
  const auto end = std::chrono::steady_clock::now() + generous;
  unsigned number = 0;
  for (unsigned n = 0; n < rounds || (!enough() && std::chrono::steady_clock::now() < end); ++n) {
    constexpr unsigned each = 4;
    on_threads(senders, [&](unsigned sender) {
      for (unsigned i = 0; i < each * clerks; ++i) engine.send(clerk[i % clerks], job{sender, number + i / clerks});
    });
    number += each;
    require_idle(engine);
  }
  for (const book& b : books) {
    CHECK(b.broken == 0);
    for (const unsigned next : b.next) CHECK(next == number);
  }
}

void check_sums(const tact::dispatch::dispatcher& inside) {
  const auto sum = [&](auto counter) { return sum_of(inside, counter); };
  const auto ended = [&] {
    return sum(&worker_counters::steals_without_candidate) + sum(&worker_counters::steals_failed) +
           sum(&worker_counters::shards_stolen);
  };
  // One attempt may be under way.
  const auto end = std::chrono::steady_clock::now() + generous;
  bool equal = false;
  while (!equal && std::chrono::steady_clock::now() < end) equal = sum(&worker_counters::steal_attempts) == ended();
  CHECK(equal);
}

}  // namespace

TEST_CASE("stealing: the work of one worker moves to others, and all laws hold", "[law5][law6][law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const tact::victim_policy own = [](const tact::steal_view& seen) {
    return std::optional(static_cast<unsigned>(seen.random % seen.stamps.size()));
  };
  const tact::victim_policy longest = &tact::longest_victim, random = &tact::random_victim,
                            nearest = &tact::nearest_victim;
  for (const auto& victims : {longest, random, nearest, own}) {
    tact::engine engine(stealing_options(workers, victims));
    auto& inside = inside_of(engine);
    const auto found = [&] { return sum_of(inside, &worker_counters::messages_stolen); };
    keep_busy(engine, 8, [&] { return workers == 1 || found() != 0; });
    CHECK((found() != 0) == (workers != 1));
    check_sums(inside);
  }
}

TEST_CASE("homes: a shard that was stolen comes back to a worker that has nothing to do, if messages are quick",
          "[law5][law6]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  if (workers == 1) return;  // there is no thief
  tact::engine engine(stealing_options(workers, &tact::longest_victim));
  auto& inside = inside_of(engine);
  const auto returned = [&] { return sum_of(inside, &worker_counters::shards_returned); };
  keep_busy(engine, 8, [&] { return sum_of(inside, &worker_counters::shards_stolen) != 0; });
  const bool is_quick = true;
  keep_busy(
      engine, 8, [&] { return returned() != 0; }, is_quick);
  CHECK(returned() != 0);
  CHECK(sum_of(inside, &worker_counters::shards_stolen) != 0);
}

TEST_CASE("stealing: nobody tries when there is no policy", "[law5][law6]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(stealing_options(workers, tact::no_victim));
  auto& inside = inside_of(engine);
  keep_busy(engine, 8, [] { return true; });
  CHECK(sum_of(inside, &worker_counters::steal_attempts) == 0);
  CHECK(sum_of(inside, &worker_counters::messages_stolen) == 0);
}

TEST_CASE("stealing: a policy that returns nonsense finds no candidate", "[law5][law6]") {
  const tact::victim_policy itself = [](const tact::steal_view& seen) { return std::optional(seen.thief); };
  const tact::victim_policy beyond = [](const tact::steal_view& seen) {
    return std::optional(static_cast<unsigned>(seen.stamps.size() + seen.random % 1000));
  };
  for (const auto& victims : {itself, beyond}) {
    tact::engine engine(stealing_options(4, victims));
    auto& inside = inside_of(engine);
    const auto tried = [&] { return sum_of(inside, &worker_counters::steal_attempts); };
    keep_busy(engine, 4, [&] { return tried() != 0; });
    CHECK(tried() != 0);
    CHECK(sum_of(inside, &worker_counters::steals_without_candidate) == tried());
    CHECK(sum_of(inside, &worker_counters::shards_stolen) == 0);
  }
}

TEST_CASE("stealing: actors that end while their shards move leave nothing behind", "[law4]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left check;
  tact::engine engine(stealing_options(workers, &tact::random_victim));
  struct breeder : tact::protocol<hop> {
    static tact::behavior<breeder> open(tracked t) {
      return {[t](tact::self<breeder>& self, const hop& m) {
        toil();
        for (unsigned i = 0; m.left != 0 && i < 2; ++i) {
          const auto child = self.create(open(t));
          self.send(child, hop{m.left - 1});
        }
        self.stop();
      }};
    }
  };
  dice d(seed);
  for (int i = 0; i < scaled(60); ++i) {
    engine.send(engine.create(breeder::open({})), hop{1 + d.below(6)});
    if (d.below(8) == 0) require_idle(engine);
  }
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 0);
}

namespace {

class player : public tact::actor<player, hop> {
 public:
  void receive(tact::self<player>& self, const hop& m) {
    ++handled;
    if (m.left != 0) self.send(next, hop{m.left - 1});
  }
  tact::ref<player> next;
  unsigned handled = 0;
};

}  // namespace

TEST_CASE("adoption: two actors of two workers that only talk to each other end up on one", "[dispatch]") {
  const unsigned hops = static_cast<unsigned>(scaled(200'000));
  player one, two;
  auto options = quiet_options(2);
  options.shards = 2;
  tact::engine engine(options);
  one.next = engine.attach(two);
  two.next = engine.attach(one);
  auto& inside = inside_of(engine);
  require_idle(engine);
  // Where lines come slowly from another processor, and while other programs run, it takes some rounds until a worker
  // has seen that handlers are quick, and holds both shards from then on.
  bool is_settled = false;
  for (unsigned round = 1; round <= 50 && !is_settled; ++round) {
    const auto parks = sum_of(inside, &worker_counters::parks);
    const auto gulps = sum_of(inside, &worker_counters::gulps);
    engine.send(two.next, hop{hops - 1});
    require_idle(engine);
    CHECK(one.handled + two.handled == round * hops);
    CHECK(one.handled == two.handled);
    if (sanitized) TACT_SKIP("no handler is quick under a sanitizer");
    is_settled = (sum_of(inside, &worker_counters::parks) - parks) * 100 < hops &&
                 (sum_of(inside, &worker_counters::gulps) - gulps) * 100 < hops;
  }
  // Whose shard is the other worker's: taken over, and held together with the own one from then on.
  CHECK(is_settled);
  CHECK(sum_of(inside, &worker_counters::adoptions) > 0);
  CHECK(sum_of(inside, &worker_counters::joins) > 0);
}

namespace {

struct answer {
  using reply = answer;
};

// Takes a while for each answer.
class slow_one : public tact::actor<slow_one, tact::request<answer>> {
 public:
  void receive(tact::self<slow_one>& self, const tact::request<answer>& m) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (std::chrono::steady_clock::now() < end) {
    }
    self.reply(m, answer{});
  }
};

// Asks, and when it has heard, asks again.
class quick_one : public tact::actor<quick_one, hop, answer> {
 public:
  void receive(tact::self<quick_one>& self, const hop& m) {
    left = m.left;
    self.send(asked, tact::request<answer>{self.ref(), {}});
  }
  void receive(tact::self<quick_one>& self, const answer&) {
    if (--left != 0) self.send(asked, tact::request<answer>{self.ref(), {}});
  }
  tact::ref<slow_one> asked;
  unsigned left = 0;
};

}  // namespace

TEST_CASE("adoption: who answers slowly does not wake a worker for each of the quick ones that it answers",
          "[dispatch]") {
  const unsigned each = static_cast<unsigned>(scaled(500));
  auto options = quiet_options(2);
  options.shards = 2;
  // How often a worker went to sleep meanwhile.
  const auto parks_of_a_run = [&] {
    slow_one asked;
    std::array<quick_one, 4> asking;
    tact::engine engine(options);
    const auto slow = engine.attach(asked);
    auto& inside = inside_of(engine);
    std::vector<tact::ref<quick_one>> quick;
    for (quick_one& q : asking) {
      q.asked = slow;
      quick.push_back(engine.attach(q));
    }
    require_idle(engine);
    const auto before = sum_of(inside, &worker_counters::parks);
    for (const auto q : quick) engine.send(q, hop{each});
    require_idle(engine);
    for (const quick_one& q : asking) CHECK(q.left == 0);
    return sum_of(inside, &worker_counters::parks) - before;
  };
  auto fewest = parks_of_a_run();
  if (sanitized) TACT_SKIP("no handler is quick under a sanitizer");
  // On a machine that does something else as well the quick ones do not always look quick.
  const auto few = each * 3 / 2;  // three for eight answers; without adoption it is one for two
  for (int more = 9; more != 0 && fewest >= few; --more) fewest = std::min(fewest, parks_of_a_run());
  CHECK(fewest < few);
}

TEST_CASE("adoption: who adopts goes on looking at its own shards", "[dispatch][law7]") {
  // Two that play for ever, and a third actor, beside one of them or on a worker of its own, that is heard all the
  // same.
  TACT_FOR_EACH_THREAD_COUNT(workers);
  struct question {
    using reply = unsigned;
  };
  std::vector<std::unique_ptr<player>> players;
  tact::engine engine(stealing_options(workers, tact::no_victim));
  for (unsigned i = 0; i < 2 * workers; ++i) players.push_back(std::make_unique<player>());
  std::vector<tact::ref<player>> refs;
  for (auto& p : players) refs.push_back(engine.attach(*p));
  for (unsigned i = 0; i < refs.size(); ++i) players[i]->next = refs[(i + 1) % refs.size()];
  engine.send(refs[0], hop{~0U});
  struct listener : tact::protocol<tact::request<question>> {};
  for (unsigned i = 0; i < 32; ++i) {
    const auto heard = engine.create(
        tact::behavior<listener>{[i](auto& self, const tact::request<question>& m) { self.reply(m, i); }});
    CHECK(engine.ask(heard, question{}, generous) == i);
  }
  engine.cancel();
}

TEST_CASE("idle: nobody searches, and every shard is empty", "[law9]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  auto& dispatcher = inside_of(engine);
  keep_busy(engine, 2, [] { return true; });
  // The last worker may be on its way to sleep.
  while (dispatcher.stealing().count_searchers() != 0) std::this_thread::yield();
  for (std::uint32_t i = 0; i < dispatcher.mail().shards().size(); ++i) CHECK(dispatcher.depth(i) == 0);
}

TEST_CASE("idle: the depth of a shard counts what no worker has taken", "[dispatch]") {
  struct halt {};
  struct sleeper : tact::protocol<halt> {};
  auto options = quiet_options(1);
  options.shards = 1;
  door shut;
  meeting begun(2);
  tact::engine engine(options);
  auto& dispatcher = inside_of(engine);
  const auto s = engine.create(tact::behavior<sleeper>{[&](auto&, const halt&) {
    static_cast<void>(begun.join());
    static_cast<void>(shut.pass());
  }});
  engine.send(s, halt{});
  REQUIRE(begun.join());
  const auto others = engine.create(tact::sink<job>());
  for (unsigned i = 0; i < 100; ++i) engine.send(others, job{0, i});
  CHECK(dispatcher.depth(0) == 100);
  shut.open();
  require_idle(engine);
  CHECK(dispatcher.depth(0) == 0);
}

}  // namespace stealing_test
