// error: each service is sent a copy of the query
#include "account.hpp"
#include "tact/patterns/first_of.hpp"

struct parcel {
  using reply = long;
  std::unique_ptr<int> content;
};
auto f(std::vector<tact::ref<tact::request<parcel>>> services) {
  return tact::first_of<parcel>(std::move(services));  // here
}
