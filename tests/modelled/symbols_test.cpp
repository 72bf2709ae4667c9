// Names of places in a program.
#include "tools/modelled/symbols.hpp"

#include "support/catch.hpp"

namespace symbols_test {

namespace {

using Catch::Matchers::StartsWith;

[[gnu::noinline]] int unnamed(int n) { return n + 1; }

}  // namespace

[[gnu::noinline]] int named(int n) { return n + 2; }

template <class F>
[[gnu::noinline]] int with_function(int n) {
  return n + static_cast<int>(sizeof(F*));
}

namespace {

// A place is where a call returns to: behind its instruction.
std::uintptr_t place_in(int (*function)(int)) { return reinterpret_cast<std::uintptr_t>(function) + 1; }

}  // namespace

TEST_CASE("symbols: a place has the name of its function without arguments, and its line", "[modelled]") {
  const auto names = tact::modelled::names_of({place_in(&named), place_in(&unnamed), place_in(&with_function<int()>)});
  REQUIRE(names.size() == 3);
  CHECK_THAT(names[0], StartsWith("symbols_test::named ("));
  CHECK_THAT(names[1], StartsWith("symbols_test::unnamed ("));
  CHECK_THAT(names[2], StartsWith("int symbols_test::with_function<int ()> ("));
}

TEST_CASE("symbols: a place outside of the program has its address", "[modelled]") {
  const auto names = tact::modelled::names_of({place_in(&named), 0x10});
  REQUIRE(names.size() == 2);
  CHECK_THAT(names[0], StartsWith("symbols_test::named ("));
  CHECK(names[1] == "0x10");
  CHECK(tact::modelled::names_of({}).empty());
}

TEST_CASE("symbols: a place that comes behind one outside of the program is named all the same", "[modelled]") {
  const auto names = tact::modelled::names_of({0x10, place_in(&named)});
  REQUIRE(names.size() == 2);
  CHECK(names[0] == "0x10");
  CHECK_THAT(names[1], StartsWith("symbols_test::named ("));
}

}  // namespace symbols_test
