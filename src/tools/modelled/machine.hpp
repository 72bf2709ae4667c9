// The processing units of a modelled machine, and how far its cores are from each other.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tact/model.hpp"

namespace tact::modelled {

// Virtual time, in picoseconds.
using picoseconds = std::uint64_t;
[[nodiscard]] inline picoseconds of_ns(double ns) noexcept {
  return static_cast<picoseconds>(ns <= 0 ? 0 : ns * 1000 + 0.5);
}

// Where a line comes from.
enum class source : unsigned char { l2, l3, same_l3, same_package, other_package, memory, other_memory };
inline constexpr std::size_t sources = 7;
[[nodiscard]] const char* name_of(source s) noexcept;

// How an access uses what it reaches. An update is an atomic read-modify-write, or a store that is seq_cst.
enum class use : unsigned char { read, write, update };
[[nodiscard]] constexpr bool is_write(use how) noexcept { return how != use::read; }

// A set of cores.
class core_set {
 public:
  static constexpr unsigned cores_max = 512;
  void add(unsigned core) noexcept { words_[core / 64] |= bit(core); }
  void remove(unsigned core) noexcept { words_[core / 64] &= ~bit(core); }
  [[nodiscard]] bool has(unsigned core) const noexcept { return (words_[core / 64] & bit(core)) != 0; }
  [[nodiscard]] bool is_empty() const noexcept {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w == 0; });
  }
  [[nodiscard]] unsigned count() const noexcept {
    unsigned n = 0;
    for (const std::uint64_t w : words_) n += static_cast<unsigned>(__builtin_popcountll(w));
    return n;
  }
  template <class Do>
  void for_each(Do what) const {
    for (unsigned i = 0; i < words_.size(); ++i)
      for (std::uint64_t w = words_[i]; w != 0; w &= w - 1) what(i * 64 + static_cast<unsigned>(__builtin_ctzll(w)));
  }

 private:
  static std::uint64_t bit(unsigned core) noexcept { return std::uint64_t{1} << (core % 64); }
  std::array<std::uint64_t, cores_max / 64> words_{};
};

class machine {
 public:
  static constexpr unsigned caches_max = 64;
  struct core {
    unsigned cache = 0;  // which of the shared caches
    unsigned node = 0;   // which memory is near
    unsigned package = 0;
  };
  struct unit {
    unsigned core = 0;
  };

  // Throws std::invalid_argument.
  explicit machine(const std::string& words);

  [[nodiscard]] const std::vector<unit>& units() const noexcept { return units_; }
  [[nodiscard]] const std::vector<core>& cores() const noexcept { return cores_; }
  [[nodiscard]] unsigned caches() const noexcept { return caches_; }
  [[nodiscard]] unsigned nodes() const noexcept { return nodes_; }
  // From the caches of core `from` to core `to`.
  [[nodiscard]] source between(unsigned from, unsigned to) const noexcept {
    const core& a = cores_[from];
    const core& b = cores_[to];
    if (a.cache == b.cache) return source::same_l3;
    return a.package == b.package ? source::same_package : source::other_package;
  }
  // From the shared cache `from`, which is not that of core `to`.
  [[nodiscard]] source from_cache(unsigned from, unsigned to) const noexcept {
    return package_of_cache_[from] == cores_[to].package ? source::same_package : source::other_package;
  }

 private:
  std::vector<unit> units_;
  std::vector<core> cores_;
  std::vector<unsigned> package_of_cache_;
  unsigned caches_ = 0;
  unsigned nodes_ = 0;
};

}  // namespace tact::modelled
