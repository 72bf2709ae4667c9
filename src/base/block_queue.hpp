// A queue of small values in blocks. It never moves its values to a larger piece of memory, and it frees each block as
// soon as all of it has been read.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "base/blocks.hpp"

namespace tact::base {

// Its blocks come from the store of closures (base/blocks.hpp), so a push may use the reserve of that store: see
// base/reserve.hpp. Thread safety: none.
template <class T>
class block_queue {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  block_queue() noexcept = default;
  block_queue(block_queue&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)),
        last_(std::exchange(other.last_, nullptr)),
        read_(std::exchange(other.read_, nullptr)),
        write_(std::exchange(other.write_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  block_queue& operator=(block_queue&& other) noexcept {
    if (this == &other) return *this;
    clear();
    return *::new (this) block_queue(std::move(other));
  }
  ~block_queue() { clear(); }

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // Throws std::bad_alloc, and then nothing has changed. Does not throw while a may_use_reserve lives.
  void push_back(const T& value) {
    prepare_push();
    *write_++ = value;
    ++size_;
  }
  // Throws as push_back does; the next push_back does not throw any more.
  void prepare_push() {
    if (last_ == nullptr || write_ == last_->end()) [[unlikely]]
      add_block();
  }
  // REQUIRES: not empty.
  [[nodiscard]] const T& front() const noexcept { return *read_; }
  void pop_front() noexcept {
    if (--size_ == 0) return clear();
    if (++read_ != first_->end()) return;
    free_pooled(std::exchange(first_, first_->next), its_class);
    read_ = first_->items;
  }
  void clear() noexcept {
    free_from(std::exchange(first_, nullptr));
    last_ = nullptr;
    read_ = nullptr;
    write_ = nullptr;
    size_ = 0;
  }

  template <class F>
  void for_each(F f) const {
    place at{first_, read_};
    for (std::size_t n = 0; n != size_; ++n) f(std::as_const(at.next()));
  }
  // Removes the values for which is_done(value) is true; the others keep their order. is_done is called once for each
  // value, in order. It must not throw, and it must not touch the queue.
  template <class F>
  void erase_if(F is_done) noexcept {
    place from{first_, read_};
    place to = from;
    std::size_t left = 0;
    for (std::size_t n = 0; n != size_; ++n) {
      const T value = from.next();
      if (is_done(value)) continue;
      to.next() = value;
      ++left;
    }
    if (left == 0) return clear();
    cut(to, left);
  }

 private:
  static constexpr std::size_t block_bytes = 512;
  static constexpr std::size_t capacity = (block_bytes - sizeof(void*)) / sizeof(T);
  struct block {
    block* next = nullptr;
    T items[capacity];
    [[nodiscard]] T* end() noexcept { return items + capacity; }
  };
  static constexpr detail::block_class its_class = detail::class_of_block(sizeof(block));
  static_assert(sizeof(block) <= block_bytes && capacity > 1);

  // A position in the queue. It moves on to the next block only when a value of that block is asked for: before, there
  // may be no such block.
  struct place {
    block* in;
    T* at;
    T& next() noexcept {
      if (at == in->end()) {
        in = in->next;
        at = in->items;
      }
      return *at++;
    }
  };

  void add_block() {
    auto* const added = ::new (allocate_pooled(its_class)) block;
    if (last_ == nullptr) {
      first_ = added;
      read_ = added->items;
    } else {
      last_->next = added;
    }
    last_ = added;
    write_ = added->items;
  }
  void cut(const place& end, std::size_t left) noexcept {
    free_from(std::exchange(end.in->next, nullptr));
    last_ = end.in;
    write_ = end.at;
    size_ = left;
  }
  static void free_from(block* b) noexcept {
    while (b != nullptr) free_pooled(std::exchange(b, b->next), its_class);
  }

  block* first_ = nullptr;
  block* last_ = nullptr;
  T* read_ = nullptr;   // in first_
  T* write_ = nullptr;  // in last_
  std::size_t size_ = 0;
};

}  // namespace tact::base
