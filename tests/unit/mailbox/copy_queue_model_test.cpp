// Copy queues against a model: whatever is done to one, it holds what a deque would hold.
#include <rapidcheck.h>

#include <deque>
#include <vector>

#include "mailbox/copy_queue.hpp"
#include "support/catch.hpp"
#include "tact/detail/message_type.hpp"

namespace copy_queue_model_test {

namespace {

using namespace tact::mailbox;

struct small {
  int number;
};
struct large {
  int number;
  char load[70] = {};
};

// A queue and what it should hold.
struct pair {
  depot shared;
  chunk_store store{shared};
  copy_queue queue;
  std::deque<int> model;
  std::size_t slots = 0;  // that the model would take

  template <class M>
  void put(int number) {
    const auto& type = tact::detail::message_type_of<M>;
    auto* e = new (queue.reserve(type.slot_count(), store)) envelope(type, 0);
    new (e->payload()) M{number};
    model.push_back(number);
    slots += type.slot_count();
  }
  void put_any(int number) { number % 3 == 0 ? put<large>(number) : put<small>(number); }
  void check_front_and_pop() {
    envelope& e = queue.front();
    const unsigned size = e.slots();
    RC_ASSERT(*static_cast<int*>(e.message()) == model.front());
    queue.pop(size, store);
    model.pop_front();
    slots -= size;
  }
  void put_and_cut(int count) {
    const std::size_t before = model.size();
    const std::size_t slots_before = slots;
    if (!queue.has_chunks()) queue.equip(store.take());
    std::byte* const here = queue.write;
    for (int i = 0; i < count; ++i) put_any(i);
    RC_ASSERT(queue.cut(here, store) == static_cast<std::uint64_t>(count));
    model.resize(before);
    slots = slots_before;
  }
  void append_another(int count) {
    pair other;
    for (int i = 0; i < count; ++i) other.put_any(1000 + i);
    queue.append(other.queue.take().oldest, store);
    model.insert(model.end(), other.model.begin(), other.model.end());
    slots += other.slots;
  }
  void put_back_another(int count) {
    if (count == 0) return;
    pair other;
    for (int i = 0; i < count; ++i) other.put_any(2000 + i);
    queue.put_back(other.queue, store);
    RC_ASSERT(other.queue.empty());
    model.insert(model.begin(), other.model.begin(), other.model.end());
    slots += other.slots;
  }
  void move_there_and_back() {
    copy_queue there;
    move_all(queue, there, store);
    RC_ASSERT(queue.empty());
    RC_ASSERT(there.slots_waiting() == slots);
    move_all(there, queue, store);
  }
};

}  // namespace

TEST_CASE("copy queue: holds what a deque would hold, whatever is done to it", "[mailbox]") {
  const bool holds = rc::check([](const std::vector<unsigned char>& steps) {
    pair both;
    for (const unsigned char step : steps) {
      const int count = step / 4 * 5;  // up to three chunks
      switch (step % 6) {
        case 0:
          for (int i = 0; i < count; ++i) both.put_any(i);
          break;
        case 1:
          for (int i = 0; i < count && !both.model.empty(); ++i) both.check_front_and_pop();
          break;
        case 2:
          both.put_and_cut(count);
          break;
        case 3:
          both.move_there_and_back();
          break;
        case 4:
          both.put_back_another(count);
          break;
        default:
          both.append_another(count);
          break;
      }
      RC_ASSERT(both.queue.empty() == both.model.empty());
      RC_ASSERT(both.queue.slots_waiting() == both.slots);
    }
    while (!both.model.empty()) both.check_front_and_pop();
    RC_ASSERT(both.queue.empty());
  });
  REQUIRE(holds);
}

}  // namespace copy_queue_model_test
