// The room: an actor that passes what one member says on to all, and tells all who is there. Its state is the list of
// members, which is never changed but replaced.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tact/tact.hpp>

namespace chat {

struct said {
  std::string from;
  std::string text;
};
struct roster {
  std::vector<std::string> names;
};
// The last message that a member gets.
struct farewell {};
struct inbox : tact::protocol<said, roster, farewell> {};

struct member {
  std::string name;
  tact::ref<inbox> to;
};
struct join {
  member newcomer;
};
struct leave {
  tact::ref<inbox> who;
};
struct say {
  tact::ref<inbox> who;
  std::string text;
};
struct room : tact::protocol<join, leave, say> {};

using members = std::shared_ptr<const std::vector<member>>;

inline void tell_all(tact::self<room>& self, const members& all) {
  roster r;
  for (const member& m : *all) r.names.push_back(m.name);
  for (const member& m : *all) self.send(m.to, r);
}

inline tact::behavior<room> room_with(members all) {
  return {
      [all](tact::self<room>& self, const join& m) {
        auto next = std::make_shared<std::vector<member>>(*all);
        next->push_back(m.newcomer);
        tell_all(self, next);
        self.become(room_with(next));
      },
      [all](tact::self<room>& self, const leave& m) {
        auto next = std::make_shared<std::vector<member>>();
        std::copy_if(all->begin(), all->end(), std::back_inserter(*next),
                     [&](const member& other) { return other.to != m.who; });
        if (next->size() == all->size()) return;
        self.send(m.who, farewell{});
        tell_all(self, next);
        self.become(room_with(next));
      },
      // A member says nothing before it has joined, nor after it has left.
      [all](tact::self<room>& self, const say& m) {
        const auto speaker =
            std::find_if(all->begin(), all->end(), [&](const member& other) { return other.to == m.who; });
        if (speaker == all->end()) return;
        for (const member& other : *all) self.send(other.to, said{speaker->name, m.text});
      },
  };
}

inline tact::behavior<room> empty_room() { return room_with(std::make_shared<const std::vector<member>>()); }

}  // namespace chat
