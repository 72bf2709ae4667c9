// Exceptions in a model.
#include <exception>
#include <stdexcept>

#include "modelled/nap.hpp"
#include "modelled/programs.hpp"

namespace exceptions_test {

namespace {

using namespace tact::modelled_tests;
using namespace std::chrono_literals;

}  // namespace

TEST_CASE("model: exceptions stay with their threads, also when several are handled at the same time", "[modelled]") {
  std::vector<std::string> caught(4);
  std::vector<int> uncaught(4, -1);
  static_cast<void>(tact::model::run(small_options(), [&] {
    meeting in_catch(4), before_rethrow(4);
    on_threads(4, [&](unsigned i) {
      try {
        try {
          throw std::runtime_error("of thread " + std::to_string(i));
        } catch (const std::exception&) {
          in_catch.join();
          nap(1us * (4 - i));
          uncaught[i] = std::uncaught_exceptions();
          before_rethrow.join();
          throw;
        }
      } catch (const std::exception& e) {
        caught[i] = e.what();
      }
    });
  }));
  for (unsigned i = 0; i < 4; ++i) {
    CHECK(caught[i] == "of thread " + std::to_string(i));
    CHECK(uncaught[i] == 0);
  }
}

TEST_CASE("model: what a program throws is thrown by run, and the next model works", "[modelled]") {
  for (int i = 0; i < 3; ++i) {
    CHECK_THROWS_WITH(tact::model::run(free_options(),
                                       [] {
                                         on_threads(2, [](unsigned) { tact::model::spend_ns(100); });
                                         throw std::runtime_error("not today");
                                       }),
                      Catch::Matchers::Contains("not today"));
    CHECK(!tact::model::is_running());
    CHECK(ns_of(free_options(), [] { tact::model::spend_ns(7'000); }) == Approx(7'000));
  }
}

}  // namespace exceptions_test
