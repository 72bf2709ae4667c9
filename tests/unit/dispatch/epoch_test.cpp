// Epochs on real threads.
#include "dispatch/exchange/epoch.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace epoch_test {

namespace {

using tact::sync::real;
using domain = tact::dispatch::epoch_domain<real>;

void count(void*, void* freed) { ++*static_cast<int*>(freed); }
void free_int(void* object, void*) { delete static_cast<int*>(object); }

}  // namespace

TEST_CASE("epoch: what is retired stays until every online worker has announced a quiescent state", "[dispatch]") {
  domain d(2, 1, 1);
  int freed = 0;
  d.online(0);
  d.online(1);
  d.retire(0, &freed, &count, &freed);
  for (int n = 0; n < 4; ++n) d.quiesce(0);
  REQUIRE(freed == 0);
  REQUIRE(d.retired_count() == 1);
  d.quiesce(1);
  d.quiesce(0);
  REQUIRE(freed == 1);
  d.offline(0);
  d.offline(1);
}

TEST_CASE("epoch: a worker knows whether it is the only one online, however often the others come and go",
          "[dispatch]") {
  domain d(3);
  d.online(0);
  CHECK(d.is_only_one_online());
  d.online(0);  // it is online already
  CHECK(d.is_only_one_online());
  d.online(1);
  d.online(2);
  CHECK_FALSE(d.is_only_one_online());
  d.offline(0);
  d.offline(0);  // it is offline already
  CHECK_FALSE(d.is_only_one_online());
  d.offline(2);
  CHECK(d.is_only_one_online());
  d.offline(1);
  CHECK_FALSE(d.is_only_one_online());
}

TEST_CASE("epoch: a worker that is offline holds nobody up, and the last to leave frees what is left", "[dispatch]") {
  domain d(2, 100, 1);
  int freed = 0;
  d.online(0);
  d.online(1);
  d.retire(0, &freed, &count, &freed);
  d.offline(0);
  REQUIRE(freed == 0);
  d.offline(1);
  REQUIRE(freed == 1);
  REQUIRE(d.retired_count() == 0);
}

TEST_CASE("epoch: a busy worker frees what others left behind", "[dispatch]") {
  domain d(2, 100, 1);
  int freed = 0;
  d.online(0);
  d.online(1);
  d.retire(0, &freed, &count, &freed);
  d.offline(0);
  d.quiesce(1);
  REQUIRE(freed == 1);
  d.offline(1);
}

TEST_CASE("epoch: a worker that goes offline leaves even what it could free to one that is online", "[dispatch]") {
  domain d(3, 1, 100);
  int freed = 0;
  const auto retire_and_seal = [&] {
    d.retire(0, &freed, &count, &freed);
    d.quiesce(0);
  };
  for (unsigned i = 0; i < 3; ++i) d.online(i);
  retire_and_seal();
  for (unsigned i = 1; i < 3; ++i) d.quiesce(i);  // now no worker holds anything of it
  d.offline(0);
  CHECK(freed == 0);
  SECTION("which frees it when it looks for batches the next time") {
    for (int n = 0; n < 100; ++n) d.quiesce(2);
    CHECK(freed == 1);
    d.offline(1);
  }
  SECTION("and to a third one, once that one has gone as well") {
    d.offline(1);
    d.online(0);
    retire_and_seal();  // it looks for batches too
    CHECK(freed == 1);
    d.quiesce(2);
    d.offline(0);  // the last time it had found worker 1 online
    CHECK(freed == 1);
  }
  d.offline(2);
  CHECK(d.retired_count() == 0);
}

TEST_CASE("epoch: workers look for batches the more seldom the more they are, because they look at all", "[dispatch]") {
  for (const unsigned workers : {1u, 2u, 4u}) CHECK(domain::usual_interval(workers) == 16);
  CHECK(domain::usual_interval(5) == 20);
  CHECK(domain::usual_interval(256) == 1'024);
  for (const unsigned workers : {1u, 10u}) {
    INFO("workers=" << workers);
    domain d(workers + 1);  // one that is away leaves something behind
    int freed = 0;
    d.online(0);
    d.online(workers);
    d.retire(workers, &freed, &count, &freed);
    d.offline(workers);
    for (unsigned n = 1; n < domain::usual_interval(workers + 1); ++n) d.quiesce(0);
    CHECK(freed == 0);
    d.quiesce(0);
    CHECK(freed == 1);
    d.offline(0);
  }
}

TEST_CASE("epoch: a finalizer may retire more, all is freed when the workers leave", "[dispatch]") {
  struct chain {
    domain* d;
    int left;
    static void next(void*, void* context) {
      auto& self = *static_cast<chain*>(context);
      if (self.left-- > 0) self.d->retire(0, nullptr, &next, context);
    }
  };
  domain d(1, 1, 1);
  chain c{&d, 3};
  d.online(0);
  d.retire(0, nullptr, &chain::next, &c);
  d.offline(0);
  REQUIRE(d.retired_count() == 0);
  REQUIRE(c.left == -1);
}

TEST_CASE("epoch: drain_all frees what no batch has reached yet", "[dispatch]") {
  domain d(1, 100, 1);
  int freed = 0;
  d.retire(0, &freed, &count, &freed);
  d.drain_all();
  REQUIRE(freed == 1);
}

TEST_CASE("epoch: threads that replace one object read only live ones, and free every old one", "[dispatch]") {
  constexpr int rounds = 4000;
  for (const unsigned workers : {2u, 4u, 8u}) {
    domain d(workers, 16, 2);
    std::atomic<int*> current{new int(0)};
    std::atomic<long> sum{0};
    std::vector<std::thread> all;
    for (unsigned i = 0; i < workers; ++i) {
      all.emplace_back([&, i] {
        long own = 0;
        d.online(i);
        for (int n = 0; n < rounds; ++n) {
          int* old = current.load(std::memory_order_acquire);
          auto next = std::make_unique<int>(*old + 1);
          if (current.compare_exchange_strong(old, next.get(), std::memory_order_acq_rel)) {
            static_cast<void>(next.release());
            d.retire(i, old, &free_int, nullptr);
            ++own;
          }
          d.quiesce(i);
          if (n % 500 == 499) {
            d.offline(i);
            d.online(i);
          }
        }
        d.offline(i);
        sum.fetch_add(own);
      });
    }
    for (auto& t : all) t.join();
    REQUIRE(d.retired_count() == 0);
    REQUIRE(*current.load() == sum.load());
    delete current.load();
  }
}

}  // namespace epoch_test
