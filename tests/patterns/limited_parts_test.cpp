// Every part, created with each tag that says how much may wait for it, in which order, and where it runs: what it
// tells itself is never lost, so nobody waits for ever, whatever is refused. The rule limited_parts of tests/tidy says
// when a header of tact/patterns has no row here.
#include "patterns/limited_parts.hpp"

namespace limited_parts_test {

namespace {

using namespace tact::limited_parts;
using tact::request;
using tact::when_full;

struct row {
  const char* header;  // in include/tact/patterns
  const char* name;
  std::function<use(world&)> make;
};

std::shared_ptr<int> counter() { return std::make_shared<int>(0); }
std::vector<service> two_services(world& w) { return {w.service(), w.service()}; }
const auto give_it_back = [](auto& by, const tact::ticket& t) { by.send(t, tact::give_back{}); };

// -- services and relays that pass on at once: only what users send lies in their mailboxes
std::vector<row> plain_parts() {
  return {
      {"adapt.hpp", "adapter",
       [](world& w) {
         const auto came = counter();
         const auto to = w.counts<int>(came);
         return sending_words(w, w.part(tact::adapter<word>(to, [](const word& m) { return m.number; })), came);
       }},
      {"adapt.hpp", "service_adapter",
       [](world& w) {
         return asking(w,
                       w.part(tact::service_adapter<question>(
                           w.service(), [](const question& q) { return q; }, [](int n) { return n; })),
                       question{});
       }},
      {"all_of.hpp", "all_of",
       [](world& w) { return asking(w, w.part(tact::all_of(two_services(w))), tact::to_all<question>{}); }},
      {"amb.hpp", "choices",
       [](world& w) {
         return asking(w, w.part(tact::choices(std::vector<int>{1, 2, 3})), tact::next_solution<int>{});
       }},
      {"amb.hpp", "such_that",
       [](world& w) {
         const auto all = w.helper(tact::choices_between(1, 9));
         return asking(w, w.part(tact::such_that(all, [](int n) { return n % 2 == 0; })), tact::next_solution<int>{});
       }},
      {"ask_each.hpp", "par_map",
       [](world& w) {
         return asking(w, w.part(tact::par_map(two_services(w), {.at_once = 2})),
                       tact::query_batch<question>{{{1}, {2}, {3}}});
       }},
      {"constant.hpp", "constant", [](world& w) { return asking(w, w.part(tact::constant<question>(7)), question{}); }},
      {"counter.hpp", "counter", [](world& w) { return asking(w, w.part(tact::counter()), tact::read_count{}); }},
  };
}
std::vector<row> more_plain_parts() {
  return {
      {"first_of.hpp", "first_of",
       [](world& w) { return asking(w, w.part(tact::first_of(two_services(w))), question{}); }},
      {"handlers.hpp", "delegate",
       [](world& w) {
         return asking(w, w.part(tact::behavior<request<question>>(tact::delegate(w.service()))), question{});
       }},
      {"histogram.hpp", "histogram",
       [](world& w) { return asking(w, w.part(tact::histogram()), tact::read_distribution{}); }},
      {"in_parallel.hpp", "and_in_parallel",
       [](world& w) { return asking(w, w.part(tact::and_in_parallel(two_services(w))), question{}); }},
      {"label.hpp", "label",
       [](world& w) {
         const auto came = counter();
         return sending_words(w, w.part(tact::labeller<word>(w.counts<tact::labelled<int, word>>(came), 3)), came);
       }},
      {"pipe.hpp", "pipe",
       [](world& w) {
         return asking(w, w.part(tact::pipe(w.service(), w.service())), tact::to_pipe<question, int>{});
       }},
      {"sequence.hpp", "sequence",
       [](world& w) { return asking(w, w.part(tact::sequence(two_services(w))), question{}); }},
      {"sink_pipe.hpp", "sink_pipe",
       [](world& w) {
         const auto came = counter();
         return sending(w, w.part(tact::sink_pipe(w.service(), w.counts<int>(came))), came, [] { return question{}; });
       }},
      {"tee.hpp", "tee",
       [](world& w) {
         const auto came = counter();
         return sending_words(w, w.part(tact::tee(w.counts<word>(came), {w.counts<word>(counter())})), came);
       }},
      {"timeout.hpp", "timeout",
       [](world& w) { return asking(w, w.part(tact::timeout(w.service(), 1s)), question{}); }},
      {"unwind_protect.hpp", "unwind_protect",
       [](world& w) {
         const auto cleaned = w.counts<word>(counter());
         return asking(w, w.part(tact::unwind_protect(w.service(), cleaned, word{}, 1s)), question{});
       }},
  };
}

// -- parts that hear of the ends of what they have begun, at services
tact::behavior<request<question>> fails_first(const std::shared_ptr<int>& asked) {
  return {[asked](auto& self, const request<question>& m) {
    if (++*asked % 3 == 1) throw std::runtime_error("now and then");
    self.reply(m, m.body.number);
  }};
}

use lends_handles(world& w) {
  using handled = request<question>;
  const auto skin = w.part(tact::membrane<handled>());
  const auto release = [&w, skin](auto& by, const service& lent) {
    if constexpr (std::is_same_v<decltype(by), tact::engine&>) {
      w.sim.check(by.ask(lent, question{}, 1h).has_value(), "a handle leads nowhere");
      (void)by.ask(skin, tact::release_handle<handled>{lent}, 1h);
    } else {
      by.send(skin, request<tact::release_handle<handled>>{{}, {lent}});
    }
  };
  return asking(w, skin, tact::handle_to<handled>{w.service()}, release);
}

std::vector<row> parts_that_serve() {
  return {
      {"amb.hpp", "and_then",
       [](world& w) {
         const auto first = w.helper(tact::choices_between(1, 3));
         const auto expand = [](int n) { return std::vector<int>{n, n + 1}; };
         return asking(w, w.part(tact::choices_for_each(first, expand)), tact::next_solution<int>{});
       }},
      {"cache.hpp", "cache",
       [](world& w) {
         return asking(w, w.part(tact::cache<question>(w.service(), {.entries = 1, .age = 1s})), question{});
       }},
      {"circuit_breaker.hpp", "circuit_breaker",
       [](world& w) {
         const tact::circuit_options o{.failures = 1, .window = 1, .open_time = 1s};
         use u = asking(w, w.part(tact::circuit_breaker(w.helper(fails_first(counter())), o)), question{});
         u.later = [&w, again = u.later] {
           for (int i = 0; i < 9; ++i) {
             w.sim.advance(2s);
             if (again().empty()) return "";
           }
           return "the breaker stays open";
         };
         return u;
       }},
      {"idle_close.hpp", "idle_close",
       [](world& w) {
         const auto open = [](tact::transaction& tx) { return tx.create(world::answers(), tact::owned); };
         return asking(w, w.part(tact::idle_close<question>(open, 1s)), question{});
       }},
      {"pool.hpp", "pool",
       [](world& w) {
         auto members = two_services(w);
         const auto ends = w.end_of_last();
         use u = asking(w, w.part(tact::pool<question>(members)), question{});
         u.event = ends;
         return u;
       }},
      {"pool.hpp", "pool that makes its members",
       [](world& w) {
         const auto make = [&w](tact::transaction& tx) -> service {
           return w.keep(tx.create(world::answers(), tact::owned));
         };
         return asking(w, w.part(tact::pool<question>(make, {.members = 2})), question{});
       }},
      {"retry.hpp", "retry",
       [](world& w) {
         return asking(w, w.part(tact::retry(w.helper(fails_first(counter())), {.attempts = 3, .first_delay = 500ms})),
                       question{});
       }},
  };
}

std::vector<row> parts_that_lend() {
  return {
      {"lazy.hpp", "lazy",
       [](world& w) { return asking(w, w.part(tact::lazy(w.service(), question{})), tact::value_of<int>{}); }},
      {"eventual.hpp", "eventual",
       [](world& w) {
         const auto value = w.part(tact::eventual<int>());
         use u = asking(w, value, tact::value_of<int>{});
         u.event = [&w, value, to = w.service()] { w.engine.send(to, request<question>{value, {}}); };
         return u;
       }},
      {"scatter_gather.hpp", "scatter_gather",
       [](world& w) {
         auto members = two_services(w);
         const auto ends = w.end_of_last();
         using all = tact::to_all<question>;
         const auto part = w.part(tact::scatter_gather<question>(members));
         use u = asking(w, part, all{});
         u.event = ends;
         u.later = [&w, part] { return w.engine.ask(part, all{}).size() == 1 ? "" : "a member stays that has ended"; };
         return u;
       }},
      {"../serializer.hpp", "serializer",
       [](world& w) { return asking(w, w.part(tact::serializer<question>(w.service())), question{}); }},
      {"ticket.hpp", "ticket_office",
       [](world& w) { return asking(w, w.part(tact::ticket_office(1h)), tact::ticket_lease{}, give_it_back); }},
      {"read_write_lock.hpp", "read_write_lock",
       [](world& w) {
         const auto lock = w.part(tact::read_write_lock(1h));
         use u = asking(w, lock, tact::write_lease{}, give_it_back);
         u.by_handler = asking(w, lock, tact::read_lease{}, give_it_back).by_handler;
         return u;
       }},
      {"stage.hpp", "last_stage",
       [](world& w) {
         const auto work = [t = tracked()](int) {};
         return asking(w, w.part(tact::last_stage<int>(work, {.window = 1})), tact::put_item<int>{1});
       }},
      {"stage.hpp", "stage",
       [](world& w) {
         const auto last = w.helper(tact::last_stage<int>([](int) {}, {.window = 1}));
         const auto work = [](int n) { return n; };
         return asking(w, w.part(tact::stage<int, int>(work, last, {.window = 1})), tact::put_item<int>{1});
       }},
      {"with_file.hpp", "with_file",
       [](world& w) {
         const auto look = [](tact::open_file&, const question& q) { return q.number; };
         return asking(w, w.part(tact::with_file<question>("/dev/null", "r", look)), question{});
       }},
      {"membrane.hpp", "membrane", &lends_handles},
  };
}

// -- parts that watch others, or time

// Members that take words: the first adds to *came, the other one ends meanwhile.
std::vector<tact::ref<word>> two_members(world& w, const std::shared_ptr<int>& came, std::function<void()>& ends) {
  std::vector<tact::ref<word>> all{w.counts<word>(came), w.counts<word>(counter())};
  ends = w.end_of_last();
  return all;
}
// Both have entered the part before anybody uses it.
template <class P, class Make>
use with_members(world& w, tact::ref<P> part, const Make& enter) {
  const auto came = counter();
  use u = sending_words(w, part, came);
  for (const auto member : two_members(w, came, u.event)) (void)w.engine.ask(part, enter(member));
  return u;
}

// What is sent reaches those that are alive, and nobody else.
std::function<std::string()> tells_nobody_else(world& w, const std::function<std::string()>& sends) {
  return [&w, sends]() -> std::string {
    const auto before = w.engine.statistics().dead_letters;
    const std::string wrong = sends();
    return w.engine.statistics().dead_letters == before ? wrong : "an actor stays that has ended";
  };
}

use groups(world& w) {
  const auto group = w.part(tact::process_group<word>());
  use u = with_members(w, group, [](auto m) { return tact::join_group<word>{m}; });
  u.later = [&w, group, sends = u.later]() -> std::string {
    const auto members = w.engine.ask(group, tact::group_members<word>{}).size();
    return members == 1 ? sends() : "a member stays that has ended";
  };
  return u;
}
use publishes(world& w) {
  const auto enter = [](auto m) { return tact::subscribe_topic<word>{m}; };
  use u = with_members(w, w.part(tact::topic<word>()), enter);
  u.later = tells_nobody_else(w, u.later);
  return u;
}
use routes(world& w) {
  const auto came = counter();
  std::function<void()> ends;
  const auto members = two_members(w, came, ends);
  use u = sending_words(w, w.part(tact::router(members, tact::round_robin())), came);
  u.event = ends;
  u.later = tells_nobody_else(w, u.later);
  return u;
}
use observes(world& w) {
  const auto level = w.part(tact::observable(0));
  const auto came = counter();
  w.engine.send(level, tact::subscribe_observable<int>{w.counts<int>(came)});
  w.sim.run();
  w.engine.send(level, tact::subscribe_observable<int>{w.counts<int>(counter())});
  const auto ends = w.end_of_last();
  w.sim.run();
  const auto next = counter();
  use u = sending(w, level, came, [next] { return tact::set_value<int>{++*next}; });
  u.event = ends;
  u.later = tells_nobody_else(w, u.later);
  return u;
}
use paces(world& w) {
  const auto came = counter();
  const auto reader = w.helper(tact::behavior<tact::paced_reader<word>>{
      [came](auto& self, const request<tact::paced_message<word>>& m) {
        ++*came;
        self.reply(m);
      },
      [](auto&, const tact::missed_messages<word>&) {},
  });
  return sending_words(w, w.part(tact::paced<word>(reader, 1)), came);
}
use queues_work(world& w) {
  using job = request<tact::queued_work<word>>;
  const auto came = counter();
  const auto does = [came](auto& self, const job& m) {
    ++*came;
    self.reply(m);
  };
  const auto one = w.helper(tact::behavior<job>{does});
  const auto other = w.helper(tact::behavior<job>{does});
  const auto ends = w.end_of_last();
  use u = sending_words(w, w.part(tact::work_queue<word>({one, other})), came);
  u.event = ends;
  return u;
}
use suspends(world& w) {
  const auto came = counter();
  const auto gate = w.part(tact::suspendable(w.counts<word>(came)));
  use u = sending_words(w, gate, came);
  u.event = [&w, gate] {
    const auto order = [&](auto what) {
      try {
        return w.engine.ask(gate, what, 1h);
      } catch (const tact::ask_error&) {
        return false;
      }
    };
    (void)order(tact::suspend_delivery{});
    for (int i = 0; i < 100 && !order(tact::resume_delivery{}); ++i) w.engine.wait_idle();
  };
  return u;
}

struct rests;
struct counts_words {
  std::shared_ptr<int> came;
  rests operator()(auto&, const word&) const;
};
struct rests {
  std::shared_ptr<int> came;
  static constexpr tact::unhandled otherwise = tact::unhandled::waits;
  std::chrono::seconds time_limit() const { return 1s; }
  counts_words operator()(auto&, const tact::state_timeout&) const { return {came}; }
};
rests counts_words::operator()(auto&, const word&) const {
  ++*came;
  return {came};
}

template <class Make>
auto relay(const Make& make) {
  return [make](world& w) {
    const auto came = counter();
    return sending_words(w, w.part(make(w.counts<word>(came))), came);
  };
}

std::vector<row> parts_that_watch() {
  const auto resequences = [](world& w) {
    const auto came = counter();
    const auto next = std::make_shared<std::uint64_t>(0);
    const auto part = w.part(tact::resequencer<word>(w.counts<word>(came), {}, 1s));
    return sending(w, part, came, [next] { return tact::numbered<word>{++*next, {}}; });
  };
  const auto state_machine = [](world& w) {
    const auto came = counter();
    return sending_words(w, w.part(tact::state_machine<word>(counts_words{came})), came);
  };
  const auto once = [](world& w) {
    use u = sending_words(w, w.part(tact::once(w.counts<word>(counter()))), counter());
    u.later = [] { return ""; };  // it has ended
    return u;
  };
  return {
      {"process_group.hpp", "process_group", &groups},
      {"topic.hpp", "topic", &publishes},
      {"router.hpp", "router", &routes},
      {"observable.hpp", "observable", &observes},
      {"paced.hpp", "paced", &paces},
      {"work_queue.hpp", "work_queue", &queues_work},
      {"debounce.hpp", "debounce", relay([](auto to) { return tact::debounce(to, 1s); })},
      {"opening_gate.hpp", "opening_gate", relay([](auto to) { return tact::opening_gate(to, 1s); })},
      {"throttle.hpp", "throttle", relay([](auto to) { return tact::throttle(to, {.messages = 1, .per = 1s}); })},
      {"resequencer.hpp", "resequencer", resequences},
      {"state_machine.hpp", "state_machine", state_machine},
      {"suspend.hpp", "suspendable", &suspends},
      {"once.hpp", "once", once},
  };
}

// An office whose protocol lists its own word as a message like others, and one that has the word by including another
// protocol: for both the limit holds.
struct forgetful : tact::protocol<request<tact::ticket_lease>, tact::detail::lease_over, tact::failure> {};
struct including : tact::protocol<tact::ticket_office_protocol> {};
template <class P>
use forgetful_office(world& w) {
  return asking(w, w.part(tact::behavior<P>(tact::detail::lessor<P>(1h, 1))), tact::ticket_lease{}, give_it_back);
}

// Headers of which a program makes no actor by itself, so that there are no tags: calls, values, messages; and those
// whose actor the part makes, without a limit.
[[maybe_unused]] constexpr const char* without_tags[] = {
    "ask_all.hpp",       "ask_first.hpp",   "distribution.hpp", "give_back.hpp", "inlet.hpp",   "link.hpp",
    "next_solution.hpp", "outcome.hpp",     "rate_gate.hpp",    "registry.hpp",  "routing.hpp", "stash.hpp",
    "subscriber.hpp",    "supervision.hpp", "supervisor.hpp",   "value_of.hpp",
};

void require_under_pressure(const std::vector<row>& rows) {
  TACT_SEEDED(seed);
  for (const row& r : rows) {
    INFO(r.header << ": " << r.name);
    std::uint64_t from = seed;
    for (const setting& s : all_settings()) {
      if (s.where == place::parallel && std::string(r.name) == "with_file") continue;  // it must not be parallel
      const nothing_left left;
      const auto e = tact::explore(static_cast<std::uint64_t>(scaled(6)),
                                   [&](tact::simulation& sim) { use_under_pressure(sim, s, r.make); },
                                   {.seed = from, .shrinking_runs = 20, .prints = false});
      from += 1'000;
      INFO(e.text());
      REQUIRE(!e.failed);
    }
  }
}

}  // namespace

TEST_CASE("parts with a limit: what only passes on leaves nobody waiting, whatever is refused", "[law8][pressure]") {
  require_under_pressure(plain_parts());
  require_under_pressure(more_plain_parts());
}

TEST_CASE("parts with a limit: services hear of every end and every answer, whatever is refused", "[law8][pressure]") {
  require_under_pressure(parts_that_serve());
  require_under_pressure(parts_that_lend());
}

TEST_CASE("parts with a limit: relays hear of every end and of their timers, whatever is refused", "[law8][pressure]") {
  require_under_pressure(parts_that_watch());
}

TEST_CASE("parts with a limit: one whose own words are messages like others is found", "[pressure][planted]") {
  const setting s{{.messages = 1, .when_full = GENERATE(when_full::reject, when_full::drop_oldest)}};
  require_found([s](tact::simulation& sim, auto&) { use_under_pressure(sim, s, &forgetful_office<forgetful>); });
  require_found([s](tact::simulation& sim, auto&) { use_under_pressure(sim, s, &forgetful_office<including>); });
}

}  // namespace limited_parts_test
