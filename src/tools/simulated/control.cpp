#include "tools/simulated/control.hpp"

#include <string>

#include "sync/thread_state.hpp"

namespace tact::simulated {

// A handler may also run on the program's own thread, which pumps an engine without workers.
void control::refuse_inside(const char* call) const {
  if (threads_.running_thread() == 0 && sync::thread_state::of_this_thread().worker == nullptr) return;
  throw usage_error(std::string("tact::simulation: ") + call +
                    " is called in a handler, or on another thread of the simulation, and waits until that waits "
                    "itself; only the program lets time pass: send a message by self.send_after, and call " +
                    call + " in the program, behind what it sends");
}

void control::run() {
  refuse_inside("run");
  threads_.rest();
}

bool control::step() {
  refuse_inside("step");
  if (threads_.is_alone()) return false;
  threads_.rest_for_a_step();
  return true;
}

void control::advance(virtual_clock::duration time) {
  refuse_inside("advance");
  const sync::time_point until = threads_.clock().after(time);
  do threads_.rest();
  while (threads_.pass_time(until));
  threads_.clock().move_to(until);
}

void control::sleep_for(virtual_clock::duration time) {
  const sync::time_point until = threads_.clock().after(time);
  if (until <= threads_.clock().now()) return threads_.give_way();
  const char here = 0;  // an address at which no other thread sleeps
  while (threads_.clock().now() < until && threads_.sleep(&here, until)) {
  }
}

}  // namespace tact::simulated
