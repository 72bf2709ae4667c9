// A message that is passed on moves as it is: once, at the commit, or not at all.
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/engine_fixture.hpp"

namespace pass_on_test {

namespace {

using namespace tact::support;
using tact::allocation;

// Counts what is done to the messages of one type.
struct fate {
  std::atomic<long> copies{0};
  std::atomic<long> moves{0};
};

// `Bytes` of padding: more than an envelope takes make a box.
template <std::size_t Bytes>
struct crate {
  explicit crate(std::string text) : load(std::move(text)) {}
  crate(const crate& other) : load(other.load) { ++seen.copies; }
  crate(crate&& other) noexcept : load(std::move(other.load)) { ++seen.moves; }
  std::string load;
  std::array<char, Bytes> padding{};
  tracked kept{};
  static inline fate seen;
};
using small_crate = crate<8>;
using large_crate = crate<200>;

struct moves_only {
  std::unique_ptr<int> number = std::make_unique<int>(7);
  tracked kept{};
};
struct coin {
  long cents;
};
// Sent by reference.
struct parcel : tact::message {
  explicit parcel(int n) : number(n) {}
  int number;
  tracked kept{};
};
struct question {
  using reply = std::string;
  std::string text{};
};
struct post : tact::protocol<small_crate, large_crate, moves_only, coin, parcel, tact::request<question>> {};

struct tray {
  std::mutex mutex;
  std::vector<std::string> got;
  void add(const std::string& text) {
    const std::lock_guard lock(mutex);
    got.push_back(text);
  }
};

// Reads the message before and after it was passed on.
template <class M>
void pass(tact::transaction& tx, tact::ref<post> to, const M& m) {
  tx.pass_on(to, m);
}
tact::behavior<post> open_relay(tact::ref<post> next, std::atomic<int>& unreadable) {
  return {
      [=](auto& self, const small_crate& m) { pass(self, next, m); },
      [=, &unreadable](auto& self, const large_crate& m) {
        pass(self, next, m);
        unreadable += m.load.empty();
      },
      [=, &unreadable](auto& self, const moves_only& m) {
        pass(self, next, m);
        unreadable += m.number == nullptr;
      },
      [=](auto& self, const coin& m) { pass(self, next, m); },
      [=](auto& self, const parcel& m) { pass(self, next, m); },
      [=](auto& self, const tact::request<question>& m) { pass(self, next, m); },
  };
}
tact::behavior<post> open_end(tray& t) {
  return {
      [&t](auto&, const small_crate& m) { t.add(m.load); },
      [&t](auto&, const large_crate& m) { t.add(m.load); },
      [&t](auto&, const moves_only& m) { t.add(std::to_string(*m.number)); },
      [&t](auto&, const coin& m) { t.add(std::to_string(m.cents)); },
      [&t](auto&, const parcel& m) { t.add(std::to_string(m.number)); },
      [](auto& self, const tact::request<question>& m) { self.reply(m, m.body.text + "!"); },
  };
}

}  // namespace

TEST_CASE("pass on: a message of every shape arrives whole at the end of a chain, uncopied", "[actor][law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tray t;
  std::atomic<int> unreadable{0};
  tact::engine engine(quiet_options(workers));
  tact::ref<post> first = engine.create(open_end(t));
  for (int i = 0; i < 5; ++i) {
    first = engine.create(open_relay(first, unreadable));
    first = engine.create(open_relay(first, unreadable), tact::parallel);
  }
  small_crate::seen.copies = 0;
  large_crate::seen.copies = 0;
  parcel p(9);
  first | small_crate("a small one, which is longer than a string holds in itself") | large_crate("large");
  const long boxed = large_crate::seen.moves;
  first | moves_only() | coin{5} | p;
  require_idle(engine);
  std::sort(t.got.begin(), t.got.end());
  CHECK(t.got ==
        std::vector<std::string>{"5", "7", "9", "a small one, which is longer than a string holds in itself", "large"});
  CHECK(unreadable == 0);
  CHECK(small_crate::seen.copies == 0);
  CHECK(large_crate::seen.copies == 0);
  CHECK(large_crate::seen.moves == boxed);  // its box changed hands
  CHECK(engine.ask(first, question{"so"}) == "so!");
}

TEST_CASE("pass on: the same to another engine, to nobody, and to who has ended", "[actor][law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tray t;
  std::atomic<int> unreadable{0};
  tact::engine there(quiet_options(workers));
  tact::engine here(quiet_options(workers));
  const auto far = here.create(open_relay(there.create(open_end(t), tact::parallel), unreadable), tact::parallel);
  const auto dead_end = here.create(open_relay({}, unreadable), tact::parallel);
  small_crate::seen.copies = 0;
  large_crate::seen.copies = 0;
  for (const auto to : {far, dead_end}) {
    to | small_crate("here") | large_crate("and there") | moves_only() | coin{5};
    REQUIRE(here.wait_idle(generous));
  }
  require_idle(there);
  CHECK(t.got.size() == 4);
  CHECK(here.statistics().dead_letters == 4);
  CHECK(here.ask(far, question{"far"}) == "far!");
  CHECK_THROWS_AS(here.ask(dead_end, question{}), tact::ask_error);
  CHECK(small_crate::seen.copies == 0);
  CHECK(large_crate::seen.copies == 0);
}

namespace {

enum class way { throws, discards, discards_and_again, twice, copy, member };
template <class M>
tact::behavior<M> open_clumsy(tact::ref<post> next, way how, std::string& text) {
  return {[=, &text](tact::self<M>& self, const M& m) {
    try {
      if (how == way::copy) {
        if constexpr (std::is_copy_constructible_v<M>) self.pass_on(next, M(m));
        return;
      }
      self.pass_on(next, m);
      if (how == way::twice) self.pass_on(next, m);
      if (how == way::throws) throw std::runtime_error("no");
      self.discard();
      if (how == way::discards_and_again) self.pass_on(next, m);
    } catch (const tact::usage_error& e) {
      text = e.what();
      throw;
    }
  }};
}

}  // namespace

TEMPLATE_TEST_CASE("pass on: a run that throws or discards it leaves the message where it was", "[actor][law1]",
                   small_crate, large_crate) {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tray t;
  std::string text;
  tact::engine engine(quiet_options(workers));
  const auto end = engine.create(open_end(t));
  for (const way how : {way::throws, way::discards}) {
    engine.create(open_clumsy<TestType>(end, how, text), tact::parallel) | TestType("lost");
    require_idle(engine);
    CHECK(t.got.empty());
    CHECK(tracked::alive == 0);
  }
  CHECK(engine.statistics().failures == 1);
  engine.create(open_clumsy<TestType>(end, way::discards_and_again, text), tact::parallel) | TestType("kept");
  require_idle(engine);
  CHECK(t.got == std::vector<std::string>{"kept"});
  CHECK(text.empty());
}

TEMPLATE_TEST_CASE("pass on: of a copy, or for a second time, is refused by name and leaves nothing", "[actor][law1]",
                   small_crate, large_crate) {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tray t;
  std::string text;
  tact::engine engine(quiet_options(workers));
  const auto end = engine.create(open_end(t));
  engine.create(open_clumsy<TestType>(end, way::copy, text), tact::parallel) | TestType("one");
  require_idle(engine);
  CHECK_THAT(text, Catch::Matchers::Contains("pass_on: this is not the message"));
  engine.create(open_clumsy<TestType>(end, way::twice, text), tact::parallel) | TestType("two");
  require_idle(engine);
  CHECK_THAT(text, Catch::Matchers::Contains("pass_on: the message goes on to another actor already"));
  CHECK(engine.statistics().failures == 2);
  CHECK(t.got.empty());
  CHECK(tracked::alive == 0);
}

TEST_CASE("pass on: a member that lies where its message does is no message", "[actor]") {
  struct wrapped {
    std::string text;
    tracked kept{};
  };
  tact::engine engine(quiet_options(1));
  tact::statistics before = engine.statistics();
  const auto end = engine.create(tact::sink<std::string>(), tact::parallel);
  engine.create(tact::behavior<wrapped>{[=](auto& self, const wrapped& m) { self.pass_on(end, m.text); }},
                tact::parallel) |
      wrapped{"inside"};
  require_idle(engine);
  CHECK(engine.statistics().failures == before.failures + 1);
  CHECK(tracked::alive == 0);
}

TEST_CASE("pass on: sent by reference the message itself goes on, and its state decides at the end", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  std::atomic<int> unreadable{0};
  std::atomic<const void*> arrived{nullptr};
  tact::engine engine(quiet_options(workers));
  const auto end = engine.create(tact::behavior<parcel>{[&](auto&, const parcel& m) { arrived = &m; }}, tact::parallel);
  const auto pass_to_end = [=](auto& self, const parcel& m) { self.pass_on(end, m); };
  const auto relay = engine.create(tact::behavior<parcel>{pass_to_end}, tact::parallel);
  auto* deleted = new parcel(1);
  deleted->set_allocation(allocation::delete_);
  relay | *deleted;
  require_idle(engine);
  CHECK(arrived == deleted);
  CHECK(tracked::alive == 0);
  parcel kept(2);
  for (int i = 0; i < 100; ++i) relay | kept;
  require_idle(engine);
  CHECK(arrived == &kept);
  const auto thrower = engine.create(tact::behavior<parcel>{[=](auto& self, const parcel& m) {
                                       self.pass_on(end, m);
                                       throw std::runtime_error("no");
                                     }},
                                     tact::parallel);
  arrived = nullptr;
  thrower | kept;
  require_idle(engine);
  CHECK(arrived == nullptr);
  CHECK(unreadable == 0);
}

TEST_CASE("pass on: pays the debt of a request, and a discard brings the debt back", "[actor][law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  using asked = tact::request<question>;
  tray t;
  tact::engine engine(quiet_options(workers));
  const auto answers = engine.create(open_end(t), tact::parallel);
  const auto passes = engine.create(
      tact::behavior<asked>{[=](auto& self, const asked& m) { self.pass_on(answers, m); }}, tact::parallel);
  const auto forgets = engine.create(tact::behavior<asked>{[=](auto& self, const asked& m) {
                                       self.pass_on(answers, m);
                                       self.discard();
                                     }},
                                     tact::parallel);
  const std::string asks = "a question that is long enough for a place of its own";
  CHECK(engine.ask(passes, question{asks}) == asks + "!");
  CHECK_THROWS_WITH(engine.ask(forgets, question{"x"}), Catch::Matchers::Contains("without an answer"));
}

TEST_CASE("pass on: from a classic actor, with what it changed; from a beta; a notice of failure; a forwarder",
          "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tray t;
  class stamp : public tact::actor<stamp, large_crate> {
   public:
    explicit stamp(tact::ref<post> next) : next_(next) {}
    void receive(tact::self<stamp>& self, large_crate& m) {
      self.pass_on(next_, m);
      m.load += ", stamped";
    }

   private:
    tact::ref<post> next_;
  };
  struct go {};
  tact::engine engine(quiet_options(workers));
  const auto end = engine.create(open_end(t));
  large_crate::seen.copies = 0;
  engine.spawn<stamp>(end) | large_crate("letter");
  require_idle(engine);
  const auto forwarder =
      engine.create(tact::forwarder(engine.create(tact::forwarder(end), tact::parallel)), tact::parallel);
  forwarder | large_crate("forwarded");
  require_idle(engine);
  forwarder | moves_only();
  require_idle(engine);
  engine.create(tact::behavior<go>{[=](tact::self<go>& self, const go&) {
                  self.send(self.beta([=](auto& tx, const large_crate& m) { tx.pass_on(end, m); }),
                            large_crate("from a beta"));
                }},
                tact::parallel) |
      go{};
  require_idle(engine);
  CHECK(t.got == std::vector<std::string>{"letter, stamped", "forwarded", "7", "from a beta"});
  CHECK(large_crate::seen.copies == 0);

  struct hears : tact::protocol<go, std::string, tact::failure> {};
  std::string heard;
  const auto last = engine.create(
      tact::behavior<tact::failure>{[&](auto&, const tact::failure& f) { heard = std::string(to_string(f.reason)); }},
      tact::parallel);
  const auto asks = engine.create(
      tact::behavior<hears>{
          [](tact::self<hears>& self, const go&) { self.send(tact::ref<post>{}, tact::request<question>{self.ref()}); },
          [](auto&, const std::string&) {}, [last](auto& self, const tact::failure& f) { self.pass_on(last, f); }},
      tact::parallel);
  asks | go{};
  require_idle(engine);
  CHECK(heard == "target ended");
}

TEST_CASE("pass on: a rehearsed handler that passes its message on is found to repeat itself", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tray t;
  std::atomic<int> unreadable{0};
  std::atomic<int> findings{0};
  auto options = quiet_options(workers);
  options.rehearse = true;
  options.on_unrepeatable = [&](const auto&) { ++findings; };
  tact::engine engine(options);
  const auto relay = engine.create(open_relay(engine.create(open_end(t), tact::parallel), unreadable), tact::parallel);
  relay | small_crate("a") | large_crate("b") | moves_only() | coin{1};
  require_idle(engine);
  CHECK(t.got.size() == 8);  // the handlers of the last one are run twice as well
  CHECK(findings == 0);
  CHECK(unreadable == 0);
}

}  // namespace pass_on_test
