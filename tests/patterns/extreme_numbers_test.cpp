// Every function and option of the API that takes a number, with 0, 1, -1, the least, the greatest, infinity and NaN:
// it works, as the row of the table says, or refuses by an error that names the thing. Times are tried in
// extreme_times_test.cpp and extreme_waits_test.cpp. The rule numbers_tried of tests/tidy says when a number has no
// row.
#include <algorithm>
#include <limits>
#include <vector>

#include "support/extreme_numbers.hpp"
#include "tact/data/vector.hpp"
#include "tact/patterns.hpp"

namespace extreme_numbers_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using tact::engine;
using tact::request;
using tact::simulation;

struct question {
  using reply = int;
  int n = 1;
  friend bool operator<(const question& a, const question& b) { return a.n < b.n; }
};
struct word {};
using service = tact::ref<request<question>>;

service answers(engine& e) {
  return e.create(tact::behavior<request<question>>{[](auto& self, const request<question>& m) { self.reply(m, 1); }});
}
service fails(engine& e) {
  return e.create(tact::behavior<request<question>>{
      [](auto&, const request<question>&) { throw std::runtime_error("as always"); }});
}
// Each request has ended, whichever way.
template <class Q = question, class P>
bool serves(engine& e, tact::ref<P> to, int times = 3) {
  for (int i = 0; i < times; ++i) {
    try {
      if (!e.ask(to, Q{}, 24h)) return false;
    } catch (const tact::ask_error&) {
    }
  }
  return true;
}
// Each of three messages has come within a day.
template <class P, class Make>
bool passes(simulation& sim, engine& e, P part, const std::shared_ptr<int>& came, int expected, Make make) {
  for (int i = 0; i < 3; ++i) e.send(part, make());
  sim.run();
  sim.advance(24h);
  return *came == expected;
}
struct counted_words {
  explicit counted_words(engine& e) : ref(e.create(tact::behavior<word>{[n = came](auto&, const word&) { ++*n; }})) {}
  std::shared_ptr<int> came = std::make_shared<int>(0);
  tact::ref<word> ref;
};

std::vector<row> numbers_of_rows() {
  return {
      number<std::size_t>(
          "vector::set", "place", [](auto n) { return n > 2; },
          [](auto&, engine&, auto n) {
            return tact::vector<int>{4, 5, 6}.set(n, 7).at(n) == 7;
          }),
      number<std::size_t>(
          "transient_vector::set", "place", [](auto n) { return n > 2; },
          [](auto&, engine&, auto n) {
            auto t = tact::vector<int>{4, 5, 6}.transient();
            return t.set(n, 7) && t.at(n) == 7;
          }),
  };
}

std::vector<row> numbers_of_services() {
  return {
      number<std::size_t>("ask_each_options::at_once", "at_once", zero,
                          [](auto&, engine& e, auto n) {
                            const auto all = e.create(tact::par_map(std::vector{answers(e)}, {.at_once = n}));
                            return e.ask(all, tact::query_batch<question>{{{1}, {2}, {3}}}).size() == 3;
                          }),
      number<std::size_t>("cache_limits::entries", "entries", zero,
                          [](auto&, engine& e, auto n) {
                            return serves(e, e.create(tact::cache<question>(answers(e), {.entries = n})));
                          }),
      number<unsigned>(
          "circuit_options::failures", "failures", [](auto n) { return n == 0 || n > 64; },
          [](auto&, engine& e, auto n) {
            return serves(e, e.create(tact::circuit_breaker(fails(e), {.failures = n, .window = 64})));
          }),
      number<unsigned>(
          "circuit_options::window", "window", [](auto n) { return n == 0 || n > 64; },
          [](auto&, engine& e, auto n) {
            return serves(e, e.create(tact::circuit_breaker(fails(e), {.failures = 1, .window = n})));
          }),
      number<std::size_t>("pool_options::queue", "queue", never,
                          [](auto&, engine& e, auto n) {
                            return serves(e, e.create(tact::pool<question>({answers(e)}, {.queue = n})));
                          }),
      number<std::size_t>("pool_options::members", "members", zero,
                          [](auto&, engine& e, auto n) {
                            const auto make = [](tact::transaction& tx) -> service {
                              return tx.create(tact::behavior<request<question>>{
                                  [](auto& self, const request<question>& m) { self.reply(m, 1); }});
                            };
                            return serves(e, e.create(tact::pool<question>(make, {.members = n})));
                          }),
      // More than there are members: each request fails, and says so.
      number<std::size_t>("scatter_options::quorum", "quorum", never,
                          [](auto&, engine& e, auto n) {
                            using all = tact::to_all<question>;
                            const auto two = std::vector{answers(e), answers(e)};
                            return serves<all>(e, e.create(tact::scatter_gather<question>(two, {.quorum = n})));
                          }),
      number<std::uint64_t>(
          "ticket_office", "place", zero,
          [](auto&, engine& e, auto n) { return serves<tact::ticket_lease>(e, e.create(tact::ticket_office(1s, n))); }),
      number<std::size_t>("stage_options::window", "window", zero,
                          [](auto&, engine& e, auto n) {
                            const auto last = e.create(tact::last_stage<int>([](int) {}, {.window = n}));
                            return serves<tact::put_item<int>>(e, last);
                          }),
      number<std::size_t>("stage_options::parallel", "parallel", zero,
                          [](auto&, engine& e, auto n) {
                            const auto last = e.create(tact::last_stage<int>([](int) {}, {.parallel = n}));
                            return serves<tact::put_item<int>>(e, last);
                          }),
      number<int>("choices_between", "choices", never,
                  [](auto&, engine& e, int n) {
                    const auto all = e.create(tact::choices_between(n, n));
                    return e.ask(all, tact::next_solution<int>{}) == n && !e.ask(all, tact::next_solution<int>{});
                  }),
  };
}

// What counts: each number is taken as it is, and sums run round, or stay at the most, as their headers say.
std::vector<row> numbers_of_counts() {
  const auto counts = [](engine& e, std::int64_t from, auto... messages) {
    const auto c = e.create(tact::counter(from));
    (e.send(c, messages), ...);
    return e.ask(c, tact::read_count{});
  };
  const auto sum = [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  return {
      number<std::int64_t>("counter", "counter", never, [=](auto&, engine& e, auto n) { return counts(e, n) == n; }),
      number<std::int64_t>("add_to_count::by", "by", never,
                           [=](auto&, engine& e, auto n) { return counts(e, n, tact::add_to_count{n}) == sum(n, n); }),
      number<std::int64_t>("subtract_from_count::by", "by", never,
                           [=](auto&, engine& e, auto n) { return counts(e, n, tact::subtract_from_count{n}) == 0; }),
      number<std::int64_t>("reset_count::to", "to", never,
                           [=](auto&, engine& e, auto n) { return counts(e, 1, tact::reset_count{n}) == n; }),
      number<std::int64_t>("read_and_reset_count::to", "to", never,
                           [=](auto&, engine& e, auto n) {
                             const auto c = e.create(tact::counter(1));
                             return e.ask(c, tact::read_and_reset_count{n}) == 1 && e.ask(c, tact::read_count{}) == n;
                           }),
      number<std::uint64_t>("record_value::value", "value", never,
                            [](auto&, engine& e, auto n) {
                              const auto all = e.create(tact::histogram());
                              e.send(all, tact::record_value{n});
                              const auto d = e.ask(all, tact::read_distribution{});
                              return d.count() == 1 && d.min() == n && d.max() == n && d.quantile(0.5) == n;
                            }),
      number<std::size_t>("engine_figures::fullest_mailboxes", "fullest_mailboxes", never,
                          [](auto&, engine& e, auto n) {
                            const auto limited = [&] {
                              const auto idle = [](auto&, const word&) {};
                              (void)e.create(tact::behavior<word>{idle}, tact::mailbox_limit{.messages = 1});
                            };
                            limited();
                            limited();
                            return e.fullest_mailboxes(n).size() == std::min<std::size_t>(n, 2);
                          }),
  };
}

std::vector<row> numbers_of_distributions() {
  const auto no_part = [](double f) { return !(f >= 0 && f <= 1); };
  return {
      number<std::uint64_t>("distribution::record_times", "record_times", never,
                            [](simulation&, engine&, std::uint64_t n) {
                              tact::distribution d;
                              d.record_times(n, n);
                              d.record_times(1, n);
                              return d.count() >= n && (n == 0 || d.max() == n);
                            }),
      number<std::uint64_t>("distribution::record", "record", never,
                            [](auto&, engine&, auto n) {
                              tact::distribution d;
                              d.record(n);
                              d.record(n);
                              return d.count() == 2 && d.max() == n && d.sum() >= n && d.quantile(1) == n;
                            }),
      number<std::uint64_t>("distribution::count_up_to", "count_up_to", never,
                            [](auto&, engine&, auto n) {
                              tact::distribution d;
                              d.record(n);
                              return d.count_up_to(n) == 1;
                            }),
      number<double>("distribution::quantile", "quantile", no_part,
                     [](auto&, engine&, auto part) {
                       tact::distribution d;
                       d.record(7);
                       return d.quantile(part) == 7;
                     }),
  };
}

std::vector<row> numbers_of_repairs() {
  const auto retried = [](engine& e, const tact::retry_options& o) {
    return serves(e, e.create(tact::retry(fails(e), o)), 2);
  };
  // A child that fails is restarted, or ends; either way nothing is left behind it.
  const auto supervised = [](simulation& sim, engine& e, tact::supervision o) {
    o.first_delay = 1ms;
    tact::supervisor all(e, o);
    const auto child = all.create(tact::restarting(
        [] { return tact::behavior<word>{[](auto&, const word&) { throw std::runtime_error("fragile"); }}; }));
    for (int i = 0; i < 3; ++i) e.send(child, word{});
    sim.run();
    sim.advance(24h);
    return all.has_failed() ? all.size() == 0 : all.restarts() == 3;
  };
  const auto no_factor = [](double f) { return !(f >= 1); };
  const auto no_part = [](double f) { return !(f >= 0 && f <= 1); };
  return {
      number<unsigned>("retry_options::attempts", "attempts", zero,
                       [=](auto&, engine& e, auto n) {
                         // The service fails always, so the attempts are limited otherwise.
                         return retried(e, {.attempts = n, .budget = 0, .reserve = 3});
                       }),
      number<double>("retry_options::factor", "factor", no_factor,
                     [=](auto&, engine& e, auto v) { return retried(e, {.factor = v}); }),
      number<double>("retry_options::jitter", "jitter", no_part,
                     [=](auto&, engine& e, auto v) { return retried(e, {.jitter = v}); }),
      number<double>("retry_options::budget", "budget", negative,
                     [=](auto&, engine& e, auto v) { return retried(e, {.budget = v}); }),
      number<double>("retry_options::reserve", "reserve", negative,
                     [=](auto&, engine& e, auto v) { return retried(e, {.budget = 1, .reserve = v}); }),
      number<std::uint64_t>("retry_options::seed", "seed", never,
                            [=](auto&, engine& e, auto n) { return retried(e, {.jitter = 1, .seed = n}); }),
      number<unsigned>("supervision::restarts", "restarts", never,
                       [=](auto& s, engine& e, auto n) { return supervised(s, e, {.restarts = n}); }),
      number<double>("supervision::factor", "factor", no_factor,
                     [=](auto& s, engine& e, auto v) { return supervised(s, e, {.factor = v}); }),
      number<double>("supervision::jitter", "jitter", no_part,
                     [=](auto& s, engine& e, auto v) { return supervised(s, e, {.jitter = v}); }),
      number<std::uint64_t>("supervision::seed", "seed", never,
                            [=](auto& s, engine& e, auto n) { return supervised(s, e, {.jitter = 1, .seed = n}); }),
      number<std::int64_t>("supervision::within", "within", not_positive,
                           [=](auto& s, engine& e, auto n) {
                             return supervised(s, e, {.restarts = 9, .within = std::chrono::nanoseconds(n)});
                           }),
      number<unsigned>(
          "tried_up_to", "tried", [](auto n) { return n == 0 || n > tact::attempts_max; },
          [](simulation& sim, engine& e, auto n) {
            const auto tries = std::make_shared<unsigned>(0);
            const auto a = e.create(tact::behavior<word>{[tries](auto&, const word&) {
                                      ++*tries;
                                      throw std::runtime_error("as always");
                                    }},
                                    tact::tried_up_to(n));
            e.send(a, word{});
            sim.run();
            return *tries == n;
          }),
  };
}

bool works_off(simulation& sim, engine& e, const tact::work_queue_options& o) {
  using job = request<tact::queued_work<word>>;
  const auto done = std::make_shared<int>(0);
  const auto does = e.create(tact::behavior<job>{[done](auto& self, const job& m) {
    if (++*done < 3) throw std::runtime_error("twice in vain");
    self.reply(m);
  }});
  e.send(e.create(tact::work_queue<word>({does}, o)), word{});
  sim.run();
  return *done == static_cast<int>(std::min(o.attempts, 3U));
}

std::vector<row> numbers_of_relays() {
  const auto throttled = [](simulation& sim, engine& e, const tact::throttle_options& o) {
    const counted_words to(e);
    const auto part = e.create(tact::throttle(to.ref, o));
    const int expected = o.waiting_max < 2 ? 1 + static_cast<int>(o.waiting_max) : 3;
    return passes(sim, e, part, to.came, expected, [] { return word{}; });
  };
  const auto routed = [](simulation& sim, engine& e, auto how) {
    const counted_words to(e);
    return passes(sim, e, e.create(tact::router(std::vector{to.ref}, how)), to.came, 3, [] { return word{}; });
  };
  const auto numbered = [](simulation& sim, engine& e, std::uint64_t first, std::uint64_t number) {
    const counted_words to(e);
    e.send(e.create(tact::resequencer<word>(to.ref, {}, 1s, first)), tact::numbered<word>{number, {}});
    sim.run();
    sim.advance(1s);
    return *to.came == (number >= first ? 1 : 0);
  };
  return {
      number<std::uint32_t>("throttle_options::messages", "messages", zero,
                            [=](auto& s, engine& e, auto n) { return throttled(s, e, {.messages = n}); }),
      // The bucket would hold more than the clock can say.
      number<std::uint32_t>(
          "throttle_options::burst", "burst",
          [](auto n) { return n == 0 || n > std::numeric_limits<std::uint32_t>::max() / 2; },
          [=](auto& s, engine& e, auto n) { return throttled(s, e, {.burst = n}); }),
      number<std::uint64_t>("throttle_options::waiting_max", "waiting_max", never,
                            [=](auto& s, engine& e, auto n) { return throttled(s, e, {.waiting_max = n}); }),
      number<std::size_t>(
          "by_key::points", "by_key", [](auto n) { return n == 0 || n > 65'536; },
          [=](auto& s, engine& e, auto n) { return routed(s, e, tact::by_key([](const word&) { return 1; }, n)); }),
      number<std::uint64_t>("at_random", "seed", never,
                            [=](auto& s, engine& e, auto n) { return routed(s, e, tact::at_random(n)); }),
      number<std::size_t>("work_queue_options::queue", "queue", never,
                          [=](auto& s, engine& e, auto n) { return works_off(s, e, {.queue = n}); }),
      number<unsigned>("work_queue_options::attempts", "attempts", zero,
                       [=](auto& s, engine& e, auto n) { return works_off(s, e, {.attempts = n}); }),
      number<std::uint64_t>("resequencer", "first", never,
                            [=](auto& s, engine& e, auto n) { return numbered(s, e, n, n); }),
      number<std::uint64_t>("numbered::number", "number", never,
                            [=](auto& s, engine& e, auto n) { return numbered(s, e, 1, n); }),
      number<std::uint64_t>(
          "paced", "limit", zero,
          [](simulation& sim, engine& e, auto n) {
            const auto came = std::make_shared<int>(0);
            const auto reader = e.create(tact::behavior<tact::paced_reader<word>>{
                [came](auto& self, const request<tact::paced_message<word>>& m) {
                  ++*came;
                  self.reply(m);
                },
                [came](auto&, const tact::missed_messages<word>& m) { *came += static_cast<int>(m.count); },
            });
            const auto part = e.create(tact::paced<word>(reader, n));
            return passes(sim, e, part, came, 3, [] { return word{}; });
          }),
  };
}

// Of times those that extreme_times_test.cpp does not follow to the nanosecond.
std::vector<row> times_of_services() {
  using std::chrono::nanoseconds;
  return {
      number<std::int64_t>("read_write_lock", "read_write_lock", not_positive,
                           [](auto&, engine& e, auto n) {
                             return serves<tact::read_lease>(e, e.create(tact::read_write_lock(nanoseconds(n))));
                           }),
      number<std::int64_t>("on_failure", "on_failure", not_positive,
                           [](auto&, engine& e, auto n) {
                             const counted_words told(e);
                             const auto part = e.create(tact::on_failure(fails(e), told.ref, word{}, nanoseconds(n)));
                             const bool ended = serves(e, part);
                             e.wait_idle();
                             return ended && *told.came == 3;
                           }),
  };
}

}  // namespace

TEST_CASE("extreme numbers: services take any, or name the one that makes no sense", "[patterns]") {
  require_right(numbers_of_services());
  require_right(times_of_services());
}

TEST_CASE("extreme numbers: what counts takes any", "[patterns]") {
  require_right(numbers_of_counts());
  require_right(numbers_of_distributions());
}

TEST_CASE("extreme numbers: rows of entries take a place that they have, or name what is wrong", "[data]") {
  require_right(numbers_of_rows());
}

TEST_CASE("extreme numbers: repairs take any, or name the one that makes no sense", "[patterns]") {
  require_right(numbers_of_repairs());
}

TEST_CASE("extreme numbers: relays take any, or name the one that makes no sense", "[patterns]") {
  require_right(numbers_of_relays());
}

TEST_CASE("extreme numbers: a throttle is never faster than it was told, whatever the step", "[patterns]") {
  using tact::throttle_options;
  for (const auto& [o, third] : {std::pair(throttle_options{.messages = 6, .per = 10ns}, 4ns),
                                 std::pair(throttle_options{.messages = 3, .per = 1s}, 666'666'668ns),
                                 std::pair(throttle_options{.messages = 4'000'000'000, .per = 1ns}, 2ns)}) {
    simulation sim(1);
    engine& e = sim.engine(quiet_options(2));
    const counted_words to(e);
    const auto part = e.create(tact::throttle(to.ref, o));
    for (int i = 0; i < 3; ++i) e.send(part, word{});
    sim.run();
    CHECK(*to.came == 1);
    sim.advance(third - 1ns);
    CHECK(*to.came == 2);
    sim.advance(1ns);
    CHECK(*to.came == 3);
  }
}

}  // namespace extreme_numbers_test
