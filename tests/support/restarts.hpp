// Actors that fail and are restarted, of each kind.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "support/engine_fixture.hpp"

namespace tact::support {

struct add {
  int n;
};
struct trip {};
struct leave {};
struct total {
  using reply = long;
};
// Adds up, and trips: by `trip`, or when it adds what is negative.
struct fragile_sum : protocol<add, trip, leave, request<total>> {};

inline behavior<fragile_sum> open_sum(long sum = 0, tracked kept = {}) {
  return {[=](self<fragile_sum>& self, const add& m) {
            self.become(open_sum(sum + m.n, kept));
            if (m.n < 0) throw std::runtime_error("negative");
          },
          [](auto&, const trip&) { throw std::runtime_error("tripped"); },
          [](self<fragile_sum>& self, const leave&) { self.stop(); },
          [=](auto& self, const request<total>& m) {
            if (sum < 0) throw std::runtime_error("negative");
            self.reply(m, sum);
          }};
}

class classic_sum : public actor<classic_sum, fragile_sum> {
 public:
  void receive(self<classic_sum>&, const add& m) {
    sum_ += m.n;
    if (m.n < 0) throw std::runtime_error("negative");
  }
  void receive(self<classic_sum>&, const trip&) { throw std::runtime_error("tripped"); }
  void receive(self<classic_sum>& self, const leave&) { self.stop(); }
  void receive(self<classic_sum>& self, const request<total>& m) { self.reply(m, sum_); }

 private:
  long sum_ = 0;
  tracked kept_;
};

// One of each kind, made by `maker`: an engine, a scope or a supervisor. The first is parallel.
template <class Maker, class... Tags>
std::vector<ref<fragile_sum>> one_sum_of_each(Maker& maker, const Tags&... tags) {
  const restarting makes([] { return open_sum(); });
  return {maker.create(makes, parallel, tags...), maker.create(makes, tags...), maker.create(makes, heavy, tags...),
          maker.create(makes, blocking, tags...), maker.template spawn<classic_sum>(restartable, tags...)};
}

}  // namespace tact::support
