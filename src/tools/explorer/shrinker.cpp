// The ways in which a schedule may become simpler. After each success the best schedule is the one that really ran.
#include "tools/explorer/shrinker.hpp"

#include <algorithm>
#include <limits>

namespace tact::explorer {
namespace {

using decisions = std::vector<decision>;

bool is_run(const decision& d) { return d.what == decision::kind::run; }

decisions without(const decisions& all, std::size_t first, std::size_t count) {
  decisions rest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(first));
  rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(std::min(first + count, all.size())), all.end());
  return rest;
}

}  // namespace

schedule shrinker::shrink(schedule found) {
  best_ = std::move(found);
  for (bool simpler = true; simpler && left_.replays != 0;) {
    const schedule_size before = best_.size;
    cut_tail();
    leave_out_threads();
    leave_out_parts();
    join_runs();
    change_lengths();
    simpler = best_.size.simpler_than(before);
  }
  return best_;
}

bool shrinker::try_out(const decisions& d) {
  if (left_.replays == 0 || left_.operations == 0) return false;
  --left_.replays;
  auto done = attempt_(d);
  left_.operations -= std::min(left_.operations, done ? done->size.operations : best_.size.operations);
  if (!done || !done->size.simpler_than(best_.size)) return false;
  best_ = std::move(*done);
  return true;
}

// Keeps only so many of the first decisions, and goes on from there with as few switches as possible.
void shrinker::cut_tail() {
  for (std::size_t less = best_.decisions.size(); less != 0; less /= 2) {
    while (less <= best_.decisions.size() && try_out(without(best_.decisions, best_.decisions.size() - less, less))) {
    }
  }
}

// Leaves out all decisions for one thread: it goes on only when no other can.
void shrinker::leave_out_threads() {
  for (unsigned t = 0; t < threads_max; ++t) {
    decisions rest = best_.decisions;
    if (std::erase_if(rest, [t](const decision& d) { return d.thread == t; }) != 0) try_out(rest);
  }
}

void shrinker::leave_out_parts() {
  for (std::size_t part = best_.decisions.size(); part != 0; part /= 2) {
    for (std::size_t at = 0; at < best_.decisions.size();) {
      if (!try_out(without(best_.decisions, at, part))) at += part;
    }
  }
}

// Makes two runs of one thread one: both where the first was, or both where the second was.
void shrinker::join_runs() {
  for (std::size_t first = 0; first < best_.decisions.size(); ++first) {
    if (!is_run(best_.decisions[first])) continue;
    const unsigned thread = best_.decisions[first].thread;
    std::size_t second = first + 1;
    while (second < best_.decisions.size() &&
           !(is_run(best_.decisions[second]) && best_.decisions[second].thread == thread)) {
      ++second;
    }
    if (second == best_.decisions.size()) continue;
    decisions joined = best_.decisions;
    joined[first].times = joined[second].times += joined[first].times;
    if (!try_out(without(joined, second, 1))) try_out(without(joined, first, 1));
  }
}

// Lets a run go on until the thread cannot, which saves a preemption; or ends it earlier, so that what follows comes
// earlier.
void shrinker::change_lengths() {
  for (std::size_t i = 0; i < best_.decisions.size(); ++i) {
    if (!is_run(best_.decisions[i])) continue;
    const auto try_length = [&](std::uint32_t times) {
      decisions changed = best_.decisions;
      changed.at(i).times = times;
      return try_out(changed);
    };
    if (try_length(std::numeric_limits<std::uint32_t>::max())) continue;
    const std::uint32_t times = best_.decisions[i].times;
    for (std::uint32_t less = 1; less < times && !try_length(less); less += std::max(less / 2, 1u)) {
    }
  }
}

}  // namespace tact::explorer
