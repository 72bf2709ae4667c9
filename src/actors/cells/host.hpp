// An engine as the host of threads outside that run code of its users.
#pragma once

#include "actors/cells/cell_store.hpp"
#include "actors/common/visit.hpp"
#include "sync/rundown.hpp"

namespace tact::actors {

// Thread safety: any thread.
struct host {
  const engine_identity& identity;
  sync::rundown<sync::real>& guests;
};

// While one lives, the engine lives too, and the calling thread visits it. Thread safety: the thread's own.
class hosted {
 public:
  explicit hosted(const host& of) noexcept : guest_(of.guests), visiting_(of.identity) {}
  hosted(const hosted&) = delete;
  hosted& operator=(const hosted&) = delete;
  ~hosted() = default;

 private:
  const sync::rundown<sync::real>::guest guest_;
  const visiting visiting_;
};

}  // namespace tact::actors
