// counted: a shared pointer into the library's own storage, without malloc in the steady state.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "tact/detail/message_type.hpp"

namespace tact::detail {

// An object, and the number of pointers that share it.
template <class T>
struct counted_object {
  template <class... Args>
  explicit counted_object(Args&&... args) : object{std::forward<Args>(args)...} {}

  T object;
  std::atomic<std::uint32_t> users{1};
};

// A shared pointer. Thread safety: several threads may copy and destroy different pointers to one object.
template <class T>
class counted {
 public:
  counted() noexcept = default;
  counted(const counted& other) noexcept : shared_(other.shared_) {
    if (shared_ != nullptr) shared_->users.fetch_add(1);
  }
  counted(counted&& other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
  counted& operator=(counted other) noexcept {
    std::swap(shared_, other.shared_);
    return *this;
  }
  ~counted() {
    if (shared_ != nullptr && shared_->users.fetch_sub(1) == 1) box<counted_object<T>>::end(shared_);
  }

  template <class... Args>
  static counted make(Args&&... args) {
    counted c;
    c.shared_ = box<counted_object<T>>(std::forward<Args>(args)...).release();
    return c;
  }

  explicit operator bool() const noexcept { return shared_ != nullptr; }
  T& operator*() const noexcept { return shared_->object; }
  T* operator->() const noexcept { return std::addressof(shared_->object); }
  // True when no other pointer shares the object.
  [[nodiscard]] bool is_sole() const noexcept { return shared_ != nullptr && shared_->users.load() == 1; }

 private:
  counted_object<T>* shared_ = nullptr;
};

}  // namespace tact::detail
