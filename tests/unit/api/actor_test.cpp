// Classic actors, and messages that are sent by reference.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "messages.hpp"
#include "support/catch.hpp"

namespace actor_test {

namespace {

struct line {
  std::string text;
};
struct flush : tact::message {
  using tact::message::message;
  int seen = 0;
};
struct size {
  using reply = std::size_t;
};

class logger : public tact::actor<logger, line, flush, std::unique_ptr<int>, tact::request<size>> {
 public:
  explicit logger(std::string& log) : log_(log) {}
  ~logger() { log_ += '.'; }

  void receive(tact::self<logger>&, const line& m) { log_ += m.text; }
  tact::allocation receive(tact::self<logger>&, flush& m) {
    ++m.seen;
    return log_ == "end" ? tact::allocation::delete_ : tact::allocation::nodelete;
  }
  void receive(tact::self<logger>&, std::unique_ptr<int> n) { log_ += std::to_string(*n); }
  void receive(tact::transaction& tx, tact::request<size> m) { tx.reply(m, log_.size()); }

 private:
  std::string& log_;
};

struct counted : tact::message {
  explicit counted(std::atomic<int>& alive, tact::allocation state) : tact::message(state), alive_(alive) { ++alive_; }
  counted(const counted& other) : tact::message(other), alive_(other.alive_) { ++alive_; }
  ~counted() { --alive_; }

 private:
  std::atomic<int>& alive_;
};

}  // namespace

TEST_CASE("actor: a cascade arrives in order, and a pill ends a spawned one", "[api]") {
  std::string log;
  tact::engine engine;
  const auto l = engine.spawn<logger>(log);
  l | line{"a"} | line{"b"} | std::make_unique<int>(3) | tact::finished_msg | line{"late"};
  engine.wait_finished();
  CHECK(log == "ab3.");
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("actor: is asked like any other, also by a narrowed ref", "[api]") {
  std::string log = "xyz";
  tact::engine engine;
  const auto l = engine.spawn<logger>(log);
  CHECK(engine.ask(l, size{}) == 3);
  const tact::ref<tact::request<size>> narrow = l;
  CHECK(engine.ask(narrow, size{}, std::chrono::hours::max()).value() == 3);
}

TEST_CASE("actor: an attached one is left alone, destroyed or deleted, as its last state says", "[api]") {
  std::string log;
  {
    logger mine(log);
    tact::engine engine;
    engine.attach(mine) | line{"a"} | tact::finished_msg;
    engine.wait_finished();
    CHECK(log == "a");
  }
  CHECK(log == "a.");
  log.clear();
  tact::engine engine;
  engine.attach(*new logger(log)) | line{"b"} | tact::delete_msg;
  engine.wait_finished();
  CHECK(log == "b.");
  alignas(logger) unsigned char room[sizeof(logger)];
  engine.attach(*::new (room) logger(log)) | tact::destroy_msg;
  engine.wait_finished();
  CHECK(log == "b..");
}

TEST_CASE("actor: the allocation that a receive returns ends it", "[api]") {
  std::string log = "end";
  tact::engine engine;
  const auto l = engine.spawn<logger>(log);
  flush f;
  l | f;
  engine.wait_finished();
  CHECK(log == "end.");
  CHECK(f.seen == 1);
}

TEST_CASE("message: an lvalue is sent by reference, is reused, and may be in several queues", "[api]") {
  std::string log;
  tact::engine engine;
  const auto a = engine.spawn<logger>(log);
  flush f;
  a | f | f | f;
  engine.wait_idle();
  CHECK(f.seen == 3);
  a | flush(f);
  engine.wait_idle();
  CHECK(f.seen == 3);
}

TEST_CASE("message: its allocation state is carried out once it was handled", "[api]") {
  std::atomic<int> alive{0};
  tact::engine engine;
  const auto s = engine.create(tact::sink<counted>(), tact::parallel);
  s | *new counted(alive, tact::allocation::delete_);
  counted kept(alive, tact::allocation::nodelete);
  s | kept;
  alignas(counted) unsigned char room[sizeof(counted)];
  s | *::new (room) counted(alive, tact::allocation::destroy);
  engine.wait_idle();
  CHECK(alive == 1);
}

TEST_CASE("message: one that became a dead letter is deleted too", "[api]") {
  std::atomic<int> alive{0};
  tact::engine engine;
  tact::ref<counted>() | *new counted(alive, tact::allocation::delete_);
  engine.wait_idle();
  CHECK(alive == 0);
  engine.send(tact::ref<counted>(), *new counted(alive, tact::allocation::delete_));
  CHECK(alive == 0);
}

TEST_CASE("message: one that a discarded run sent is left alone", "[api]") {
  std::atomic<int> alive{0};
  counted kept(alive, tact::allocation::delete_);
  tact::engine engine;
  const auto s = engine.create(tact::sink<counted>(), tact::parallel);
  engine.create(tact::behavior<long>{[&](tact::self<long>& self, long) {
                  s | kept;
                  self.discard();
                }},
                tact::parallel) |
      1L;
  engine.wait_idle();
  CHECK(alive == 1);
}

}  // namespace actor_test
