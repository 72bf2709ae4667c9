// What the objects of a scenario are called in traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tact::explorer {

class names {
 public:
  // Names the object. The name stands also for every part of it that has no name of its own, and for every value that
  // is its address.
  template <class T>
  void add(const T& named, std::string text) {
    objects_.push_back({reinterpret_cast<std::uintptr_t>(&named), sizeof(T), std::move(text)});
  }

  // The name of a word. Words without a name are w0, w1 and so on, in the order in which they are asked for.
  [[nodiscard]] std::string of_word(const void* at);
  // The value as a number; or the name of the object to which it points, with the low bits that a tagged address
  // carries.
  [[nodiscard]] std::string of_value(std::uint64_t) const;

 private:
  struct object {
    std::uintptr_t at;
    std::size_t bytes;
    std::string text;
  };
  std::vector<object> objects_;
  std::vector<const void*> unnamed_;
};

}  // namespace tact::explorer
