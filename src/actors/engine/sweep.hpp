// What becomes of the messages and actors that are left when an engine ends: docs/ends.md.
#pragma once

#include <functional>

#include "actors/cells/cell_store.hpp"
#include "actors/cells/classic_watches.hpp"
#include "actors/common/names.hpp"
#include "actors/counts/tally.hpp"
#include "actors/failure/drop_report.hpp"
#include "actors/failure/leak_report.hpp"
#include "actors/figures/census.hpp"
#include "actors/intake/burial.hpp"
#include "dispatch/dispatcher.hpp"
#include "mailbox/copy_queue.hpp"
#include "mailbox/envelope.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {

// Tells all that waits, buries the messages, and ends the actors. Invariant: each message is buried once, and each
// actor ended once. Thread safety: none; one thread at a time, and only when no worker is left.
class sweep {
 public:
  // Tells a handler that waits, or a continuation, that the engine has ended; what it leaves in its lane is moved to
  // `left`.
  using wait_end = std::function<void(cell& waiting, mailbox::copy_queue& left)>;

  // `reports_alive`: actors that are alive at the end are reported.
  sweep(dispatch::dispatcher& workers, cell_store& cells, burial& b, const census& counts, outside_tally& counted,
        classic_watches& classic, bool reports_alive, wait_end end_wait)
      : workers_(workers),
        cells_(cells),
        burial_(b),
        census_(counts),
        counted_(counted),
        classic_(classic),
        reports_alive_(reports_alive),
        end_wait_(std::move(end_wait)) {}
  sweep(const sweep&) = delete;
  sweep& operator=(const sweep&) = delete;

  // `reports_left`: what is left is reported as dropped.
  void run(bool reports_left) noexcept;
  // The last step of it; once more for actors that were created since.
  void end_actors() noexcept;
  // The messages that are dropped: timers belong to them.
  [[nodiscard]] drop_report& left() noexcept { return left_; }
  // Tells the user what was dropped and which actors were alive, and forgets all that such reports need.
  void report(const engine_options& options) noexcept;

 private:
  void resume_waiters() noexcept;
  void tell_continuations() noexcept;
  void bury_put_aside() noexcept;
  void bury_messages() noexcept;
  template <class Place>
  void bury_in(Place& at, mailbox::copy_queue& into, mailbox::chunk_store& chunks) noexcept;
  void bury_all(mailbox::copy_queue& queue, mailbox::chunk_store& chunks) noexcept;
  void bury_left(mailbox::envelope& e) noexcept;
  void end_actor(cell& c) noexcept;
  void tell_askers() noexcept;

  dispatch::dispatcher& workers_;
  cell_store& cells_;
  burial& burial_;
  const census& census_;
  outside_tally& counted_;
  classic_watches& classic_;
  const bool reports_alive_;
  const wait_end end_wait_;
  bool reports_left_ = false;
  drop_report left_;
  leak_report alive_;  // at the end, if they are reported
};

}  // namespace tact::actors
