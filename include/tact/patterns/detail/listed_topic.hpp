// What an engine lists of a topic.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "tact/detail/core.hpp"
#include "tact/detail/part.hpp"

namespace tact::detail {

// The behaviours of a topic share it, from the first subscriber on. Thread safety: any thread.
struct listed_topic : part {
  listed_topic(run& r, std::string_view of) noexcept
      : part(part_kind::topic,
             [](const part& p, structure_found& to) {
               const auto& mine = static_cast<const listed_topic&>(p);
               to.topics.push_back({{}, std::string(mine.message), mine.subscribers.load()});
               to.topic_ports.push_back(mine.who);
             }),
        who(self_port(r)),
        message(of) {
    enter_engine(core_of(r), *this);
  }
  // It is taken out before its members end.
  ~listed_topic() { leave_engine(*this); }

  const port who;
  const std::string_view message;  // the name of its type
  std::atomic<std::uint64_t> subscribers{0};
};

}  // namespace tact::detail
