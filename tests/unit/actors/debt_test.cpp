// The customer to whom a run owes an answer, without an engine.
#include "actors/staging/debt.hpp"

#include "support/catch.hpp"

namespace debt_test {

namespace {

constexpr tact::detail::port customer = 64 * 7;
constexpr tact::detail::port other = 64 * 8;

}  // namespace

TEST_CASE("debt: only a message to the customer settles it, whichever message of its protocol", "[actor][law8]") {
  tact::actors::debt d;
  CHECK(d.customer() == 0);
  d.begin(customer);
  d.settle(other);
  CHECK(d.customer() == customer);
  d.settle(customer + 3);
  CHECK(d.customer() == 0);
  CHECK(d.at_first() == customer);
}

TEST_CASE("debt: a run whose sends are thrown away owes what it owed at first", "[actor][law1][law8]") {
  tact::actors::debt d;
  d.begin(customer);
  d.settle(customer);
  d.renew();
  CHECK(d.customer() == customer);
  CHECK(d.take() == customer);
  CHECK(d.customer() == 0);
  d.put_back(customer);
  CHECK(d.customer() == customer);
}

TEST_CASE("debt: a run without one has none after a message to the address of no actor", "[actor]") {
  tact::actors::debt d;
  d.settle(0);
  CHECK(d.customer() == 0);
}

}  // namespace debt_test
