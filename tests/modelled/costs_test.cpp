// What the steps of a modelled machine cost, as a text.
#include <sstream>
#include <stdexcept>
#include <string>

#include "support/catch.hpp"
#include "tact/model.hpp"

namespace costs_test {

namespace {

using Catch::Matchers::Contains;

// What is said of a text that cannot be read.
std::string refusal_of(const std::string& text) {
  try {
    tact::model_costs{}.read(text);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("costs: a text changes the numbers that it names and no others", "[modelled]") {
  tact::model_costs costs;
  costs.read("l3 = 14   # measured\n\n  # a remark\n\tother_package=301.5\r\nstreams_waited = 0\nl2_kib = 1e3");
  CHECK(costs.l3 == 14);
  CHECK(costs.other_package == 301.5);
  CHECK(costs.streams_waited == 0);
  CHECK(costs.l2_kib == 1000);
  const tact::model_costs usual;
  CHECK(costs.same_l3 == usual.same_l3);
  CHECK(costs.l3_kib == usual.l3_kib);
}

TEST_CASE("costs: what is printed is read again as the same numbers", "[modelled]") {
  tact::model_costs costs;
  costs.l3 = 14.25;
  costs.idle_long = 123'456;
  std::ostringstream out;
  out << costs;
  tact::model_costs again;
  again.read(out.str());
  CHECK(again.l3 == 14.25);
  CHECK(again.idle_long == 123'456);
  CHECK(again.l3_kib == costs.l3_kib);
}

TEST_CASE("printing: what a model is given and gives prints", "[modelled][api]") {
  const auto printed = [](const auto& value) {
    std::ostringstream out;
    out << value;
    return out.str();
  };
  CHECK(printed(tact::model_options{.machine = "l3:1 core:2 pu:1"}) ==
        "model_options{.machine = \"l3:1 core:2 pu:1\", .seed = 1, .seconds_max = 3600}");
  CHECK(printed(tact::model_transfers{"l3", 12, 3.5}) == "12 lines from l3, 3.5 ns waited");
  CHECK(printed(tact::model_hot_spot{"f main.cpp:3", 4, 2, 1}) == "f main.cpp:3: 4 transfers, 2 ns waited, 1 writer");
  CHECK_THAT(printed(tact::model_result{}), Contains("per message"));
}

TEST_CASE("costs: an empty text changes nothing", "[modelled]") {
  tact::model_costs costs{.block = 3};
  costs.read("");
  costs.read("\n \n# nothing");
  CHECK(costs.block == 3);
}

TEST_CASE("costs: each number has a name, which the refusal of another one lists", "[modelled]") {
  const std::string said = refusal_of("l4 = 3");
  CHECK_THAT(said, Contains("there is no cost l4"));
  const std::string before = "there are ";
  std::string names = said.substr(said.find(before) + before.size()) + ", ";
  unsigned count = 0;
  for (std::size_t end; (end = names.find(", ")) != std::string::npos; names.erase(0, end + 2), ++count) {
    const std::string name = names.substr(0, end);
    INFO(name);
    CHECK(refusal_of(name + " = 0.5").empty());
  }
  CHECK(count == sizeof(tact::model_costs) / sizeof(double));
}

TEST_CASE("costs: what is no number from 0 to 1e12 is refused", "[modelled]") {
  const std::string number = GENERATE("", "x", "14x", "-1", "1e13", "nan", "inf", "1 2", "0x10");
  INFO(number);
  CHECK_THAT(refusal_of("l3 = " + number), Contains("not a number from 0 to 1e12: " + number));
}

TEST_CASE("costs: a refusal names the line", "[modelled]") {
  CHECK_THAT(refusal_of("l3 = 14\n\nl4 = 3\n"), Contains("line 3:"));
  CHECK_THAT(refusal_of("l3 = x"), Contains("line 1:"));
  CHECK_THAT(refusal_of("# costs\nl3 14"), Contains("line 2: it says no `name = number`: l3 14"));
}

TEST_CASE("costs: a text with a mistake changes nothing", "[modelled]") {
  tact::model_costs costs;
  CHECK_THROWS_AS(costs.read("l3 = 99\nl3 = x"), std::invalid_argument);
  CHECK(costs.l3 == tact::model_costs{}.l3);
}

}  // namespace costs_test
