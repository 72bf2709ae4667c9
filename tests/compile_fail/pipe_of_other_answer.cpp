// error: the query of each service is made of the answer of the one before
#include "account.hpp"
#include "tact/patterns/pipe.hpp"

struct owner {
  using reply = std::string;
  std::string name;
};
auto f(tact::ref<tact::request<balance>> a, tact::ref<tact::request<owner>> b) {
  return tact::pipe(a, b);  // here
}
