#include "inspect/handler_slices.hpp"

#include <algorithm>
#include <cstddef>

namespace tact::inspect {

const char* word_of(outcome how) noexcept {
  switch (how) {
    case outcome::none:
      return "not over";
    case outcome::committed:
      return "committed";
    case outcome::failed:
      return "failed";
    case outcome::forwarded:
      return "forwarded";
    case outcome::put_aside:
      return "put aside";
    case outcome::dead:
      return "dead letter";
    case outcome::waits:
      return "waits";
  }
  return "";
}

std::vector<std::vector<handler_slice>> slices_of(const trace& t) {
  std::vector<std::vector<handler_slice>> all(t.threads().size());
  std::vector<std::vector<std::size_t>> open(t.threads().size());
  const auto close = [&](const event& e, std::size_t which, outcome how) {
    all[e.thread][which].end = e.at;
    all[e.thread][which].how = how;
  };
  for (const event& e : t.events()) {
    std::vector<handler_slice>& here = all[e.thread];
    std::vector<std::size_t>& stack = open[e.thread];
    if (e.what == step::parked || e.what == step::woke || e.what == step::stole) {
      stack.clear();
    } else if (e.what == step::begun || e.what == step::goes_on) {
      if (e.what == step::begun) stack.clear();
      stack.push_back(here.size());
      here.push_back({e.at, e.at, &e});
    } else if ((e.what == step::over || e.what == step::waits) && !stack.empty()) {
      if (here[stack.back()].first->message != e.message) continue;
      close(e, stack.back(), e.what == step::waits ? outcome::waits : e.how);
      stack.pop_back();
    } else if (!stack.empty()) {
      if (e.what == step::undone) ++here[stack.back()].undone;
      for (const std::size_t s : stack) here[s].end = std::max(here[s].end, e.at);
    }
  }
  return all;
}

}  // namespace tact::inspect
