// Watches the graph: which actors got which events. It only counts; what is to be seen of it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tact/tact.hpp>

#include "command.hpp"
#include "trail.hpp"

namespace router {

struct traffic {
  std::vector<std::uint64_t> messages{};                         // that each actor got, by node
  std::map<std::pair<node, node>, std::uint64_t> connections{};  // messages from one to the other
  std::vector<std::string> newest{};                             // what became of the last events
  trail last{};                                                  // the way of the last event
};

// Asks for the traffic, once there is more than was told before. So a window that shows it is sent no more than it
// shows, and nothing while nothing happens.
struct more {
  tact::ref<traffic> to;
};

class watcher : public tact::actor<watcher, command, more> {
 public:
  void receive(tact::self<watcher>& self, const command& m);
  void receive(tact::self<watcher>& self, const more& m);

 private:
  static constexpr std::size_t lines = 14;

  void tell(tact::self<watcher>& self);

  std::vector<std::uint64_t> messages_ = std::vector<std::uint64_t>(node_names().size());
  std::map<std::pair<node, node>, std::uint64_t> connections_;
  std::deque<command> newest_;
  bool is_told_ = true;
  tact::ref<traffic> asks_;
};

}  // namespace router
