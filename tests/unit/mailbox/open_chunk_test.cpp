// Chunks to which a sender adds after the push, on one thread. Races: tests/schedule/open_chunk_test.cpp.
#include "mailbox/open_chunk.hpp"

#include <vector>

#include "dispatch/exchange/publish.hpp"
#include "mailbox/office.hpp"
#include "support/catch.hpp"
#include "support/counted.hpp"
#include "tact/detail/message_type.hpp"

namespace open_chunk_unit_test {

namespace {

using namespace tact::mailbox;
using tact::support::counted;

constexpr std::uint32_t office_outbox = 1;  // of the outbox of the only office

// A mailbox with one shard and one office, which one worker sends to.
class place {
 public:
  explicit place(bool leaves_open = true) {
    office_.number = office_outbox;
    office_.open = std::vector<office::place>(1);
    if (leaves_open) outboxes_.set_sender(0);
  }
  ~place() { static_cast<void>(read()); }

  // -- as dispatch::publish_all asks
  place& mail() { return *this; }
  bool is_office(std::uint32_t outbox) const { return outbox == office_outbox; }
  office& office_of_outbox(std::uint32_t) { return office_; }
  tact::dispatch::published publish(std::uint32_t, copy_queue::chain messages) {
    return tact::dispatch::push(office_.word, messages);
  }

  // Sends so many messages, and publishes them together. Returns how often the office was to be told. `to`: the
  // actor for which they are.
  unsigned send(unsigned messages, tact::detail::port to = 0) {
    copy_queue& q = outboxes_.open(office_outbox).queue;
    const auto& type = tact::detail::message_type_of<counted>;
    for (unsigned n = 0; n < messages; ++n) {
      auto* const e = new (q.reserve(type.slot_count(), chunks_)) envelope(type, to);
      new (e->payload()) counted(next_++);
    }
    unsigned told = 0;
    tact::dispatch::publish_all(*this, outboxes_, chunks_, [&](std::uint32_t) { ++told; });
    return told;
  }
  // What has come, in its order.
  std::vector<int> read() {
    std::vector<int> all;
    gulped<chunk> came;
    if (!office_.word.try_gulp(came)) return all;
    CHECK(office_.accept(came, chunks_) == outboxes_.published(office_outbox) - read_);
    only_target_ = office_.waiting.only_target_of_head();
    while (!office_.waiting.empty()) {
      envelope& e = office_.waiting.front();
      all.push_back(static_cast<counted*>(e.payload())->number);
      e.end_handled();
      office_.waiting.pop(e.slots(), chunks_);
    }
    office_.waiting.recycle(chunks_);
    read_ += all.size();
    REQUIRE(office_.word.release());
    return all;
  }
  std::uint64_t chunks_published() const { return outboxes_.all_published().chunks.read(); }
  outbox_set& outboxes() { return outboxes_; }
  // The actor for which the first chunk was, when all was read.
  tact::detail::port only_target() const { return only_target_; }

 private:
  tact::detail::port only_target_ = chunk::several;
  depot spare_;
  chunk_store chunks_{spare_};
  outbox_set outboxes_{office_outbox + 1};
  office office_;
  int next_ = 0;
  std::uint64_t read_ = 0;
};

std::vector<int> up_to(int first, int end) {
  std::vector<int> all;
  for (; first != end; ++first) all.push_back(first);
  return all;
}

}  // namespace

TEST_CASE("open chunk: while an office has not taken a chunk, what is sent there next is added to it", "[mailbox]") {
  place at;
  CHECK(at.send(1) == 1);
  for (int n = 0; n < 10; ++n) CHECK(at.send(2) == 0);
  CHECK(at.chunks_published() == 1);
  CHECK(at.read() == up_to(0, 21));
  CHECK(at.send(1) == 1);  // taken: another chunk
  CHECK(at.chunks_published() == 2);
  CHECK(at.read() == up_to(21, 22));
}

TEST_CASE("open chunk: it is for one actor if all that is added is for the same one", "[mailbox]") {
  place at;
  constexpr tact::detail::port third = 3 << 6;
  const tact::detail::port second = GENERATE(3U << 6, 4U << 6);
  static_cast<void>(at.send(40, third));
  for (int n = 0; n < 4; ++n) CHECK(at.send(2, n == 1 ? second : third) == 0);
  CHECK(at.read().size() == 48);
  CHECK(at.only_target() == (second == third ? third : chunk::several));
}

TEST_CASE("open chunk: what does not fit is pushed, and nothing is added in front of it", "[mailbox]") {
  place at;
  static_cast<void>(at.send(20));
  static_cast<void>(at.send(chunk::capacity_slots));  // does not fit, whatever a message takes
  static_cast<void>(at.send(1));
  static_cast<void>(at.send(1));
  CHECK(at.chunks_published() >= 4);
  CHECK(at.read() == up_to(0, 22 + static_cast<int>(chunk::capacity_slots)));
}

TEST_CASE("open chunk: nothing is added once a shard has come from another thread", "[mailbox]") {
  place at;
  static_cast<void>(at.send(1));
  at.outboxes().add_no_more();
  static_cast<void>(at.send(1));
  CHECK(at.chunks_published() == 2);
  CHECK(at.read() == up_to(0, 2));
}

TEST_CASE("open chunk: a thread that leaves no chunk open pushes each", "[mailbox]") {
  place at(false);
  for (int n = 0; n < 3; ++n) static_cast<void>(at.send(1));
  CHECK(at.chunks_published() == 3);
  CHECK(at.read() == up_to(0, 3));
}

TEST_CASE("open chunk: every message that is added ends once", "[mailbox]") {
  const int before = counted::alive;
  {
    place at;
    for (int n = 0; n < 5; ++n) static_cast<void>(at.send(3));
    CHECK(counted::alive == before + 15);
    CHECK(at.read() == up_to(0, 15));
    CHECK(counted::alive == before);
  }
  CHECK(counted::alive == before);
}

}  // namespace open_chunk_unit_test
