// The parts of an engine that are no actors: detail/part.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "sync/lock.hpp"
#include "sync/policy.hpp"
#include "tact/detail/part.hpp"

namespace tact::actors {

using detail::part;
using detail::part_kind;

// Parts of a few threads. A shelf outlives its engine until the last part has left it. Thread safety: any thread.
class alignas(64) part_shelf {
 public:
  part_shelf() = default;
  part_shelf(const part_shelf&) = delete;
  part_shelf& operator=(const part_shelf&) = delete;

  void enter(part& p) noexcept;
  void leave(part& p) noexcept;  // may destroy the shelf
  // Calls tell of each part of that kind, those that came first first, as long as `goes_on`. Returns how many there
  // are.
  std::uint64_t tell(part_kind k, detail::structure_found& to, const std::function<bool()>& goes_on);
  // The engine ends. Destroys the shelf, now or when the last part leaves it.
  void give_up() noexcept;

 private:
  struct row {
    part* first = nullptr;
    part* last = nullptr;
    std::uint64_t count = 0;
  };
  ~part_shelf() = default;
  [[nodiscard]] bool is_empty() const noexcept;

  sync::lock<sync::real> lock_;  // guards what is below; locks of parts may be taken under it
  std::array<row, detail::part_kinds> rows_{};
  bool is_given_up_ = false;
};

// There are several shelves, and each thread has one, so that threads that open scopes in their handlers seldom meet.
// Thread safety: any thread.
class part_list {
 public:
  part_list();
  part_list(const part_list&) = delete;
  part_list& operator=(const part_list&) = delete;
  ~part_list();

  void enter(part& p) noexcept;
  // Bounded as the lists of the structure are. Without the names of actors, and without timers.
  [[nodiscard]] detail::structure_found tell();

 private:
  // From 4 on threads that open scopes hardly meet on a machine with two cores; swept in decision 0081. 16 leaves room
  // for more cores, at 2 KiB an engine.
  static constexpr unsigned shelves = 16;

  [[nodiscard]] std::uint64_t tell(part_kind k, detail::structure_found& to, const std::function<bool()>& goes_on);

  std::array<part_shelf*, shelves> all_{};
};

}  // namespace tact::actors
