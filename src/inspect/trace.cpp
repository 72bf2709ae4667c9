#include "tact/inspect/trace.hpp"

#include <algorithm>
#include <cstdio>
#include <unordered_set>

#include "inspect/actor_name.hpp"
#include "inspect/message_number.hpp"

namespace tact::inspect {

namespace {

std::string milliseconds(std::chrono::nanoseconds since) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f ms", static_cast<double>(since.count()) / 1e6);
  return text;
}

}  // namespace

std::string name_of_message(std::uint64_t number) {
  char text[40];
  std::snprintf(text, sizeof text, "%llu.%llx", static_cast<unsigned long long>(message_number::thread_of(number) + 1),
                static_cast<unsigned long long>(message_number::time_of(number)));
  return text;
}

std::vector<event> trace::causes_of(std::uint64_t message) const {
  std::vector<event> chain;
  std::unordered_set<std::uint64_t> seen;
  // A message is sent before what comes of it is: one look through the steps, from the last one on, is enough.
  for (auto e = events_.rbegin(); e != events_.rend() && message != 0; ++e) {
    if (e->message != message) continue;
    if (e->what != step::sent) continue;
    chain.push_back(*e);
    message = seen.insert(e->message).second ? e->cause : 0;
  }
  return chain;
}

std::string trace::why(std::uint64_t message) const {
  const std::vector<event> chain = causes_of(message);
  if (chain.empty()) return "message " + name_of_message(message) + ": where it was sent is not recorded\n";
  const auto begin = events_.front().at;
  std::string text;
  for (const event& e : chain) {
    text.append(text.empty() ? "" : "  because of ");
    text.append(e.message_type)
        .append(" ")
        .append(name_of_message(e.message))
        .append(" for ")
        .append(name_of_actor(e.actor_type, e.actor));
    text.append(", sent by ").append(threads_[e.thread]).append(" at ").append(milliseconds(e.at - begin));
    text.append(e.is_undone ? ", in a run that was undone\n" : "\n");
  }
  if (const std::uint64_t first = chain.back().cause)
    text.append("  because of message ").append(name_of_message(first)).append(", whose send is not recorded\n");
  return text;
}

}  // namespace tact::inspect
