// The names of message types and actor types, by numbers that fit into an event.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tact::inspect {

// A type is known by the address of its description. Its name is copied, because a plug-in may be unloaded, and its
// description with it. Thread safety: any thread.
class type_names {
 public:
  static constexpr std::uint32_t unknown = 0;

  // The number of a type; unknown without memory.
  [[nodiscard]] std::uint32_t number_of(const void* type, std::string_view name) noexcept;
  // The names by their numbers; the first is that of what is not known. Throws std::bad_alloc.
  [[nodiscard]] std::vector<std::string> read() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, std::uint32_t> numbers_;
  std::vector<std::string> names_{std::string()};
};

// The numbers that one thread has asked for lately. Thread safety: that thread.
class recent_type_numbers {
 public:
  explicit recent_type_numbers(type_names& all) noexcept : all_(all) {}

  // REQUIRES: the type has a member `name`. Null: unknown.
  template <class Type>
  [[nodiscard]] std::uint32_t number_of(const Type* type) noexcept {
    if (type == nullptr) return type_names::unknown;
    entry& e = entries_[reinterpret_cast<std::uintptr_t>(type) / 64 % entries_.size()];
    if (e.type != type) [[unlikely]]
      e = {type, all_.number_of(type, type->name)};
    return e.number;
  }

 private:
  struct entry {
    const void* type = nullptr;
    std::uint32_t number = type_names::unknown;
  };

  type_names& all_;
  std::array<entry, 64> entries_{};
};

}  // namespace tact::inspect
