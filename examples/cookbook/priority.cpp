// A lift that a controller stops while many calls wait: control comes before data, and of the calls the one that is
// due first comes first. The engine has no workers, so that all of it waits before anything is handled.
#include <tact/tact.hpp>
#include <vector>

using namespace std::chrono_literals;

struct call {
  int floor;
  std::chrono::steady_clock::time_point due;
};
struct close_floor {
  int floor;
};
struct lift : tact::protocol<call, close_floor> {};

tact::behavior<lift> open_lift(std::vector<int>& stops, int closed = -1) {
  return {
      [&stops, closed](auto&, const call& m) {
        if (m.floor != closed) stops.push_back(m.floor);
      },
      [&stops](tact::self<lift>& self, const close_floor& m) { self.become(open_lift(stops, m.floor)); },
  };
}

int main() {
  std::vector<int> first_come;
  std::vector<int> due_first;
  const auto now = std::chrono::steady_clock::now();
  tact::engine engine({.workers = 0});

  // What is sent last is handled first: none of the calls to the second floor finds it open.
  const auto a = engine.create(open_lift(first_come), tact::by_priority(tact::handled_first<close_floor>));
  a | call{2, now} | call{1, now} | call{2, now} | call{3, now} | close_floor{2};

  // The earliest deadline first; a message that has none would come last, so closing a floor is due at once.
  struct due {
    auto operator()(const call& m) const { return m.due; }
    auto operator()(const close_floor&) const { return std::chrono::steady_clock::time_point::min(); }
  };
  const auto b = engine.create(open_lift(due_first), tact::by_deadline(due()));
  b | call{2, now + 3s} | call{1, now + 2s} | call{3, now + 1s} | close_floor{2};

  engine.run_until_idle();
  return first_come == std::vector{1, 3} && due_first == std::vector{3, 1} ? 0 : 1;
}
