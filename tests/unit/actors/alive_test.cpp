// Who was alive at the engine's end is reported on request: how many actors of which types, and who created them.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/captured_stderr.hpp"
#include "support/engine_fixture.hpp"
#include "unit/actors/places.hpp"

namespace alive_test {

namespace {

using namespace tact::support;
using Catch::Matchers::Contains;

// The places of calls are known in builds for debugging only.
constexpr bool knows_place = tact::detail::is_known<tact::detail::call_site>;

struct go {};
struct teller : tact::protocol<go> {};
struct clerk : tact::protocol<go> {};
template <class P>
tact::behavior<P> open() {
  return {[](tact::self<P>& self, const go&) { self.stop(); }};
}
template <int Arguments>
class guard : public tact::actor<guard<Arguments>, go> {
 public:
  template <class... T>
  explicit guard(T...) {
    static_assert(sizeof...(T) == Arguments);
  }
  void receive(tact::self<guard>& self, const go&) { self.stop(); }
};

struct found {
  std::string actor;
  std::uint64_t count;
  unsigned line;
  friend bool operator==(const found&, const found&) = default;
};
std::ostream& operator<<(std::ostream& out, const found& f) {
  return out << f.count << " " << f.actor << " at " << f.line;
}

// Notes what is reported; `all` is empty when nothing is.
struct notes {
  std::vector<tact::alive_actors> all;
  int calls = 0;

  tact::engine_options options(unsigned workers) {
    auto o = quiet_options(workers);
    o.report_alive = true;
    o.on_alive = [this](const auto& alive) {
      ++calls;
      all = alive;
      throw std::runtime_error("ignored");
    };
    return o;
  }
  // What was created at these lines of this file, by line.
  [[nodiscard]] std::vector<found> list() const {
    std::vector<found> list;
    for (const auto& a : all) {
      list.push_back({std::string(a.actor), a.count, a.line});
      CHECK(a.file == (knows_place ? __FILE__ : ""));
    }
    std::sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.line < b.line; });
    return list;
  }
};
unsigned line(unsigned number) { return knows_place ? number : 0; }

}  // namespace

TEST_CASE("alive: who has not ended is reported by type and by the call that created it, most first", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  notes n;
  unsigned at = 0;
  {
    tact::engine engine(n.options(workers));
    for (int i = 0; i < 3; ++i) {
      static_cast<void>(engine.create(open<teller>()));
      at = __LINE__ - 1;
    }
    for (int i = 0; i < 100; ++i) engine.create(open<clerk>()) | go{};
    for (int i = 0; i < 5; ++i) static_cast<void>(engine.create(open<clerk>()));
    require_idle(engine);
  }
  CHECK(n.calls == 1);
  CHECK(n.list() == std::vector<found>{{"teller", 3, line(at)}, {"clerk", 5, line(at + 4)}});
  REQUIRE(n.all.size() == 2);
  CHECK(n.all[0].actor == "clerk");
}

TEST_CASE("alive: every way of creating says where it stands", "[actor]") {
  if (!knows_place) return;
  TACT_FOR_EACH_WORKER_COUNT(workers);
  notes n;
  unsigned at = 0;
  guard<0> mine;
  const auto pair = [](tact::ref<teller>, tact::ref<clerk>) { return std::tuple{open<teller>(), open<clerk>()}; };
  {
    tact::engine engine(n.options(workers));
    tact::scope group(engine);
    const tact::failure_rule rule(tact::failure_policy::go_on);
    at = __LINE__;
    static_cast<void>(engine.create(open<teller>(), tact::heavy, tact::named("a"), rule));
    static_cast<void>(engine.create(open<teller>(), tact::named("b"), tact::blocking, rule));
    static_cast<void>(engine.create_group(pair));
    static_cast<void>(engine.create_group(pair, tact::parallel));
    static_cast<void>(engine.spawn<guard<0>>());
    static_cast<void>(engine.spawn<guard<1>>(1));
    static_cast<void>(engine.spawn<guard<3>>(tact::named("c"), 1, 2, 3));
    static_cast<void>(engine.spawn<guard<6>>(1, 2, 3, 4, 5, 6));
    static_cast<void>(engine.attach(mine, tact::blocking));
    // Others end with their scope.
    const auto own = engine.create(open<clerk>(), tact::owned);
    const auto maker = engine.create(tact::behavior<go>{[=](tact::self<go>& self, const go&) {
      static_cast<void>(self.create(open<teller>()));
      static_cast<void>(self.create_group(pair));
      static_cast<void>(self.spawn<guard<2>>(1, 2));
      static_cast<void>(self.beta([](auto&, const go&) {}));
      self.stop();
    }});
    static_cast<void>(group.create(open<teller>()));
    maker | go{};
    require_idle(engine);
    CHECK(engine.cancel(generous));
  }
  const auto list = n.list();
  const auto count = [&](unsigned row, const std::string& type) {
    return std::count(list.begin(), list.end(), found{type, 1, at + row});
  };
  for (const unsigned row : {1u, 2u, 3u, 4u, 13u, 14u, 19u}) {
    INFO("row=" << row);
    CHECK(count(row, "teller") == 1);
  }
  for (const unsigned row : {3u, 4u, 11u, 14u}) CHECK(count(row, "clerk") == 1);
  CHECK(count(5, "guard<0>") == 1);
  CHECK(count(6, "guard<1>") == 1);
  CHECK(count(7, "guard<3>") == 1);
  CHECK(count(8, "guard<6>") == 1);
  CHECK(count(9, "guard<0>") == 1);
  CHECK(count(15, "guard<2>") == 1);
  CHECK(list.size() == 17);
}

TEST_CASE("alive: a call with very many arguments is reported without its place", "[actor]") {
  notes n;
  {
    tact::engine engine(n.options(1));
    static_cast<void>(engine.spawn<guard<8>>(tact::named("long"), 1, 2, 3, 4, 5, 6, 7, 8));
  }
  REQUIRE(n.all.size() == 1);
  CHECK(n.all[0].actor == "guard<8>");
  CHECK(n.all[0].line == 0);
  CHECK(n.all[0].names == std::vector<std::string>{"long"});
}

TEST_CASE("alive: code that is compiled for debugging and code that is not use one library", "[actor]") {
  notes n;
  unsigned at = 0;
  {
    tact::engine engine(n.options(2));
    at = create_with_place(engine);
    CHECK(create_without_place(engine) == 0);
  }
  REQUIRE(n.all.size() == 2);
  const auto& known = n.all[n.all[0].line == 0 ? 1 : 0];
  const auto& unknown = n.all[n.all[0].line == 0 ? 0 : 1];
  CHECK((known.actor == "known" && known.line == at && known.count == 1));
  CHECK_THAT(std::string(known.file), Catch::Matchers::EndsWith("place_known.cpp"));
  CHECK((unknown.actor == "unknown" && unknown.file.empty() && unknown.line == 0));
}

TEST_CASE("alive: an actor in a cell that was used before is reported by its own creation", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  notes n;
  unsigned at = 0;
  {
    tact::engine engine(n.options(workers));
    for (int i = 0; i < scaled(20'000); ++i) {
      engine.create(open<teller>()) | go{};
      if (i % 100 == 0) require_idle(engine);
    }
    require_idle(engine);
    for (int i = 0; i < 500; ++i) static_cast<void>(engine.create(open<clerk>()));
    at = __LINE__ - 1;
  }
  CHECK(n.list() == std::vector<found>{{"clerk", 500, line(at)}});
}

TEST_CASE("alive: a run that does not commit leaves nobody to be reported", "[actor][law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  notes n;
  {
    tact::engine engine(n.options(workers));
    const auto maker = engine.create(tact::behavior<clerk>{[](tact::self<clerk>& self, const go&) {
      static_cast<void>(self.create(open<teller>()));
      throw std::runtime_error("no");
    }});
    for (int i = 0; i < 100; ++i) maker | go{};
    require_idle(engine);
  }
  REQUIRE(n.all.size() == 1);
  CHECK(n.all[0].count == 1);
}

namespace {

template <int>
struct kind : tact::protocol<go> {};
template <int Kind>
void create_kind(tact::engine& engine) {
  for (int i = 0; i <= Kind; ++i) static_cast<void>(engine.create(open<kind<Kind>>()));
}
template <int... Kinds>
void create_kinds(tact::engine& engine, std::integer_sequence<int, Kinds...>) {
  (create_kind<Kinds>(engine), ...);
}
struct one : tact::protocol<go> {};

}  // namespace

TEST_CASE("alive: stderr gets ten lines at most, with names and places", "[actor]") {
  auto options = quiet_options(2);
  options.report_alive = true;
  unsigned at = 0;
  const std::string few = captured_stderr([&] {
    tact::engine engine(options);
    at = __LINE__ + 1;
    for (const char* name : {"a", "b", "c", "d"}) static_cast<void>(engine.create(open<teller>(), tact::named(name)));
    for (int i = 0; i < 2; ++i) static_cast<void>(engine.create(open<clerk>(), tact::named("e")));
    static_cast<void>(engine.create(open<one>()));
  });
  INFO(few);
  CHECK_THAT(few, Contains("tact: 7 actors were alive at the end of their engine:\n  4 teller (a, b, c, ...)"));
  CHECK_THAT(few, Contains("\n  2 clerk (e, e)") && Contains("\n  1 one"));
  if (knows_place) CHECK_THAT(few, Contains("alive_test.cpp:" + std::to_string(at) + "\n"));
  CHECK(std::count(few.begin(), few.end(), '\n') == 4);
  const std::string many = captured_stderr([&] {
    tact::engine engine(options);
    create_kinds(engine, std::make_integer_sequence<int, 12>());
  });
  INFO(many);
  CHECK(std::count(many.begin(), many.end(), '\n') == 10);
  CHECK_THAT(many, Contains("tact: 78 actors") && Contains("\n  and 10 more of 4 other kinds\n"));
}

TEST_CASE("alive: nothing is said unless it is asked for, or when nobody is alive", "[actor]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  notes n;
  const std::string text = captured_stderr([&] {
    auto options = n.options(workers);
    options.report_alive = false;
    tact::engine unasked(options);
    static_cast<void>(unasked.create(open<teller>()));
    tact::engine engine(n.options(workers));
    engine.create(open<teller>()) | go{};
  });
  CHECK(n.calls == 0);
  CHECK(text.empty());
}

}  // namespace alive_test
