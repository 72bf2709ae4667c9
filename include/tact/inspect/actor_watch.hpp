// tact::inspect::actor_watch: prints what one actor does with each of its messages.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "tact/detail/access.hpp"
#include "tact/inspect/recorder.hpp"
#include "tact/ref.hpp"

namespace tact::inspect {

struct actor_watch_options {
  // How often the watch looks into the recorder; more than 0. To look copies all that is recorded.
  std::chrono::nanoseconds every = std::chrono::milliseconds(100);
  // Gets a line for each message, without its end. Empty: tact::inspect::println prints it.
  std::function<void(std::string_view line)> to{};
};
std::ostream& operator<<(std::ostream&, const actor_watch_options&);

// tact::inspect::recorder recorder(engine);
// const tact::inspect::actor_watch watch(recorder, account);
//
// From its beginning to its end it prints a line for each message that the actor is done with:
//
//   account@5fcf04d0120#1 at 12.345678 ms: deposit 3.17 from teller@5fcf04d0160#1: committed, became, sent 2
//
// The time is that at which the handler began, since the watch began. Behind it are the message, its number, and where
// it was sent; what came of it; and what the handler has done: became, stopped, created or sent so many, waited, was
// undone, because it collided or failed, and what it noted by self.note. Nothing changes for the actor: the watch reads
// what is recorded, in a thread of its own. So it sees messages that are recorded only, and not what is in them; and
// when the recorder overwrites steps before the watch looks, some lines are missing. Thread safety: any thread,
// concurrently.
class actor_watch {
 public:
  // The recorder stays alive up to the end of this object. Throws option_error, std::bad_alloc, and std::system_error
  // when the system gives no thread.
  template <class P>
  actor_watch(const recorder& in, ref<P> who, const actor_watch_options& options = {})
      : actor_watch(in, tact::detail::access::port_of(who), options) {}
  actor_watch(const actor_watch&) = delete;
  actor_watch& operator=(const actor_watch&) = delete;
  // Looks once more, and ends the thread.
  ~actor_watch();

  // Prints now what was recorded since the last look. Throws std::bad_alloc, and what the function throws.
  void look();

 private:
  class looking;

  actor_watch(const recorder& in, tact::detail::port who, const actor_watch_options& options);

  const std::unique_ptr<looking> looking_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
