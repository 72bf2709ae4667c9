// Classic actors: allocation states, poison pills, cascades.
#include "support/engine_fixture.hpp"

namespace classic_test {

namespace {

using namespace tact::support;
using tact::allocation;

struct mail {
  allocation then = allocation::nodelete;
};
struct note {
  int number;
};

class clerk : public tact::actor<clerk, mail, note> {
 public:
  explicit clerk(std::vector<int>* read = nullptr) : read_(read) {}
  ~clerk() { ++destroyed; }
  allocation receive(tact::self<clerk>&, const mail& m) {
    ++received;
    return m.then;
  }
  void receive(tact::self<clerk>&, const note& m) {
    ++received;
    if (read_ != nullptr) read_->push_back(m.number);
  }

  static inline std::atomic<int> received{0};
  static inline std::atomic<int> destroyed{0};

 private:
  std::vector<int>* read_;
  tracked kept_;
};

class reset {
 public:
  reset() {
    clerk::received = 0;
    clerk::destroyed = 0;
  }
};

struct pill {
  allocation how;
  tact::poison_pill message;
};
const pill pills[] = {{allocation::finished, tact::finished_msg},
                      {allocation::delete_, tact::delete_msg},
                      {allocation::destroy, tact::destroy_msg}};

}  // namespace

TEST_CASE("classic: a spawned actor stays alive on nodelete, and is destroyed once by any other state", "[actor]") {
  const auto how = GENERATE(allocation::finished, allocation::delete_, allocation::destroy);
  const nothing_left left;
  const reset zero;
  tact::engine engine(quiet_options(2));
  const auto a = engine.spawn<clerk>();
  a | mail{} | mail{} | mail{how} | mail{} | note{1};
  engine.wait_finished();
  CHECK(clerk::received == 3);
  CHECK(clerk::destroyed == 1);
  CHECK(engine.statistics().dead_letters == 2);
}

TEST_CASE("classic: an attached actor is deleted, destroyed or left alone, as its last state says", "[actor]") {
  const nothing_left left;
  const reset zero;
  tact::engine engine(quiet_options(2));
  auto* deleted = new clerk;
  engine.attach(*deleted) | mail{} | mail{allocation::delete_};
  alignas(clerk) std::byte storage[sizeof(clerk)];
  engine.attach(*new (storage) clerk) | mail{allocation::destroy};
  {
    clerk mine;
    engine.attach(mine) | mail{allocation::finished};
    engine.wait_finished();
    CHECK(clerk::destroyed == 2);
    // Once it has ended it may be attached again.
    engine.attach(mine) | mail{allocation::finished};
    engine.wait_finished();
    CHECK(clerk::destroyed == 2);
  }
  CHECK(clerk::received == 5);
}

TEST_CASE("classic: a poison pill ends an actor after all earlier messages, in each of its states", "[actor]") {
  const auto& p = pills[GENERATE(0u, 1u, 2u)];
  const nothing_left left;
  const reset zero;
  std::vector<int> read;
  tact::engine engine(quiet_options(2));
  engine.spawn<clerk>(&read) | note{1} | note{2} | p.message | note{3};
  engine.wait_finished();
  CHECK(read == std::vector<int>{1, 2});
  CHECK(clerk::destroyed == 1);
  alignas(clerk) std::byte storage[sizeof(clerk)];
  auto* object = p.how == allocation::delete_ ? new clerk : new (storage) clerk;
  const auto a = engine.attach(*object);
  a | note{4};
  engine.send(a, p.message);
  engine.wait_finished();
  CHECK(clerk::destroyed == (p.how == allocation::finished ? 1 : 2));
  if (p.how == allocation::finished) object->~clerk();
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("classic: an actor that is attached when its engine ends is left alone, a spawned one is destroyed",
          "[actor]") {
  const nothing_left left;
  const reset zero;
  clerk mine;
  {
    tact::engine engine(quiet_options(2));
    engine.attach(mine) | note{1};
    engine.spawn<clerk>() | note{1};
  }
  CHECK(clerk::received == 2);
  CHECK(clerk::destroyed == 1);
}

TEST_CASE("classic: stop leaves an attached actor alone and destroys a spawned one", "[actor]") {
  struct quit {};
  class quitter : public tact::actor<quitter, quit> {
   public:
    void receive(tact::self<quitter>& self, const quit&) { self.stop(); }
    tracked kept;
  };
  const nothing_left left;
  quitter mine;
  tact::engine engine(quiet_options(2));
  engine.attach(mine) | quit{};
  engine.spawn<quitter>() | quit{} | quit{};
  engine.wait_finished();
  CHECK(tracked::alive == 1);
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("classic: an actor spawned, attached or killed inside a handler that throws is as it was before", "[actor]") {
  struct go {
    bool fail;
  };
  const nothing_left left;
  const reset zero;
  clerk mine;
  tact::engine engine(quiet_options(2));
  const auto victim = engine.spawn<clerk>();
  const auto parent = engine.create(tact::behavior<go>{[&](tact::self<go>& self, const go& m) {
                                      self.spawn<clerk>() | note{1};
                                      engine.spawn<clerk>() | note{1};
                                      engine.attach(mine) | note{1} | tact::finished_msg;
                                      self.send(victim, tact::delete_msg);
                                      if (m.fail) throw std::runtime_error("no");
                                    }},
                                    tact::parallel);
  engine.send(parent, go{true});
  engine.wait_idle();
  CHECK(engine.statistics().actors_alive == 2);
  CHECK(clerk::received == 0);
  CHECK(clerk::destroyed == 2);
  engine.send(parent, go{false});
  engine.wait_idle();
  CHECK(clerk::received == 3);
  CHECK(clerk::destroyed == 3);
  CHECK(engine.statistics().actors_alive == 3);
}

TEST_CASE("classic: a narrowed ref sends its part of the protocol", "[actor]") {
  const nothing_left left;
  std::vector<int> read;
  tact::engine engine(quiet_options(2));
  const tact::ref<note> narrow = engine.spawn<clerk>(&read);
  narrow | note{1} | note{2};
  engine.send(narrow, note{3});
  engine.wait_idle();
  CHECK(read == std::vector<int>{1, 2, 3});
}

}  // namespace classic_test
