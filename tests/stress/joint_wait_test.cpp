// Joint holds: whom a handler that takes long, after a time of quick ones, keeps waiting.
#include <memory>

#include "support/engine_fixture.hpp"
#include "support/home_of.hpp"

namespace joint_wait_test {

namespace {

using namespace tact::support;

struct hop {
  unsigned left;
  bool then_wait;
};
struct check_in {};
struct wait_here {};

class host;
using hosts = std::vector<std::unique_ptr<host>>;

struct house {
  door exit;
  std::atomic<bool> playing{true};
  std::atomic<bool> somebody_waits{false};
  std::atomic<unsigned> missing{0};
};

// Plays with the next one; the last to get the ball may have to wait until all others have been heard of.
class host : public tact::actor<host, hop, check_in, wait_here> {
 public:
  explicit host(house& h) : house_(&h) {}
  void receive(tact::self<host>& self, const hop& m) {
    if (m.left == 0 && m.then_wait) wait();
    if (m.left != 0 && house_->playing) self.send(next, hop{m.left - 1, m.then_wait});
  }
  void receive(tact::self<host>&, const check_in&) {
    if (--house_->missing == 0) house_->exit.open();
  }
  void receive(tact::self<host>&, const wait_here&) { wait(); }
  tact::ref<host> next;
  bool passed = false;

 private:
  void wait() {
    house_->somebody_waits = true;
    passed = house_->exit.pass();
  }
  house* house_;
};

std::uint32_t home(tact::ref<host> r) { return home_of(tact::detail::access::port_of(r)); }

struct party {
  explicit party(tact::engine& e, house& h, unsigned size) {
    for (unsigned i = 0; i < size; ++i) {
      all.push_back(std::make_unique<host>(h));
      refs.push_back(e.attach(*all.back()));
    }
    for (unsigned i = 0; i < size; ++i) all[i]->next = refs[(i + 1) % size];
  }
  hosts all;
  std::vector<tact::ref<host>> refs;
};

// All hosts that live elsewhere than `waits` answer while it waits.
void hear_all(tact::engine& e, house& h, const party& p, tact::ref<host> waits) {
  std::vector<tact::ref<host>> others;
  for (const auto r : p.refs)
    if (home(r) != home(waits)) others.push_back(r);
  h.missing = static_cast<unsigned>(others.size());
  const auto end = std::chrono::steady_clock::now() + generous;
  while (!h.somebody_waits && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  for (const auto r : others) r | check_in{};
  while (h.missing != 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  CHECK(h.missing == 0);
  h.exit.open();
  h.playing = false;
  require_idle(e);
}

}  // namespace

TEST_CASE("joint hold: without them a handler that takes long after many quick ones keeps only its own shard waiting",
          "[law7]") {
  const unsigned workers = GENERATE(2u, 4u);
  INFO("workers=" << workers);
  house h;
  auto options = quiet_options(workers);
  options.joint_holds = false;
  options.shards = 4 * workers;
  tact::engine e(options);
  const party p(e, h, options.shards);
  p.refs[0] | hop{static_cast<unsigned>(scaled(20'000)) * options.shards, true};
  hear_all(e, h, p, p.refs[0]);
}

TEST_CASE("joint hold: a heavy actor's handler keeps nobody else waiting, however quick the others were", "[law7]") {
  const unsigned workers = GENERATE(2u, 4u);
  INFO("workers=" << workers);
  house h;
  tact::engine e(quiet_options(workers));
  const party p(e, h, 8 * workers);
  host waits(h);
  const auto heavy = e.attach(waits, tact::heavy);
  p.refs[0] | hop{static_cast<unsigned>(scaled(20'000)), false};
  require_idle(e);
  heavy | wait_here{};
  hear_all(e, h, p, heavy);
  CHECK(waits.passed);
}

}  // namespace joint_wait_test
