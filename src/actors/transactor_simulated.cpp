// How messages run in a simulation: as anywhere else, but one at a time, and other threads may go first at each step.
#include "actors/dead_letters.hpp"
#include "actors/transactor.hpp"
#include "sync/thread_state.hpp"

namespace tact::detail {

namespace {

// While one lives, the simulation knows that this thread runs the code of a handler.
class user_code {
 public:
  explicit user_code(bool inside) noexcept : was_(flag()) { flag() = inside; }
  ~user_code() { flag() = was_; }
  user_code(const user_code&) = delete;
  user_code& operator=(const user_code&) = delete;

 private:
  static bool& flag() noexcept { return sync::thread_state::of_this_thread().in_user_code; }
  const bool was_;
};

}  // namespace

bool transactor::run_simulated(mailbox::copy_queue& from) {
  using sync::event;
  simulation_->may_switch();
  mailbox::envelope& e = from.front();
  const port to = e.target() & ~index_mask;
  const std::string_view message = e.type().name;
  const std::string_view name = actors::type_name_of(e.target());
  const auto note = [&](event what) { simulation_->note(what, to, name, message); };
  actors::cell& c = actors::cell_of(e.target());
  const bool is_put_aside = c.word.load().is_waiting() && actors::is_current(e.target());
  note(is_put_aside ? event::put_aside : event::handling);
  const actors::tally before = tally_;
  from.skip_to(dispatch_observed(e));
  for (auto n = before.collisions; n != tally_.collisions; ++n) note(event::collided);
  if (tally_.committed != before.committed) note(event::committed);
  if (tally_.failed != before.failed) note(event::failed);
  if (tally_.forwarded != before.forwarded) note(event::forwarded);
  if (tally_.dead != before.dead) note(event::dead);
  return pace_.step();
}

// Stands in the place of each handler: between its return and the commit other threads may go first.
void transactor::call_simulated(closure& b, run& r, void* message) {
  // relaxed: owner-only write, read back by its owner.
  const unsigned index = actors::index_of(r.handling.load(std::memory_order_relaxed));
  transactor& here = transactor::of(r);
  const bool is_asker = b.type->kind == actor_kind::asker;  // an asker is gone when it has run
  {
    const user_code inside(!is_asker);
    b.type->entries[index](b, r, message);
    if (!is_asker) here.end_step();
  }
  here.simulation_->may_switch();
}

// Lets a simulation throw an exception at the end of a handler, and where it would wait, to see what a failure leaves
// there.
void transactor::end_step() {
  if (simulation_ != nullptr && !rehearsing_) simulation_->after_handler();
}

}  // namespace tact::detail
