// An array of which only the parts that were written take up memory.
#pragma once

#include <cstddef>

namespace tact::base {

// Zeros, aligned to 64 bytes: whole pages of the system, or a block of malloc where that is less than a page.
class zero_pages {
 public:
  explicit zero_pages(std::size_t bytes);  // throws std::bad_alloc
  ~zero_pages();
  zero_pages(const zero_pages&) = delete;
  zero_pages& operator=(const zero_pages&) = delete;

  [[nodiscard]] std::byte* begin() const noexcept { return first_; }
  // Gives the pages back to the system. From then on they read as zero; but if the memory of the process is locked they
  // keep their contents.
  void forget() noexcept;

 private:
  std::byte* first_ = nullptr;
  std::size_t bytes_;
};

// T is a type for which zero memory stands for an element that has not been written yet. Elements are never destroyed.
template <class T>
class sparse_array {
 public:
  explicit sparse_array(std::size_t size) : pages_(size * sizeof(T)), size_(size) {}

  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  [[nodiscard]] T* data() noexcept { return reinterpret_cast<T*>(pages_.begin()); }
  [[nodiscard]] const T* data() const noexcept { return reinterpret_cast<const T*>(pages_.begin()); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Gives the memory back to the system. REQUIRES: the contents are not needed any more; elements become zero or stay
  // as they are.
  void forget() noexcept { pages_.forget(); }

 private:
  zero_pages pages_;
  const std::size_t size_;
};

}  // namespace tact::base
