// Records: what is written is read, and what says no order is refused, and the options of the program.
#include "record.hpp"

#include <array>
#include <limits>

#include "options.hpp"
#include "support/catch.hpp"

namespace record_test {

using namespace market;

TEST_CASE("record: an order that is written is read again", "[market]") {
  for (const auto kind : {order_kind::buy, order_kind::sell, order_kind::cancel}) {
    for (const std::int32_t limit : {1, 9, 10, 99, 100, 9'950, std::numeric_limits<std::int32_t>::max()}) {
      order o{0, 42, 17, 3, kind, 100, limit};
      if (kind == order_kind::cancel) o.quantity = o.limit = 0;
      INFO(record_of(o));
      CHECK(parse_record(record_of(o), 8) == o);
    }
  }
}

TEST_CASE("record: an instrument that is not listed is no error of the record", "[market]") {
  for (const char* line : {"N 1 2 VOID B 5 1.00", "N 1 2 PINE B 5 1.00", "C 1 2 acme", "C 1 2 DUNEX"}) {
    CHECK(parse_record(line, 8).instrument == no_instrument);
  }
}

TEST_CASE("record: what says no order is malformed", "[market]") {
  for (const char* line : {"",
                           " ",
                           "N",
                           "Q 1 2 ACME",
                           "N 1 2 ACME",
                           "N 1 2 ACME B",
                           "N 1 2 ACME B 5",
                           "N 1 2 ACME B 5 ",
                           "N  1 2 ACME B 5 1.00",
                           "N 1 2 ACME B 5 1.00 x",
                           "N 1 2 ACME b 5 1.00",
                           "N -1 2 ACME B 5 1.00",
                           "N 1 2x ACME B 5 1.00",
                           "N 1 99999999999 ACME B 5 1.00",
                           "N 1 2 ACME B 0 1.00",
                           "N 1 2 ACME B -5 1.00",
                           "N 1 2 ACME B 5 0.00",
                           "N 1 2 ACME B 5 -1.00",
                           "N 1 2 ACME B 5 1",
                           "N 1 2 ACME B 5 1.0",
                           "N 1 2 ACME B 5 .10",
                           "N 1 2 ACME B 5 1.-1",
                           "N 1 2 ACME B 5 1e9",
                           "N 1 2 ACME B 5 21474836.48",
                           "N 1 2 ACME B 5 nan",
                           "C 1 2",
                           "C 1 2 ACME 5"}) {
    INFO('"' << line << '"');
    CHECK_THROWS_AS(parse_record(line, 8), malformed_record);
  }
}

TEST_CASE("market options: a wrong argument is named, with the remedy", "[market]") {
  const auto text_of = [](std::initializer_list<const char*> arguments) -> std::string {
    try {
      (void)parse_options({arguments.begin(), arguments.size()});
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return {};
  };
  CHECK(text_of({"--orders", "0"}) == "--orders 0: give a whole number from 1 to 100000000");
  CHECK(text_of({"--books", "17"}) == "--books 17: give a whole number from 1 to 16");
  CHECK(text_of({"--feeds", "3x"}) == "--feeds 3x: give a whole number from 1 to 1000");
  CHECK(text_of({"--seed"}) == "--seed: give a number behind it");
  CHECK(text_of({"--fast"}) == "--fast: no such option; --help names them");
  const std::array<const char*, 4> good{"--workers", "3", "--simulate", "5"};
  CHECK(parse_options(good).workers == 3);
  CHECK(parse_options(good).simulate == 5);
}

}  // namespace record_test
