// Chunks to which a sender adds after the push, under every kind of schedule, and the faults planted there.
#include "schedule/staff.hpp"

namespace open_chunk_test {

namespace {

using namespace tact;
using explorer::check;
using explorer::simulated;
using schedule::house;
using schedule::letter;
using schedule::office;
using sync::fault;

// Two workers send to the office of a third place, a letter or two at a time, and its holder reads them.
template <unsigned Senders, unsigned Letters>
struct adders : explorer::scenario {
  unsigned thread_count() const override { return Senders + 1; }
  void thread(unsigned index) override { index < Senders ? send_all(index) : read_all(); }
  void at_end() override {
    check(at().open[0].is_closed(), "a chunk is open although the holder has read all");
    for (const unsigned n : next_) check(n == Letters, "a letter is lost");
  }
  void name(explorer::names& called) override {
    called.add(at().word, "office");
    called.add(at().open[0], "open chunk of sender 0");
  }

 private:
  static constexpr unsigned workers = 2;

  office& at() { return house_.office_at(0); }
  void send_all(unsigned me) {
    mailbox::chunk_store chunks(house_.spare());
    mailbox::outbox_set outboxes(workers + workers);
    outboxes.set_sender(me);
    for (unsigned n = 0; n < Letters; ++n) {
      mailbox::copy_queue& queue = outboxes.open(at().number).queue;
      const auto& type = detail::message_type_of<letter>;
      auto* const e = new (queue.reserve(type.slot_count(), chunks)) mailbox::envelope(type, 0);
      new (e->plain_payload()) letter{me, n, 0};
      dispatch::publish_all(house_, outboxes, chunks, [this](std::uint32_t to) { house_.announce_outbox(to); });
    }
  }
  void read_all() {
    mailbox::chunk_store chunks(house_.spare());
    unsigned read = 0;
    while (read != Senders * Letters) {
      mailbox::gulped<mailbox::chunk> came;
      if (!at().word.try_gulp(came)) {
        wait();
        continue;
      }
      const auto counted = at().accept(came, chunks);
      const unsigned before = read;
      for (; !at().waiting.empty(); ++read) take_one(chunks);
      check(read - before == counted, "a chunk has not as many letters as it says");
      at().waiting.recycle(chunks);
      while (!at().word.release()) read += take_more(chunks);
    }
  }
  unsigned take_more(mailbox::chunk_store& chunks) {
    at().accept(at().word.gulp(), chunks);
    unsigned read = 0;
    for (; !at().waiting.empty(); ++read) take_one(chunks);
    at().waiting.recycle(chunks);
    return read;
  }
  void take_one(mailbox::chunk_store& chunks) {
    const mailbox::envelope& e = at().waiting.front();
    const letter l = *static_cast<const letter*>(at().waiting.front().message());
    at().waiting.pop(e.slots(), chunks);
    check(l.sender < Senders && next_[l.sender]++ == l.number, "a letter overtook an earlier one of its sender");
  }
  void wait() {
    auto& wakeups = house_.status_of(0).wakeups;
    const auto ticket = wakeups.prepare();
    if (at().word.eligible()) return wakeups.cancel();
    wakeups.wait(ticket);
  }

  house house_{workers, workers, workers};
  std::array<unsigned, Senders> next_{};
};

// Shards go from worker to worker, and so do actors whose letters are in chunks that are open.
struct movers : schedule::staff<2, 4> {
  movers() : staff(2 * 2) {}
  unsigned thread_count() const override { return 3; }
  void thread(unsigned index) override {
    if (index >= 1) return work(index - 1);
    for (unsigned n = 0; n < 2; ++n) {
      send({0, n, 4}, 0);
      send({0, n, 4}, 2);
    }
  }
  std::optional<unsigned> victim_of(unsigned me) override { return 1 - me; }
  unsigned next_of(unsigned from, unsigned) const override { return from == 1 ? 2 : 1; }
};

}  // namespace

TEST_CASE("open chunk: nothing is lost or read twice, and each sender's order holds", "[mailbox][schedule][law5]") {
  support::require_holds<adders<1, 3>>();
  support::require_holds<adders<2, 3>>();
}

TEST_CASE("open chunk: order per sender holds when an actor's shard comes to a worker that has a chunk open",
          "[mailbox][schedule][law5]") {
  support::require_holds<movers>();
}

TEST_CASE("open chunk: in every schedule with few preemptions nothing is lost and order holds",
          "[mailbox][schedule][exhaustive]") {
  using one = adders<1, 3>;
  using two = adders<2, 2>;
  TACT_REQUIRE_ALL_HOLD(3, 0, one);
  TACT_REQUIRE_ALL_HOLD(2, 0, two);
}

TEST_CASE("open chunk: planted faults are found", "[mailbox][schedule]") {
  using one = adders<1, 3>;
  TACT_REQUIRE_FOUND(closed_while_adding, one);
  TACT_REQUIRE_FOUND(left_not_looked_at, one);
  TACT_REQUIRE_FOUND(closed_not_looked_at, one);
  TACT_REQUIRE_FOUND(added_past_others, movers);
}

}  // namespace open_chunk_test
