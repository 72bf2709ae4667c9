// The lane of the ideal engine: a private queue in chunks of 4 KiB, read at one end while it is written at the other.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace tact::bench {

template <class Envelope>
class floor_lane {
 public:
  struct chunk {
    chunk* next = nullptr;
    unsigned used = 0;
    std::array<Envelope, 127> slots;
  };
  struct mark {
    chunk* tail;
    unsigned used;
  };

  floor_lane() : head_(new chunk), tail_(head_) {}
  floor_lane(const floor_lane&) = delete;
  floor_lane& operator=(const floor_lane&) = delete;
  ~floor_lane() {
    drop(head_);
    drop(spare_);
  }

  void push(const Envelope& e) {
    if (tail_->used == tail_->slots.size()) [[unlikely]]
      add_chunk();
    tail_->slots[tail_->used++] = e;
  }
  [[nodiscard]] bool empty() const { return at_ == head_->used && head_->next == nullptr; }
  [[nodiscard]] Envelope& front() { return head_->slots[at_]; }
  void pop() {
    if (++at_ == head_->used) [[unlikely]]
      end_of_chunk();
  }

  [[nodiscard]] mark here() const { return {tail_, tail_->used}; }
  void cut(const mark& to) {
    drop(std::exchange(to.tail->next, nullptr));
    tail_ = to.tail;
    tail_->used = to.used;
  }

 private:
  void add_chunk() {
    chunk* added = spare_ != nullptr ? std::exchange(spare_, spare_->next) : new chunk;
    added->next = nullptr;
    added->used = 0;
    tail_->next = added;
    tail_ = added;
  }
  void end_of_chunk() {
    at_ = 0;
    if (head_->next == nullptr) {
      head_->used = 0;
      return;
    }
    chunk* done = std::exchange(head_, head_->next);
    done->next = spare_;
    spare_ = done;
  }
  static void drop(chunk* list) {
    while (list != nullptr) delete std::exchange(list, list->next);
  }

  chunk* head_;
  chunk* tail_;
  chunk* spare_ = nullptr;
  unsigned at_ = 0;
};

}  // namespace tact::bench
