// Messages sent by reference that are used wrongly end a debug build, which says why; what is allowed does not.
#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "support/death.hpp"
#include "support/engine_fixture.hpp"

namespace message_check_test {

namespace {

using namespace tact::support;
using tact::allocation;

struct parcel : tact::message {
  explicit parcel(allocation state = allocation::nodelete) : tact::message(state) {}
  std::byte load[64] = {};
};
struct go {};

class porter : public tact::actor<porter, parcel> {
 public:
  void receive(tact::self<porter>&, const parcel&) {}
};

#ifndef NDEBUG
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

// Sends it to a dead end: handled, and its allocation state carried out, before the call returns.
void handle_at_once(tact::engine& engine, parcel& p) { engine.send(tact::ref<parcel>{}, p); }
#endif

}  // namespace

#ifndef NDEBUG
TEST_CASE("message: one that is deleted while it is in another queue ends a debug build by name", "[actor]") {
  const std::string text = last_words([] {
    tact::engine engine(quiet_options(1));
    const auto a = engine.spawn<porter>();
    auto* p = new parcel(allocation::delete_);
    engine.send(engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go&) {
                                self.send(a, *p);
                                self.send(a, *p);
                              }},
                              tact::parallel),
                go{});
    engine.wait_idle();
  });
  CHECK_THAT(text, StartsWith("tact: a message of type") && Contains("parcel is deleted while it is in a queue"));
}

TEST_CASE("message: one that its owner destroys while it is in a queue ends a debug build by name", "[actor]") {
  const std::string text = last_words([] {
    door open;
    tact::engine engine(quiet_options(1));
    const auto keeper = engine.create(tact::behavior<go>{[&](auto&, const go&) { open.pass(); }});
    engine.send(keeper, go{});
    const auto a = engine.spawn<porter>();
    parcel p;
    a | p;
  });
  CHECK_THAT(text, Contains("parcel is deleted while it is in a queue"));
}

TEST_CASE("message: one that ends twice ends a debug build by name", "[actor]") {
  const std::string text = last_words([] {
    alignas(parcel) static std::byte storage[sizeof(parcel)];
    tact::engine engine(quiet_options(1));
    auto* p = new (storage) parcel(allocation::destroy);
    handle_at_once(engine, *p);
    std::destroy_at(p);
  });
  CHECK_THAT(text, StartsWith("tact: a message of type") && Contains("parcel is deleted a second time"));
}

TEST_CASE("message: one that is sent after its end ends a debug build by name", "[actor]") {
  const std::string text = last_words([] {
    alignas(parcel) static std::byte storage[sizeof(parcel)];
    tact::engine engine(quiet_options(1));
    auto* p = new (storage) parcel(allocation::destroy);
    handle_at_once(engine, *p);
    handle_at_once(engine, *p);
  });
  CHECK_THAT(text, Contains("parcel is sent after it was deleted"));
}

#if !defined(TACT_ASAN) && !defined(TACT_TSAN)  // a sanitizer says so itself
TEST_CASE("message: one whose memory was given back ends a debug build when it is deleted again", "[actor]") {
  const std::string text = last_words([] {
    tact::engine engine(quiet_options(1));
    auto* p = new parcel(allocation::delete_);
    handle_at_once(engine, *p);
    delete p;
  });
  CHECK_THAT(text, StartsWith("tact: a message") && Contains("is deleted a second time"));
}
#endif

TEST_CASE("message: one that the engine is to end and that was never sent ends a debug build", "[actor]") {
  const std::string deleted = last_words([] { delete new parcel(allocation::delete_); });
  CHECK_THAT(deleted, Contains("without ever having been sent") && Contains("delete_") && Contains("nodelete until"));
  const std::string destroyed = last_words([] {
    parcel p;
    p.set_allocation(allocation::destroy);
  });
  CHECK_THAT(destroyed, Contains("without ever having been sent") && Contains("destroy") && Contains("nodelete until"));
}
#endif

TEST_CASE("message: one that its owner is to end may end unsent, sent, and sent by value", "[actor]") {
  tact::engine engine(quiet_options(2));
  const auto a = engine.spawn<porter>();
  {
    const parcel unsent;
    const parcel finished(allocation::finished);
    parcel sent;
    a | sent;
    a | parcel();
    engine.wait_idle();
  }
  // By value the state of the original means nothing, nor does that of the copies.
  a | parcel(allocation::delete_);
  const parcel original(allocation::destroy);
  a | original;
  const parcel copy = original;
  engine.wait_idle();
  CHECK(engine.statistics().commits == 4);
  CHECK(copy.state() == allocation::destroy);
}

TEST_CASE("message: who gives up because of an exception may delete one that was never sent", "[actor]") {
  bool caught = false;
  try {
    const auto p = std::make_unique<parcel>(allocation::delete_);
    throw std::runtime_error("no");
  } catch (const std::runtime_error&) {
    caught = true;
  }
  CHECK(caught);
}

}  // namespace message_check_test
