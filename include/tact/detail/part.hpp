// What an engine can list although it is no actor: a scope, a supervisor, a topic.
#pragma once

#include <cstdint>
#include <vector>

#include "tact/detail/core.hpp"
#include "tact/structure.hpp"

namespace tact::actors {
class part_shelf;
}

namespace tact::detail {

// What has been found so far. The names of actors are asked for when no lock is held any more.
struct structure_found : structure {
  struct scope_place {
    const void* scope;
    const void* around;
    std::vector<port> members;
  };
  std::vector<scope_place> scope_places{};  // as many as scopes
  std::vector<port> topic_ports{};          // as many as topics
};

enum class part_kind : unsigned char { scope, supervisor, topic };
inline constexpr unsigned part_kinds = 3;

// It is listed from enter_engine until leave_engine, at the latest until it is destroyed; both cost a lock, and no
// memory. Its engine may end before it. Thread safety: the calls that follow, from any thread, one after the other.
struct part {
  // Adds what the part is. Called under the lock under which parts enter and leave, so it runs no users' code, makes
  // and destroys no part, and takes only locks under which neither is done.
  using teller = void (*)(const part&, structure_found&);

  part(part_kind of, teller t) noexcept : kind(of), tell(t) {}
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  ~part();

  const part_kind kind;
  const teller tell;
  // The core's: where it is listed. Guarded by the lock of the shelf.
  actors::part_shelf* shelf = nullptr;  // null: it is not listed
  part* next_listed = nullptr;
  part* listed_before = nullptr;
};

void enter_engine(core&, part&) noexcept;  // REQUIRES: the engine lives, and the part is not listed
void leave_engine(part&) noexcept;         // does nothing if it is not listed

inline part::~part() {
  if (shelf != nullptr) leave_engine(*this);
}

}  // namespace tact::detail
