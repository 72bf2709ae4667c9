// error: a query that waits is copied to the service
#include "account.hpp"

struct parcel {
  using reply = long;
  std::unique_ptr<int> content;
};
auto f(tact::ref<tact::request<parcel>> service) {
  return tact::serializer<parcel>(service);  // here
}
